//! Keeps the process in step with the database: loads the whole inventory, and takes over what other processes wrote.
//!
//! Guarantees: a snapshot either advances batch by batch or is loaded afresh. It is loaded afresh if the database has
//! another history, such as a restored backup, or if the log does not fit.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::Notify;

use super::current::CurrentSnapshot;
use super::follower_metrics;
use super::record::{self, Direction, RecordError};
use super::ring::Revised;
use crate::runtime::BackOff;
use crate::store::{Loaded, Store, StoreError};
use underlay_inventory::{BuildError, Draft, Head, Registry, Snapshot};

/// The number of batches that are taken over at a time.
const BATCHES_PER_STEP: u64 = 100;
/// The maximum number of fresh loads in one catch-up. Each is needed because the database changed its history
/// meanwhile.
const MAX_LOADS: usize = 3;

/// The maximum number of load retries while other processes write.
const MAX_LOAD_RETRIES: usize = 20;

/// The time between two polls for the writes of other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The upper limit of the wait while the database does not answer, before the random part of up to as much.
const MAX_POLL_INTERVAL: Duration = Duration::from_secs(3);

/// An error that keeps this process from getting in step with its database.
#[derive(Debug, Error)]
pub enum FollowError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error("the history of the database changes faster than it can be read")]
    Restless,
}

/// Loads the whole inventory as of one revision.
pub async fn load(store: &Store, registry: &Arc<Registry>) -> Result<Snapshot, FollowError> {
    let loaded = load_rows(store).await?;
    let registry = Arc::clone(registry);
    let built = tokio::task::spawn_blocking(move || build(registry, loaded));
    built.await.map_err(|error| StoreError::Unreadable(error.to_string()))?
}

/// Loads all rows as of one revision, in the order of the registry. Retries while other processes write.
pub async fn load_rows(store: &Store) -> Result<Loaded, StoreError> {
    let mut tries = 0;
    loop {
        match store.load().await {
            // Another process wrote between the starts of the two transactions of the load, which are a moment apart.
            Err(StoreError::Overtaken(_)) if tries < MAX_LOAD_RETRIES => tries += 1,
            loaded => return loaded,
        }
    }
}

/// Builds a snapshot from rows that were loaded.
pub fn build(registry: Arc<Registry>, loaded: Loaded) -> Result<Snapshot, FollowError> {
    let head = loaded.revision.map(|row| Head { revision: row.number, batch_id: row.batch_id, at: row.at });
    let head = head.unwrap_or_else(|| Snapshot::empty(Arc::clone(&registry)).head());
    let managers = loaded.managers.into_iter().map(|manager| (manager.id, manager.name));
    Ok(Snapshot::build(registry, managers, loaded.rows, head)?)
}

/// Brings the current snapshot in step with the database and returns it. The snapshot takes over the batches that were
/// written since. It is loaded afresh if the database has another history (a restored backup) or no longer holds those
/// batches.
///
/// # Errors
/// Returns an error if the database does not answer, holds data that this version cannot read, or changes its history
/// repeatedly.
pub async fn catch_up(store: &Store, current: &CurrentSnapshot) -> Result<Arc<Snapshot>, FollowError> {
    let mut loads = 0;
    loop {
        let from = current.get();
        match step(store, &from).await? {
            Step::Current => return Ok(from),
            Step::Behind { revisions, .. } => drop(current.follow(&from, revisions)),
            Step::Foreign(_) if loads == MAX_LOADS => return Err(FollowError::Restless),
            Step::Foreign(snapshot) => {
                loads += 1;
                current.replace(&from, snapshot);
            }
        }
    }
}

/// The relation of a snapshot to the database.
enum Step {
    /// The snapshot is what the database holds.
    Current,
    /// The snapshot is behind. `revisions` follow it, and `left` further revisions remain after them.
    Behind { revisions: Vec<Revised>, left: i64 },
    /// The snapshot belongs to another history or does not fit the log. This replacement was loaded afresh.
    Foreign(Arc<Snapshot>),
}

async fn step(store: &Store, from: &Arc<Snapshot>) -> Result<Step, FollowError> {
    let last = store.last_revision().await?;
    if last == (from.head().revision, from.head().batch_id) {
        return Ok(Step::Current);
    }
    match follow(store, from, last.0).await {
        Ok(Some(revisions)) => {
            let left = revisions.last().map_or(0, |it| last.0 - it.head().revision);
            Ok(Step::Behind { revisions, left })
        }
        Ok(None) => Ok(Step::Foreign(Arc::new(load(store, from.registry()).await?))),
        Err(FollowError::Record(error @ RecordError::Content { .. })) => {
            tracing::error!("the change log does not fit what this process holds, which is loaded afresh: {error}");
            Ok(Step::Foreign(Arc::new(load(store, from.registry()).await?)))
        }
        Err(error) => Err(error),
    }
}

/// Takes over a few batches. Returns `None` if they do not follow the snapshot.
async fn follow(store: &Store, snapshot: &Arc<Snapshot>, last: i64) -> Result<Option<Vec<Revised>>, FollowError> {
    let head = snapshot.head();
    let same_history = head.revision == 0
        || match store.batch_id(head.revision).await? {
            Some(batch_id) => batch_id == head.batch_id,
            None => false,
        };
    if last <= head.revision || !same_history {
        return Ok(None);
    }
    let batches = store.batches_after(head.revision, BATCHES_PER_STEP).await?;
    if batches.first().is_none_or(|first| first.batch.revision != head.revision + 1) {
        return Ok(None);
    }
    let managers = store.managers().await?;
    let snapshot = Arc::clone(snapshot);
    let applied = tokio::task::spawn_blocking(move || {
        let mut snapshot = snapshot;
        let mut revisions = Vec::with_capacity(batches.len());
        for committed in batches {
            let mut draft = Draft::of(&snapshot);
            managers.iter().for_each(|manager| draft.add_manager(manager.id, &manager.name));
            record::apply(&mut draft, &committed.changes, Direction::Forward)?;
            let batch = committed.batch;
            let head = Head { revision: batch.revision, batch_id: batch.batch_id, at: batch.at };
            let before = std::mem::replace(&mut snapshot, Arc::new(draft.finish(head)));
            revisions.push(Revised { before, after: Arc::clone(&snapshot), changes: Arc::new(committed.changes) });
        }
        Ok::<_, RecordError>(revisions)
    });
    Ok(Some(applied.await.map_err(|error| StoreError::Unreadable(error.to_string()))??))
}

/// Keeps the current snapshot in step with the database, because other processes write to it too. Never returns. It
/// polls whenever `wake` is notified, and at least every second.
pub async fn keep_up(store: Store, current: CurrentSnapshot, wake: Arc<Notify>) {
    let (mut pause, mut failures) = (POLL_INTERVAL, BackOff::new(POLL_INTERVAL, MAX_POLL_INTERVAL));
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            // While the database does not answer, notifications are ignored.
            () = wake.notified(), if pause == POLL_INTERVAL => {}
        }
        let from = current.get();
        // If this reading of the clock fails, the previous one stays valid. The step below reports the failure.
        let _ = store.read_clock().await;
        match step(&store, &from).await {
            Ok(step) => {
                pause = POLL_INTERVAL;
                failures.succeeded();
                match step {
                    Step::Current => follower_metrics::behind(0),
                    Step::Behind { revisions, left } => {
                        current.follow(&from, revisions);
                        follower_metrics::behind(left);
                        pause = if left > 0 { Duration::ZERO } else { POLL_INTERVAL };
                    }
                    Step::Foreign(snapshot) => {
                        tracing::warn!(revision = snapshot.revision(), "the database has another history");
                        current.replace(&from, snapshot);
                        follower_metrics::behind(0);
                    }
                }
            }
            Err(error) => {
                pause = failures.failed();
                tracing::warn!("this process is behind the database: {error}");
            }
        }
    }
}
