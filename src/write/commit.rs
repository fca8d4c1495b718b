//! From planned batches to what the database is to hold: net rows, and what was answered.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use underlay_entity::{batch, manager};
use uuid::Uuid;

use super::batch::{Batch, Outcome, Skipped, Status};
use super::plan::Planned;
use crate::inventory::{Code, KeyOf, KindId, Refusal, Snapshot};
use crate::store::{Group, Row, RowChanges};

/// What a group of planned batches leaves in the database, `base` being the value before the first of them.
pub(super) fn group(base: &Snapshot, planned: &[(&Batch, &Planned)]) -> Group {
    let head = base.head();
    let mut group = Group { planned_on: (head.revision, head.batch_id), ..Group::default() };
    for (batch, planned) in planned {
        let head = planned.next.head();
        group.managers.extend(planned.managers.iter().map(|(id, name)| manager::Model { id: *id, name: name.clone() }));
        group.batches.push(batch::Model {
            revision: head.revision,
            batch_id: head.batch_id,
            request_id: batch.request_id.clone(),
            actor: batch.author.actor.clone(),
            source: batch.author.source.clone(),
            at: head.at,
            outcome: batch.request_id.is_some().then(|| record(&planned.outcomes)),
        });
    }
    if let Some((_, last)) = planned.last() {
        group.rows = rows(base, &last.next, touched(planned));
    }
    group
}

/// The objects that batches touched, each once, in the order of their ids: so rows come to stand beside each other.
fn touched(planned: &[(&Batch, &Planned)]) -> Vec<Uuid> {
    let mut touched: Vec<Uuid> = planned.iter().flat_map(|(_, planned)| planned.touched.iter().copied()).collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// The net change of the rows between two values, kind by kind.
fn rows(base: &Snapshot, next: &Snapshot, touched: Vec<Uuid>) -> Vec<RowChanges> {
    let table = |kind: KindId| RowChanges::none(base.kind(kind).table);
    let mut changes: Vec<_> = base.registry().kinds().map(|kind| table(kind.id)).collect();
    for id in touched {
        let (there, then) = (base.find(id), next.find(id));
        let Some(place) = then.or(there) else { continue };
        let (before, after) = (there.and_then(|place| base.row(place)), then.and_then(|place| next.row(place)));
        let changes = &mut changes[usize::from(place.kind.0)];
        match (before, after) {
            (Some(_), None) => changes.delete.push(id),
            (None, Some(after)) => changes.insert.push(Arc::clone(after)),
            (Some(before), Some(after)) if moves(base, place.kind, before.as_ref(), after.as_ref()) => {
                changes.delete.push(id);
                changes.insert.push(Arc::clone(after));
            }
            (Some(_), Some(after)) => changes.replace.push(Arc::clone(after)),
            (None, None) => {}
        }
    }
    changes.retain(|changes| !changes.is_empty());
    changes
}

/// Whether a unique column of a row changes. Such a row makes way and is written anew, so that objects can swap
/// what is unique; references to it are looked at when the transaction ends.
fn moves(base: &Snapshot, kind: KindId, before: &dyn Row, after: &dyn Row) -> bool {
    let kind = base.kind(kind);
    KeyOf::of(kind, before) != KeyOf::of(kind, after)
        || kind.unique.iter().any(|unique| (unique.of)(before) != (unique.of)(after))
}

/// An outcome as it is kept with a request id.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recorded {
    status: Status,
    kind: Option<String>,
    id: Option<Uuid>,
    name: Option<String>,
    skipped: Vec<Skipped>,
    error: Option<RecordedError>,
}

#[derive(Serialize, Deserialize)]
struct RecordedError {
    code: Code,
    field: Option<String>,
    message: String,
}

fn record(outcomes: &[Outcome]) -> Json {
    let outcomes = outcomes.iter().map(|outcome| Recorded {
        status: outcome.status,
        kind: outcome.kind.map(str::to_owned),
        id: outcome.id,
        name: outcome.name.clone(),
        skipped: outcome.skipped.clone(),
        error: outcome.error.as_ref().map(|refusal| RecordedError {
            code: refusal.code(),
            field: refusal.field().map(str::to_owned),
            message: refusal.to_string(),
        }),
    });
    // Nothing in an outcome can fail to be written as JSON; if it did, the repeat is refused as unreadable.
    serde_json::to_value(outcomes.collect::<Vec<_>>()).unwrap_or(Json::Null)
}

/// The outcomes that were kept with a request id.
pub(super) fn recall(snapshot: &Snapshot, outcome: Json) -> Result<Vec<Outcome>, serde_json::Error> {
    let recorded: Vec<Recorded> = serde_json::from_value(outcome)?;
    let outcome = |it: Recorded| Outcome {
        status: it.status,
        kind: it.kind.and_then(|kind| snapshot.registry().named(&kind)).map(|kind| kind.name),
        id: it.id,
        name: it.name,
        skipped: it.skipped,
        error: it.error.map(|it| Refusal::Recorded { code: it.code, field: it.field, message: it.message }),
    };
    Ok(recorded.into_iter().map(outcome).collect())
}
