//! Turns planned batches into the rows that the database will hold, and into the answers that it remembers.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use underlay_entity::{batch, manager, request};
use uuid::Uuid;

use super::batch::Batch;
use super::job::Job;
use super::outcome::{Outcome, Recognised, Skipped, Status};
use super::plan::Planned;
use crate::store::{Group, RowChanges, Store};
use underlay_entity::row::Row;
use underlay_error::Code;
use underlay_inventory::{KeyOf, KindId, Refusal, Snapshot};

/// Returns everything that a group of planned batches writes. `base` is the snapshot before the first of them.
pub(super) fn group(store: &Store, base: &Snapshot, planned: &[(&Batch, &Planned)]) -> Group {
    let head = base.head();
    let mut group = Group { planned_on: (head.revision, head.batch_id), ..Group::default() };
    for (batch, planned) in planned {
        let head = planned.next.head();
        group.managers.extend(planned.managers.iter().map(|(id, name)| manager::Model { id: *id, name: name.clone() }));
        group.batches.push(batch::Model {
            revision: head.revision,
            batch_id: head.batch_id,
            request_id: None,
            outcome: None,
            actor: batch.author.actor.clone(),
            source: batch.author.source.clone(),
            at: head.at,
        });
    }
    if let Some((_, last)) = planned.last() {
        group.rows = rows(store.no_changes(), base, &last.next, touched(planned));
    }
    group
}

/// Returns the row that remembers the answer to a request; `None` if the request has no name.
pub(super) fn request(job: &Job, planned: &Planned, answered: DateTime<Utc>) -> Option<request::Model> {
    Some(request::Model {
        actor: job.batch.author.actor.clone(),
        request_id: job.batch.request_id.clone()?,
        digest: job.digest.clone(),
        revision: planned.changes_something().then(|| planned.next.revision()),
        at: answered,
        outcome: record(&planned.outcomes),
    })
}

/// Returns the objects that the batches touched, each once, in the order of their ids, so that their rows are stored
/// next to each other.
fn touched(planned: &[(&Batch, &Planned)]) -> Vec<Uuid> {
    let mut touched: Vec<Uuid> = planned.iter().flat_map(|(_, planned)| planned.touched.iter().copied()).collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// Returns the difference of the rows between two snapshots, kind by kind.
fn rows(mut changes: Vec<RowChanges>, base: &Snapshot, next: &Snapshot, touched: Vec<Uuid>) -> Vec<RowChanges> {
    for id in touched {
        let (there, then) = (base.find(id), next.find(id));
        let before = there.and_then(|object| Some((object.kind, base.row(object)?)));
        let after = then.and_then(|object| Some((object.kind, next.row(object)?)));
        match (before, after) {
            // The planner never gives the id of an existing object to an object of another kind, but the stored rows
            // must not depend on that.
            (Some((kind, before)), Some((same, after))) if kind == same => {
                let changes = &mut changes[usize::from(kind.0)];
                match moves(base, kind, before.as_ref(), after.as_ref()) {
                    true => {
                        changes.delete.push(id);
                        changes.insert.push(Arc::clone(after));
                    }
                    false => changes.replace.push(Arc::clone(after)),
                }
            }
            (before, after) => {
                if let Some((kind, _)) = before {
                    changes[usize::from(kind.0)].delete.push(id);
                }
                if let Some((kind, after)) = after {
                    changes[usize::from(kind.0)].insert.push(Arc::clone(after));
                }
            }
        }
    }
    changes.retain(|changes| !changes.is_empty());
    changes
}

/// Returns true if a unique column of a row changes. Such a row is deleted and inserted again, so that two objects can
/// swap unique values. The database checks references to it when the transaction ends.
fn moves(base: &Snapshot, kind: KindId, before: &dyn Row, after: &dyn Row) -> bool {
    let kind = base.kind(kind);
    KeyOf::of(kind, before) != KeyOf::of(kind, after)
        || kind.unique.iter().any(|unique| (unique.of)(before) != (unique.of)(after))
}

/// The stored form of an outcome, which is kept with a request id.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recorded {
    status: Status,
    kind: Option<String>,
    id: Option<Uuid>,
    name: Option<String>,
    by: Option<Recognised>,
    external_id: Option<String>,
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
        by: outcome.by,
        external_id: outcome.external_id.clone(),
        skipped: outcome.skipped.clone(),
        error: outcome.error.as_ref().map(|refusal| RecordedError {
            code: refusal.code(),
            field: refusal.field().map(str::to_owned),
            message: refusal.to_string(),
        }),
    });
    // An outcome can always be written as JSON. If it could not, a repeated request would be refused as unreadable.
    serde_json::to_value(outcomes.collect::<Vec<_>>()).unwrap_or(Json::Null)
}

/// Reads the outcomes that were kept with a request id.
pub(super) fn recall(snapshot: &Snapshot, outcome: Json) -> Result<Vec<Outcome>, serde_json::Error> {
    let recorded: Vec<Recorded> = serde_json::from_value(outcome)?;
    let outcome = |it: Recorded| Outcome {
        status: it.status,
        kind: it.kind.and_then(|kind| snapshot.registry().named(&kind)).map(|kind| kind.name),
        id: it.id,
        name: it.name,
        by: it.by,
        external_id: it.external_id,
        skipped: it.skipped,
        error: it.error.map(|it| Refusal::Recorded { code: it.code, field: it.field, message: it.message }),
    };
    Ok(recorded.into_iter().map(outcome).collect())
}
