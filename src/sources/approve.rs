//! Approves and rejects what the guard holds.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use underlay_entity::source_held::{self, HeldReason};
use underlay_entity::source_run::{self, RunState};
use underlay_inventory::{ObjectRef, Snapshot};
use uuid::Uuid;

use super::Sources;
use super::attend::{add_error, is_still_set};
use super::error::RunError;
use super::gone::{Gone, own, permits, tallies};
use super::load::Loaded;
use super::remove::Counts;
use super::renumbered::{Successor, successors};
use crate::store::{RunChanges, Unheld};
use crate::write::{Attendant, Batch, Cascade, Fields, Intent, Item, Leave, Mode, Planned};

/// The number of items in one batch.
const CHUNK: usize = 500;

/// The part of a run in a batch that writes what an operator approved.
#[derive(Debug)]
struct Approving {
    run: source_run::Model,
    step: i64,
    /// The row that is no longer held once an item was accepted; `None` for an item that prepares another one.
    steps: Vec<Option<(Uuid, String)>>,
}

impl Attendant for Approving {
    fn prepare(&self, _: &Snapshot, _: &[Item]) -> Option<Vec<Item>> {
        None
    }

    fn judge(&self, _: &Snapshot, _: &Batch, _: &Planned) -> Leave {
        Leave::new()
    }

    fn record(&self, _: &Snapshot, _: &Batch, planned: &Planned) -> RunChanges {
        let mut changes = RunChanges::of(self.step, self.run.clone());
        for (step, outcome) in self.steps.iter().zip(&planned.outcomes) {
            let Some((object, field)) = step else { continue };
            // An object that cannot be written is reported, and no longer held.
            changes.unheld.push((*object, field.clone()));
            if let Some(error) = &outcome.error {
                add_error(&mut changes.run, None, error.code().as_str(), &error.to_string());
            }
        }
        if planned.changes_something() {
            let revision = planned.next.revision();
            changes.run.first_revision.get_or_insert(revision);
            changes.run.last_revision = Some(revision);
        }
        changes
    }
}

impl Sources {
    /// Approves what a run holds. With `adopt`, renumbered objects get their new external ids instead of being removed.
    ///
    /// # Errors
    /// Returns an error if the run holds nothing, or a later run replaced its list.
    pub async fn approve(&self, run: Uuid, adopt: bool, actor: &str) -> Result<source_run::Model, RunError> {
        self.retried(|| self.try_approve(run, adopt, actor)).await
    }

    async fn try_approve(&self, run: Uuid, adopt: bool, actor: &str) -> Result<source_run::Model, RunError> {
        let mut loaded = self.load_held(run).await?;
        if adopt && !loaded.run.renumbered {
            let reason = format!("is only for a run that is held as renumbered, which run {run} is not");
            return Err(RunError::Invalid { field: "adopt", reason });
        }
        let held = std::mem::take(&mut loaded.held);
        let (fields, objects): (Vec<_>, Vec<_>) = held.iter().partition(|held| held.reason == HeldReason::Emptied);
        self.empty(&mut loaded, actor, &fields).await?;
        let mut gone = still_gone(&loaded.snapshot, &loaded.source.name, &objects);
        let mut counts = Counts::Approved;
        if adopt {
            let items = self.0.store.run_items(run).await?;
            let successors = successors(&loaded.snapshot, &gone, &items);
            self.adopt(&mut loaded, actor, &successors).await?;
            let adopted: HashSet<Uuid> = successors.iter().map(|successor| successor.object).collect();
            gone.retain(|gone| !adopted.contains(&gone.id));
            // Nobody approved that what is left goes.
            counts = Counts::Yes;
            if !self.permits(&loaded, &gone) {
                return Ok(self.0.store.record_run(&loaded.changes()).await?);
            }
        }
        self.remove(&mut loaded, actor, gone, counts).await?;
        let mut changes = loaded.changes();
        changes.unheld_too = Unheld::All;
        changes.run.renumbered = false;
        changes.run.state = RunState::Running;
        if loaded.run.finished_at.is_some() {
            changes.run.state = RunState::Succeeded;
            changes.succeeded_at = Some(loaded.now);
        }
        Ok(self.0.store.record_run(&changes).await?)
    }

    /// Rejects what a run holds: nothing is removed, and the next full run judges anew.
    ///
    /// # Errors
    /// Returns an error if the run holds nothing, or a later run replaced its list.
    pub async fn reject(&self, run: Uuid) -> Result<source_run::Model, RunError> {
        self.retried(|| self.try_reject(run)).await
    }

    async fn try_reject(&self, run: Uuid) -> Result<source_run::Model, RunError> {
        let loaded = self.load_held(run).await?;
        let mut changes = loaded.changes();
        changes.unheld_too = Unheld::All;
        changes.run.renumbered = false;
        changes.run.state = RunState::Cancelled;
        changes.run.finished_at.get_or_insert(loaded.now);
        Ok(self.0.store.record_run(&changes).await?)
    }

    /// Loads a run about whose list can be decided.
    async fn load_held(&self, run: Uuid) -> Result<Loaded, RunError> {
        let loaded = self.load(run).await?;
        if loaded.run.state != RunState::Held {
            let state = loaded.run.state;
            return Err(RunError::State {
                run,
                state,
                remedy: "only what a HELD run holds can be approved or rejected",
            });
        }
        match loaded.held.iter().map(|held| held.run_id).find(|newest| *newest != run) {
            Some(newest) => Err(RunError::Replaced { run, newest }),
            None => Ok(loaded),
        }
    }

    fn permits(&self, loaded: &Loaded, gone: &[Gone]) -> bool {
        let (name, settings) = (&loaded.source.name, &loaded.source.settings);
        let count = own(&loaded.snapshot, name, |_, _| true).count;
        permits(settings.limits, &tallies(&loaded.snapshot, name, settings.prune, &count, gone, &loaded.used))
    }

    /// Empties the fields that the source still leaves empty.
    async fn empty(&self, loaded: &mut Loaded, actor: &str, held: &[&source_held::Model]) -> Result<(), RunError> {
        let mut by_object: BTreeMap<Uuid, Vec<&str>> = BTreeMap::new();
        for held in held.iter().filter(|held| is_still_set(&loaded.snapshot, held.object_id, &held.field)) {
            by_object.entry(held.object_id).or_default().push(&held.field);
        }
        let mut planned = Vec::new();
        for (object, names) in by_object {
            let Some(place) = loaded.snapshot.find(object) else { continue };
            let mut fields = Fields::default();
            fields.set("id", object.to_string().into());
            names.iter().for_each(|name| fields.set((*name).to_owned(), empty_value(&loaded.snapshot, place, name)));
            let kind = loaded.snapshot.kind(place.kind);
            let item = Item::Write { kind, intent: Intent::Update, fields, if_version: None };
            planned.push((item, Some((object, names[0].to_owned()))));
        }
        self.write_approved(loaded, actor, planned).await
    }

    /// Gives old objects their new external ids. Objects that were created under the new ids go.
    async fn adopt(&self, loaded: &mut Loaded, actor: &str, successors: &[Successor]) -> Result<(), RunError> {
        let mut planned = Vec::new();
        for Successor { object, kind, external_id, created } in successors {
            let kind = *kind;
            if let Some(created) = created.filter(|created| loaded.snapshot.find(*created).is_some()) {
                let object = Json::String(created.to_string());
                let cascade = Cascade::Contained;
                planned.push((Item::Delete { kind: Some(kind), object, cascade, if_version: None }, None));
            }
            let mut fields = Fields::default();
            fields.set("id", object.to_string().into());
            let source = &loaded.source.name;
            fields.set("externalRefs", json!([{ "source": source, "externalId": external_id }]));
            let item = Item::Write { kind, intent: Intent::Update, fields, if_version: None };
            planned.push((item, Some((*object, String::new()))));
        }
        self.write_approved(loaded, actor, planned).await
    }

    async fn write_approved(
        &self,
        loaded: &mut Loaded,
        actor: &str,
        planned: Vec<(Item, Option<(Uuid, String)>)>,
    ) -> Result<(), RunError> {
        let mut planned = planned.into_iter().peekable();
        while planned.peek().is_some() {
            let (items, steps): (Vec<_>, Vec<_>) = planned.by_ref().take(CHUNK).unzip();
            let approving = Approving { run: loaded.run.clone(), step: loaded.turn.step, steps };
            self.write_for(loaded, actor, items, Mode::PerItem, Arc::new(approving)).await?;
        }
        Ok(())
    }
}

/// Returns the value that empties a field: an empty list for a list, else null.
fn empty_value(snapshot: &Snapshot, place: ObjectRef, name: &str) -> Json {
    let kind = snapshot.kind(place.kind);
    let field = kind.field(name).map(|place| &kind.fields[place]);
    let value = field.zip(snapshot.row(place)).map(|(field, row)| (field.get)(row.as_ref()));
    match value {
        Some(Json::Array(_)) => json!([]),
        _ => Json::Null,
    }
}

/// Returns the objects of a list that still carry the reference under which they were listed.
fn still_gone(snapshot: &Snapshot, source: &str, held: &[&source_held::Model]) -> Vec<Gone> {
    let registry = snapshot.registry();
    let by_id: HashMap<Uuid, &source_held::Model> = held.iter().map(|held| (held.object_id, *held)).collect();
    let gone = by_id.into_iter().filter_map(|(id, held)| {
        let kind = registry.named(&held.kind)?;
        let slot = snapshot.table(kind.id).by_external(source, &held.external_id)?;
        let row = snapshot.row(ObjectRef { kind: kind.id, slot }).filter(|row| row.common().id == id)?;
        let name = row.common().name.to_owned();
        Some(Gone { id, kind, name, external_id: held.external_id.clone() })
    });
    gone.collect()
}
