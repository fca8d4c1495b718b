//! Recomputes the change log and compares it with the stored one. Starting at the current snapshot, it undoes each
//! batch back to the oldest revision that is held. It compares the parts of the records besides fields: names,
//! containers, labels, tenants, authors and times. The expected values come from the snapshots before and after the
//! batch, and from the batch itself.
//!
//! Guarantees: an intact database yields no flaw, even if other processes write or prune meanwhile. The fields of the
//! records are not checked here. [`audit`](super::audit()) must have found them correct, because the fields are used
//! to undo the batches.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value as Json;
use underlay_entity::batch;
use underlay_entity::change::{self, Operation};
use uuid::Uuid;

use super::audit::{Audit, Flaw};
use super::record::{self, Direction, RecordError};
use super::replication::FollowError;
use crate::store::{Committed, Store, StoreError};
use underlay_entity::row::Row;
use underlay_inventory::{Draft, Head, Manager, Snapshot};

/// The number of batches that are undone at a time.
const BATCHES_PER_STEP: u64 = 100;

/// Recomputes the log up to a snapshot that was loaded from the rows. Containers are compared only for batches made at
/// `containers_since` or later, because earlier versions of Underlay determined containers by other rules.
///
/// # Errors
/// Returns an error if the database does not answer, or if a record does not fit the snapshots.
pub async fn recheck(
    store: &Store,
    snapshot: &Arc<Snapshot>,
    containers_since: DateTime<Utc>,
) -> Result<Audit, FollowError> {
    let mut recheck = Recheck { after: Arc::clone(snapshot), containers_since, audit: Audit::default() };
    loop {
        let batches = store.batches_up_to(recheck.after.revision(), BATCHES_PER_STEP).await?;
        let undone = tokio::task::spawn_blocking(move || {
            let goes_on = recheck.undo_all(&batches)?;
            Ok::<_, RecordError>((recheck, goes_on))
        });
        let goes_on;
        (recheck, goes_on) = undone.await.map_err(|error| StoreError::Unreadable(error.to_string()))??;
        if !goes_on {
            return Ok(recheck.audit);
        }
    }
}

/// The state of the walk back through the log.
struct Recheck {
    /// The snapshot after the next batch to be undone.
    after: Arc<Snapshot>,
    containers_since: DateTime<Utc>,
    audit: Audit,
}

impl Recheck {
    /// Undoes batches, the newest first. Returns true if there may be more. Older batches may be pruned meanwhile. A
    /// gap between batches is reported by the check of the chain of revisions.
    fn undo_all(&mut self, batches: &[Committed]) -> Result<bool, RecordError> {
        for committed in batches {
            if committed.batch.revision != self.after.revision() {
                return Ok(false);
            }
            self.undo(committed)?;
        }
        Ok(!batches.is_empty())
    }

    /// Undoes a batch and compares its records with recomputed ones.
    fn undo(&mut self, committed: &Committed) -> Result<(), RecordError> {
        let Committed { batch, changes } = committed;
        let mut draft = Draft::of(&self.after);
        record::apply(&mut draft, changes, Direction::Backward)?;
        let before = draft.finish(Head { revision: batch.revision - 1, batch_id: Uuid::nil(), at: batch.at });
        let touched: Vec<Uuid> = changes.iter().map(|change| change.object_id).collect();
        let derived = record::changes(&before, &self.after, &touched, (&batch.actor, batch.source.as_deref()));
        let derived: HashMap<Uuid, change::Model> =
            derived.into_iter().map(|derived| (derived.object_id, derived)).collect();
        for change in changes {
            self.audit.changes += 1;
            let wrong = self.wrong(change, derived.get(&change.object_id), batch);
            if !wrong.is_empty() {
                let (object, revision) = (format!("{} {}", change.kind, change.name), change.revision);
                self.audit.found(Flaw::Untrue { object, revision, what: wrong });
            }
        }
        self.after = Arc::new(before);
        Ok(())
    }

    /// Returns the parts of a record that differ from the recomputed record.
    fn wrong(
        &self,
        change: &change::Model,
        derived: Option<&change::Model>,
        batch: &batch::Model,
    ) -> Vec<&'static str> {
        let Some(derived) = derived else { return vec!["operation"] };
        let with_containers = batch.at >= self.containers_since;
        let after = self.after.row_of(change.object_id);
        let has_time = after.is_none_or(|row| carries_mark(row.as_ref(), batch));
        let compared = [
            ("name", change.name == derived.name),
            ("actor", change.actor == batch.actor && self.holders_are(change, batch)),
            ("source", change.source == batch.source),
            ("time", change.at == batch.at && has_time),
            (
                "containers, labels or tenant before it",
                same(scope_before(change), scope_before(derived), with_containers),
            ),
            ("containers, labels or tenant after it", same(scope_after(change), scope_after(derived), with_containers)),
        ];
        compared.into_iter().filter(|(_, is_same)| !is_same).map(|(what, _)| what).collect()
    }

    /// Returns true if the author of the batch owns every field and key whose ownership dates from this batch.
    fn holders_are(&self, change: &change::Model, batch: &batch::Model) -> bool {
        let Some(row) = self.after.row_of(change.object_id) else { return true };
        // The log does not say whether the caller was a user or a controller.
        let is_author = |name: &str| match (Manager::read(name), batch.source.as_deref()) {
            (Manager::Source(name), Some(source)) => name == source,
            (Manager::User(name) | Manager::Controller(name), None) => name == batch.actor,
            (Manager::Source(_), None) | (Manager::User(_) | Manager::Controller(_), Some(_)) => false,
        };
        let since = row.common().managers.0.iter().filter(|holding| holding.since == batch.revision);
        since.into_iter().all(|holding| self.after.manager(holding.manager).is_none_or(|name| is_author(name)))
    }
}

/// Returns true if a row carries the mark of the batch that wrote it: its version and time, or only the version of what
/// was reported.
fn carries_mark(row: &dyn Row, batch: &batch::Model) -> bool {
    let common = row.common();
    common.updated_at == batch.at || common.version < batch.revision && row.observed_version() == Some(batch.revision)
}

/// The part of a record that filters refer to.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct RecordedScope {
    labels: Json,
    tenant: Json,
    containers: BTreeSet<Uuid>,
}

/// Returns true if two scopes are equal. A scope that cannot be read equals none.
fn same(one: Option<&str>, other: Option<&str>, with_containers: bool) -> bool {
    let read = |text: Option<&str>| {
        let mut scope = text.map(serde_json::from_str::<RecordedScope>).transpose().ok()?;
        if let (Some(scope), false) = (&mut scope, with_containers) {
            scope.containers.clear();
        }
        Some(scope)
    };
    match (read(one), read(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Returns the scope before a change. If the record omits it, the scope after the change is the same.
fn scope_before(change: &change::Model) -> Option<&str> {
    match change.operation {
        Operation::Created => change.scope_before.as_deref(),
        Operation::Updated | Operation::Deleted => {
            change.scope_before.as_ref().or(change.scope_after.as_ref()).map(String::as_str)
        }
    }
}

fn scope_after(change: &change::Model) -> Option<&str> {
    change.scope_after.as_deref()
}
