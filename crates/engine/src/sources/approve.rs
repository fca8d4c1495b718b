//! Approves and rejects what the guard holds. Each list is that of one run, and every run with a list can be decided
//! about, whatever became of the run and of others.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use underlay_entity::source_held;
use underlay_entity::source_run::{self, RunState};
use underlay_inventory::{ObjectRef, Snapshot};
use uuid::Uuid;

use super::Sources;
use super::error::RunError;
use super::failures::{Failure, Noted, note_left};
use super::fate::Judgement;
use super::guard::WINDOW;
use super::load::{Loaded, is_full, is_pending};
use super::missing::{Gone, own, permits, tallies};
use super::removals::entry;
use super::remove::{Counts, Removal};
use super::renumbered::{Successor, successors};
use crate::store::{RunChanges, Unheld};
use crate::write::{Attendant, Batch, Cascade, Conflicts, Fields, Intent, Item, Leave, Mode, Planned};

/// The number of items in one batch.
const ITEMS_PER_BATCH: usize = 500;

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
        let mut noted = Noted::of(&changes);
        for (step, outcome) in self.steps.iter().zip(&planned.outcomes) {
            let Some((object, field)) = step else { continue };
            // An object that cannot be written is reported, and no longer held.
            changes.unheld.push((*object, field.clone()));
            if let Some(error) = &outcome.error {
                let (code, message) = (error.code().as_str(), &*error.to_string());
                noted.failed(Failure {
                    kind: None,
                    external_id: None,
                    code,
                    message,
                    counts: false,
                    same_machine: None,
                });
            }
        }
        noted.store(&mut changes);
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
        let (fields, objects): (Vec<_>, Vec<_>) = held.iter().partition(|held| held.reason.is_of_field());
        self.write_fields(&mut loaded, actor, &fields).await?;
        let mut gone = still_gone(&loaded.snapshot, &loaded.source.name, &objects);
        let mut counts = Counts::Approved;
        let mut adopted = HashSet::new();
        if adopt {
            let items = self.0.store.run_items(run).await?;
            let successors = successors(&loaded.snapshot, &loaded.source.name, &gone, &items);
            self.adopt(&mut loaded, actor, &successors).await?;
            adopted = successors.iter().map(|successor| successor.object).collect();
            gone.retain(|gone| !adopted.contains(&gone.id));
            // Nobody approved that what is left goes.
            counts = Counts::Yes;
        }
        let (name, prune) = (&loaded.source.name, loaded.source.settings.prune);
        let listed: HashSet<Uuid> = gone.iter().map(|gone| gone.id).collect();
        let mut judgement = Judgement::of(&loaded.snapshot, name, prune, gone, &listed);
        // What ended at the objects that were exchanged was exchanged with them.
        let adopted = adopted.into_iter().filter_map(|object| loaded.snapshot.find(object)).collect();
        let along = judgement.take_along(&loaded.snapshot, &adopted, loaded.now - WINDOW);
        let Judgement { going, left, counted } = judgement;
        if counts == Counts::Yes && !permits_all(&loaded, &counted) {
            return Ok(self.0.store.record_run(&loaded.changes()).await?);
        }
        self.remove(&mut loaded, actor, &Removal { going, listed, along, counts }).await?;
        let mut changes = loaded.changes();
        note_left(&mut changes, &left);
        changes.unheld_too = Unheld::OfRun;
        changes.run.renumbered = false;
        if loaded.run.state == RunState::Held {
            changes.run.state = RunState::Running;
            if let Some(ended) = loaded.run.finished_at {
                changes.run.state = RunState::Succeeded;
                // It succeeded when it ended, not when somebody approved it.
                let is_newer = loaded.turn.last_success_at.is_none_or(|last| last < ended);
                changes.succeeded_at = Some(ended).filter(|_| is_full(&loaded.run) && is_newer);
            }
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
        changes.unheld_too = Unheld::OfRun;
        changes.run.renumbered = false;
        if loaded.run.state == RunState::Held {
            changes.run.state = RunState::Cancelled;
            changes.run.finished_at.get_or_insert(loaded.now);
        }
        Ok(self.0.store.record_run(&changes).await?)
    }

    /// Loads a run about whose list can be decided, with that list alone: one that holds something, whatever became of
    /// it, or that is HELD although the source has everything of its list again.
    async fn load_held(&self, run: Uuid) -> Result<Loaded, RunError> {
        let mut loaded = self.load(run).await?;
        let (own, of_others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut loaded.held).into_iter().partition(|held| held.run_id == run);
        loaded.held = own;
        if !loaded.held.is_empty() {
            return Ok(loaded);
        }
        if loaded.run.state != RunState::Held {
            let state = loaded.run.state;
            return Err(RunError::State {
                run,
                state,
                remedy: "nothing is held with it that could be approved or rejected",
            });
        }
        // A later run may have taken the list over.
        let of_objects = of_others.iter().find(|held| !held.reason.is_of_field());
        match of_objects.or(of_others.first()) {
            Some(held) => Err(RunError::Replaced { run, newest: held.run_id }),
            None => Ok(loaded),
        }
    }

    /// Empties the fields that the source still leaves empty, and replaces those that it gives other values.
    async fn write_fields(
        &self,
        loaded: &mut Loaded,
        actor: &str,
        held: &[&source_held::Model],
    ) -> Result<(), RunError> {
        let mut by_object: BTreeMap<Uuid, Vec<&source_held::Model>> = BTreeMap::new();
        for held in held.iter().filter(|held| is_pending(&loaded.snapshot, held)) {
            by_object.entry(held.object_id).or_default().push(held);
        }
        let mut planned = Vec::new();
        for (object, held) in by_object {
            let Some(object_ref) = loaded.snapshot.find(object) else { continue };
            let mut fields = Fields::default();
            fields.set("id", object.to_string().into());
            for held in &held {
                let empty = || empty_value(&loaded.snapshot, object_ref, &held.field);
                set_held(&mut fields, &held.field, held.value.clone().unwrap_or_else(empty));
            }
            let kind = loaded.snapshot.kind(object_ref.kind);
            let item = Item::Write { kind, intent: Intent::Update, fields, if_version: None };
            planned.push((item, Some((object, held[0].field.clone()))));
        }
        // What others have set meanwhile stays.
        self.write_approved(loaded, actor, planned, Conflicts::Skip).await
    }

    /// Gives old objects their new external ids. Objects that were created under the new ids go.
    async fn adopt(&self, loaded: &mut Loaded, actor: &str, successors: &[Successor]) -> Result<(), RunError> {
        let mut planned = Vec::new();
        for Successor { object, kind, external_id, created, .. } in successors {
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
        self.write_approved(loaded, actor, planned, Conflicts::Force).await
    }

    async fn write_approved(
        &self,
        loaded: &mut Loaded,
        actor: &str,
        planned: Vec<(Item, Option<(Uuid, String)>)>,
        conflicts: Conflicts,
    ) -> Result<(), RunError> {
        let mut planned = planned.into_iter().peekable();
        while planned.peek().is_some() {
            let (items, steps): (Vec<_>, Vec<_>) = planned.by_ref().take(ITEMS_PER_BATCH).unzip();
            let approving = Approving { run: loaded.run.clone(), step: loaded.turn.step, steps };
            self.write_for(loaded, actor, items, Mode::PerItem, conflicts, Arc::new(approving)).await?;
        }
        Ok(())
    }
}

/// Returns true if the limits permit what would go.
fn permits_all(loaded: &Loaded, going: &HashSet<ObjectRef>) -> bool {
    let (snapshot, source) = (&loaded.snapshot, &loaded.source);
    let count = own(snapshot, &source.name, |_, _| true).count;
    permits(source.settings.limits, &tallies(snapshot, &source.name, &count, going, &HashMap::new(), &loaded.used))
}

/// Gives a field, or an entry of a map beside the others that are given, a value.
fn set_held(fields: &mut Fields, name: &str, value: Json) {
    let Some((map, key)) = entry(name) else { return fields.set(name.to_owned(), value) };
    let mut entries = fields.get(map).and_then(Json::as_object).cloned().unwrap_or_default();
    entries.insert(key.to_owned(), value);
    fields.set(map.to_owned(), Json::Object(entries));
}

/// Returns the value that empties a field: an empty list for a list, else null.
fn empty_value(snapshot: &Snapshot, object: ObjectRef, name: &str) -> Json {
    let kind = snapshot.kind(object.kind);
    let field = kind.field(name).map(|index| &kind.fields[index]);
    let value = field.zip(snapshot.row(object)).map(|(field, row)| (field.get)(row.as_ref()));
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
