//! Produces the outcomes of items: the effect on each object, how the object was recognised, and why an item was
//! refused.

use foldhash::HashMap;
use serde_json::Value as Json;
use uuid::Uuid;

use super::entries::Entries;
use super::entry::State;
use super::work::{Results, Work, WrittenBy};
use crate::runtime::parallel;
use crate::write::batch::Item;
use crate::write::outcome::{Outcome, Recognised, Skipped, Status};
use underlay_inventory::{Description, Refusal, Snapshot};

impl Work<'_> {
    /// Returns the outcome of each item, in the order of the items.
    pub(super) fn outcomes(&mut self, start: &Snapshot, items: &[(usize, &Item)]) -> Results {
        let mut refusals: HashMap<usize, Refusal> = HashMap::default();
        for (item, refusal) in self.refusals.drain(..) {
            refusals.entry(item).or_insert(refusal);
        }
        let removed: HashMap<usize, usize> = self
            .removed
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(at, (_, id, _))| Some((self.origin.get(id)?.item, at)))
            .collect();
        parallel(items, items.len(), |items| {
            let outcomes = items.iter().map(|(item, asked)| {
                let mut outcome = match asked {
                    Item::Write { .. } => written(&self.entries, *item, start, self.draft.snapshot()),
                    Item::Delete { kind, object, .. } => {
                        self.removal_outcome(removed.get(item).copied(), (*kind, object), start)
                    }
                    Item::Release { kind, object, .. } => self.release_outcome(*kind, object, start),
                    Item::Refused { outcome, .. } => Outcome::clone(outcome),
                };
                if let Some(refusal) = refusals.get(item).cloned() {
                    outcome.refuse(match asked {
                        Item::Write { kind, fields, .. } => {
                            kind.echo.show(refusal, fields.iter().map(|(_, value)| value))
                        }
                        _ => refusal,
                    });
                }
                (*item, outcome)
            });
            outcomes.collect()
        })
    }

    fn removal_outcome(
        &self,
        removed: Option<usize>,
        (kind, object): (Option<&'static Description>, &Json),
        start: &Snapshot,
    ) -> Outcome {
        let removed = removed.and_then(|at| self.removed.get(at));
        let (by, external_id) = recognised_by(kind, object);
        let kind = removed.map(|(removed, ..)| start.kind(removed.kind).name);
        Outcome {
            id: removed.map(|(_, id, _)| *id),
            name: removed.and_then(|(removed, ..)| Some(start.row(*removed)?.common().name.to_owned())),
            by: removed.map(|_| by),
            external_id,
            ..Outcome::of(Status::Deleted, kind)
        }
    }

    fn release_outcome(&self, kind: Option<&'static Description>, object: &Json, start: &Snapshot) -> Outcome {
        let found = self.named(kind, object).ok().and_then(|found| self.draft.snapshot().row(found));
        let (by, external_id) = recognised_by(kind, object);
        let id = found.map(|row| row.common().id);
        let (before, after) = (id.and_then(|id| start.row_of(id)), found);
        let same = before.zip(after).is_none_or(|(before, after)| before.common().managers == after.common().managers);
        let status = if same { Status::Unchanged } else { Status::Updated };
        let kind = id.and_then(|id| self.draft.snapshot().find(id)).map(|found| start.kind(found.kind).name);
        Outcome {
            id,
            name: found.map(|row| row.common().name.to_owned()),
            by: id.map(|_| by),
            external_id,
            ..Outcome::of(status, kind)
        }
    }

    /// Records the objects that these items wrote, for the items of the batch that are planned later.
    pub(super) fn note_written(&mut self) {
        for entry in self.entries.iter().filter(|entry| entry.input.part.is_none()) {
            if let Some(id) = entry.state.id() {
                self.written.entry(id).or_insert(WrittenBy::of(&entry.input));
            }
        }
    }
}

/// Returns the outcome of an item that writes: the effect on its object and on the parts of the object.
fn written(entries: &Entries<'_>, item: usize, start: &Snapshot, next: &Snapshot) -> Outcome {
    let mut of_item = entries.of_item(item).map(|at| entries.get(at));
    let Some(whole) = of_item.next() else {
        return Outcome::of(Status::Failed, None);
    };
    let mut skipped = whole.skipped.clone();
    let mut parts_changed = entries.cleared.iter().any(|it| entries.get(it.whole).input.item == item);
    for part in of_item {
        let outer = part.input.part.unwrap_or_default();
        let within = |it: &Skipped| Skipped { field: format!("{outer}.{}", it.field), ..it.clone() };
        skipped.extend(part.skipped.iter().map(within));
        parts_changed |= part.is_changed(start, next);
    }
    let status = match whole.state {
        State::New { .. } => Status::Created,
        State::Found { .. } if parts_changed || whole.is_changed(start, next) => Status::Updated,
        _ => Status::Unchanged,
    };
    let row = whole.row(next).or(whole.state.held_row());
    Outcome {
        status,
        kind: Some(whole.input.kind.name),
        id: whole.state.id(),
        name: row.map(|row| row.common().name.to_owned()),
        by: whole.state.recognised_by(),
        external_id: whole.input.external_id().map(str::to_owned),
        skipped,
        error: None,
    }
}

/// Returns the way in which a reference names its object, and the external id in it.
fn recognised_by(kind: Option<&'static Description>, object: &Json) -> (Recognised, Option<String>) {
    let external_id = object.get("externalId").and_then(Json::as_str).map(str::to_owned);
    let is_id = object.as_str().is_some_and(|text| Uuid::parse_str(text).is_ok());
    let by = match (kind, &external_id) {
        (None, _) => Recognised::Id,
        _ if is_id || object.get("id").is_some_and(|id| !id.is_null()) => Recognised::Id,
        (_, Some(_)) => Recognised::ExternalId,
        _ => Recognised::Key,
    };
    (by, external_id)
}
