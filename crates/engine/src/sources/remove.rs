//! Removes what a source no longer has: retires, deletes or releases it, in batches of their own.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use underlay_entity::{source_ledger, source_run};
use underlay_error::Code;
use underlay_inventory::{Description, ObjectRef, SOURCE, Snapshot};
use uuid::Uuid;

use super::error::RunError;
use super::failures::{Failure, Noted};
use super::fate::{Action, Going, Judgement, in_use};
use super::load::Loaded;
use super::missing::{Gone, carries};
use super::retire::retire;
use super::{MAX_ATTEMPTS, Sources};
use crate::store::RunChanges;
use crate::write::{
    Attendant, Author, Batch, Cascade, Conflicts, Fields, Intent, Item, Leave, MAX_BATCH_ITEMS, Mode, Origin, Outcome,
    Planned, Release, Status,
};
use underlay_inventory::Refusal;

/// The number of objects that are removed in one batch, and the number of those that fall with them. A single object
/// can have more, up to what a batch may delete.
const OBJECTS_PER_BATCH: usize = 250;
const MAX_FALLING_OBJECTS: usize = MAX_BATCH_ITEMS / 2;

/// Decides whether a removal counts against the limits of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// It counts.
    Yes,
    /// It does not, because an operator approved it.
    Approved,
}

/// The objects to be removed.
#[derive(Debug)]
pub struct Removal {
    /// The objects that a judgement lets go, in its order.
    pub going: Vec<Going>,
    /// Everything that the source no longer has.
    pub listed: HashSet<Uuid>,
    /// The objects that count with another one.
    pub along: HashSet<Uuid>,
    pub counts: Counts,
}

/// An item of a removal, with the object that it is for.
#[derive(Clone, Debug)]
struct Step {
    object: Uuid,
    kind: &'static str,
    external_id: String,
    /// The effect on the object; `None` for an item that prepares it.
    effect: Option<Action>,
}

/// The part of a run in one batch of its removals.
#[derive(Debug)]
struct Removing {
    run: source_run::Model,
    step: i64,
    source_id: Uuid,
    source: String,
    steps: Vec<Step>,
    along: Arc<HashSet<Uuid>>,
    counts: Counts,
    now: DateTime<Utc>,
}

impl Attendant for Removing {
    /// Leaves objects that are in use as they are. The snapshot of the plan decides, so that no use that began a moment
    /// ago is overlooked.
    fn prepare(&self, base: &Snapshot, items: &[Item]) -> Option<Vec<Item>> {
        let refusals = self.steps.iter().map(|step| in_use(base, base.find(step.object)?));
        let refusals: Vec<Option<Refusal>> = refusals.collect();
        refusals.iter().any(Option::is_some).then(|| {
            let items = items.iter().zip(refusals);
            items.map(|(item, refusal)| refusal.map_or_else(|| item.clone(), |it| refused(item, it))).collect()
        })
    }

    fn judge(&self, _: &Snapshot, _: &Batch, _: &Planned) -> Leave {
        Leave::new()
    }

    fn record(&self, base: &Snapshot, _: &Batch, planned: &Planned) -> RunChanges {
        let mut run = self.run.clone();
        run.heartbeat_at = self.now;
        let mut changes = RunChanges::of(self.step, run);
        let mut ledger: BTreeMap<&'static str, (i64, i64)> = BTreeMap::new();
        let mut count = |object: Uuid| {
            let Some(object_ref) = base.find(object).filter(|_| !self.along.contains(&object)) else { return };
            let own = base.row(object_ref).is_some_and(|row| carries(row.as_ref(), &self.source));
            let (removed, removed_own) = ledger.entry(base.kind(object_ref.kind).name).or_default();
            (*removed, *removed_own) = (*removed + 1, *removed_own + i64::from(own));
        };
        if planned.changes_something() {
            planned.touched.iter().filter(|id| planned.next.find(**id).is_none()).for_each(|id| count(*id));
        }
        let mut noted = Noted::of(&changes);
        for (step, outcome) in self.steps.iter().zip(&planned.outcomes) {
            let was_there = base.find(step.object).is_some();
            let is_gone = planned.next.find(step.object).is_none();
            match (&outcome.error, step.effect) {
                (None, Some(Action::Delete | Action::DeleteAlone)) => changes.run.deleted += 1,
                // Others removed it meanwhile.
                (Some(_), Some(_)) if !was_there => {}
                // It fell with an object that was deleted before it.
                (Some(_), Some(Action::Delete | Action::DeleteAlone)) if is_gone => changes.run.deleted += 1,
                (None, Some(Action::Retire)) => {
                    changes.run.retired += 1;
                    count(step.object);
                }
                (None, Some(Action::Release)) => {
                    changes.run.released += 1;
                    count(step.object);
                }
                (Some(error), Some(Action::DeleteAlone)) if error.code() == Code::InUse => continue,
                (Some(error), Some(_)) => noted.failed(Failure {
                    kind: Some(step.kind),
                    external_id: Some(&step.external_id),
                    code: error.code().as_str(),
                    message: &error.to_string(),
                    counts: false,
                    same_machine: None,
                }),
                (_, None) => continue,
            }
            if outcome.error.is_none() {
                noted.succeeded(step.kind, &step.external_id);
            }
            changes.unheld.push((step.object, String::new()));
        }
        noted.store(&mut changes);
        if self.counts == Counts::Yes {
            changes.ledger = ledger
                .into_iter()
                .map(|(kind, (removed, removed_own))| source_ledger::Model {
                    id: Uuid::new_v4(),
                    source_id: self.source_id,
                    kind: kind.to_owned(),
                    at: self.now,
                    removed,
                    removed_own,
                    emptied: 0,
                })
                .collect();
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
    /// Removes objects in batches. `loaded` has the run afterwards.
    ///
    /// # Errors
    /// Returns an error if a batch as a whole is refused. What was removed before stays removed and counted.
    pub(super) async fn remove(&self, loaded: &mut Loaded, actor: &str, removal: &Removal) -> Result<(), RunError> {
        let counted = (removal.counts, Arc::new(removal.along.clone()));
        for chunk in chunks(&removal.going) {
            let steps = self.steps(loaded, chunk, &removal.listed);
            let released = self.remove_chunk(loaded, actor, steps, &counted).await?;
            let chunk = chunk.iter().map(|going| &going.gone).filter(|gone| released.contains(&gone.id));
            let mut steps = Steps::default();
            chunk.for_each(|gone| steps.release(gone, &loaded.source.name));
            self.remove_chunk(loaded, actor, steps, &counted).await?;
        }
        Ok(())
    }

    /// Returns the steps that remove some objects. They are judged again, because others write meanwhile; what was left
    /// at first is not among them.
    fn steps(&self, loaded: &Loaded, chunk: &[Going], listed: &HashSet<Uuid>) -> Steps {
        let (snapshot, source) = (self.0.current.get(), &loaded.source);
        let gone = chunk.iter().map(|going| going.gone.clone()).collect();
        let judgement = Judgement::of(&snapshot, &source.name, source.settings.prune, gone, listed);
        let mut steps = Steps::default();
        let mut names = BTreeSet::new();
        for Going { gone, action, with } in &judgement.going {
            let Some(object) = snapshot.find(gone.id) else { continue };
            match action {
                Action::Retire => {
                    with.iter().for_each(|object| steps.add(gone, delete(&snapshot, *object, Cascade::No), None));
                    let item = retire(&snapshot, object, &source.name, loaded.now, &mut names);
                    steps.add(gone, item, Some(*action));
                }
                Action::Delete => steps.add(gone, delete(&snapshot, object, Cascade::Contained), Some(*action)),
                Action::DeleteAlone => steps.add(gone, delete(&snapshot, object, Cascade::No), Some(*action)),
                Action::Release => steps.release(gone, &source.name),
            }
        }
        for (gone, left) in judgement.left {
            let outcome = Box::new(Outcome::failed(Some(gone.kind.name), left.into()));
            steps.add(&gone, Item::Refused { outcome, input: Json::Null }, Some(Action::Release));
        }
        steps
    }

    /// Takes some steps. Returns the objects that are to be released instead, because something refers to them.
    async fn remove_chunk(
        &self,
        loaded: &mut Loaded,
        actor: &str,
        steps: Steps,
        counted: &(Counts, Arc<HashSet<Uuid>>),
    ) -> Result<HashSet<Uuid>, RunError> {
        let Steps { items, steps } = steps;
        if items.is_empty() {
            return Ok(HashSet::new());
        }
        let answer = self.write_removal(loaded, actor, items, steps.clone(), counted).await?;
        let in_use = steps.iter().zip(&answer.outcomes).filter(|(step, outcome)| {
            let code = outcome.error.as_ref().map(Refusal::code);
            step.effect == Some(Action::DeleteAlone) && outcome.status == Status::Failed && code == Some(Code::InUse)
        });
        Ok(in_use.map(|(step, _)| step.object).collect())
    }

    async fn write_removal(
        &self,
        loaded: &mut Loaded,
        actor: &str,
        items: Vec<Item>,
        steps: Vec<Step>,
        (counts, along): &(Counts, Arc<HashSet<Uuid>>),
    ) -> Result<crate::write::WriteAnswer, RunError> {
        let removing = Removing {
            run: loaded.run.clone(),
            step: loaded.turn.step,
            source_id: loaded.source.id,
            source: loaded.source.name.clone(),
            steps,
            along: Arc::clone(along),
            counts: *counts,
            now: loaded.now,
        };
        // The server decides what becomes of the object. Others own fields of it only if they keep no object.
        self.write_for(loaded, actor, items, Mode::PerItem, Conflicts::Force, Arc::new(removing)).await
    }

    /// Writes a batch of the server for a run, and loads what it stored.
    pub(super) async fn write_for(
        &self,
        loaded: &mut Loaded,
        actor: &str,
        items: Vec<Item>,
        mode: Mode,
        conflicts: Conflicts,
        attendant: Arc<dyn Attendant>,
    ) -> Result<crate::write::WriteAnswer, RunError> {
        let batch = Batch {
            id: Uuid::new_v4(),
            bytes: items.len() * 256,
            items,
            mode,
            conflicts,
            author: Author::user(actor).on_behalf_of(Some(&loaded.source.name)),
            origin: Origin::Run(attendant),
            request_id: None,
        };
        let answer = match self.0.writer.write(batch).await {
            Err(Refusal::RunOvertaken) => return Err(RunError::Overtaken),
            answer => answer?,
        };
        loaded.snapshot = Arc::clone(&answer.snapshot);
        self.reload(loaded).await?;
        Ok(answer)
    }

    /// Reads the run and the step of its source again, after this call stored something.
    pub(super) async fn reload(&self, loaded: &mut Loaded) -> Result<(), RunError> {
        let unknown = || RunError::NoRun(loaded.run.id.to_string());
        let step = self.0.store.turn(loaded.source.id).await?;
        loaded.run = self.0.store.run(loaded.run.id).await?.ok_or_else(unknown)?;
        loaded.turn = step;
        Ok(())
    }

    /// Retries while another process commits first.
    pub(super) async fn retried<T, F>(&self, call: impl Fn() -> F) -> Result<T, RunError>
    where
        F: Future<Output = Result<T, RunError>>,
    {
        for _ in 0..MAX_ATTEMPTS {
            match call().await {
                Err(RunError::Overtaken) => {}
                answer => return answer,
            }
        }
        Err(RunError::Overtaken)
    }
}

/// The items of one batch of a removal, each with its step.
#[derive(Debug, Default)]
struct Steps {
    items: Vec<Item>,
    steps: Vec<Step>,
}

impl Steps {
    fn add(&mut self, gone: &Gone, item: Item, effect: Option<Action>) {
        self.items.push(item);
        let (kind, external_id) = (gone.kind.name, gone.external_id.clone());
        self.steps.push(Step { object: gone.id, kind, external_id, effect });
    }

    fn release(&mut self, gone: &Gone, source: &str) {
        let [reference, fields] = release(gone.kind, gone.id, source);
        self.add(gone, reference, None);
        self.add(gone, fields, Some(Action::Release));
    }
}

/// Divides what goes into parts that fit into batches.
fn chunks(going: &[Going]) -> Vec<&[Going]> {
    let mut chunks = Vec::new();
    let (mut start, mut falling) = (0, 0);
    for (at, Going { with, .. }) in going.iter().enumerate() {
        if at > start && (at - start == OBJECTS_PER_BATCH || falling + with.len() > MAX_FALLING_OBJECTS) {
            chunks.push(&going[start..at]);
            (start, falling) = (at, 0);
        }
        falling += with.len();
    }
    chunks.extend((start < going.len()).then(|| &going[start..]));
    chunks
}

/// Returns an item that is refused instead of another one.
fn refused(item: &Item, refusal: Refusal) -> Item {
    let kind = match item {
        Item::Write { kind, .. } => Some(*kind),
        Item::Delete { kind, .. } | Item::Release { kind, .. } => *kind,
        Item::Refused { .. } => None,
    };
    let outcome = Outcome::failed(kind.map(|kind| kind.name), refusal);
    Item::Refused { outcome: Box::new(outcome), input: Json::Null }
}

fn delete(snapshot: &Snapshot, object: ObjectRef, cascade: Cascade) -> Item {
    let common = snapshot.row(object).map(|row| row.common());
    let id = common.map(|common| common.id.to_string()).unwrap_or_default();
    let if_version = common.map(|common| common.version);
    Item::Delete { kind: Some(snapshot.kind(object.kind)), object: Json::String(id), cascade, if_version }
}

/// Returns the items that release an object: it loses the reference to the source, and its fields lose their owner.
fn release(kind: &'static Description, id: Uuid, source: &str) -> [Item; 2] {
    let mut fields = Fields::default();
    fields.set("id", id.to_string().into());
    fields.set("externalRefs", json!([{ "source": source, "externalId": null }]));
    let what = Release::HeldBy(format!("{SOURCE}{source}"));
    [
        Item::Write { kind, intent: Intent::Update, fields, if_version: None },
        Item::Release { kind: Some(kind), object: Json::String(id.to_string()), what },
    ]
}
