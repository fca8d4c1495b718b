//! The runs of sources: what a synchronizer writes, what it no longer has, and the guard that bounds what a source may
//! take away.
//!
//! A synchronizer starts a run, writes batches in it, names what it saw, and settles it. Only a settled full run
//! removes objects, and the server works out which. Everything that the runs of a source remove or empty within 24
//! hours counts against the limits of the source. Beyond them the run is held until an operator approves or rejects it.
//!
//! Guarantees: the calls for one source are judged one after the other, also by several processes. The counts of a run,
//! what it saw and the ledger are stored in the transaction of the batch that they describe. A run that was not
//! reported complete removes nothing. All times are the database's. Nothing in this module knows a kind by name: the
//! kind whose objects stand for sources is given as a [`SourceRole`].

mod along;
mod approve;
mod attend;
mod error;
mod failures;
mod fate;
mod guard;
mod keep;
mod load;
mod merged;
mod missing;
mod put_back;
mod removals;
mod remove;
mod renumbered;
mod report;
mod retire;
mod role;
mod settle;
pub mod source_metrics;
mod start;
mod timing;
mod write;

pub use error::RunError;
pub use guard::{Limits, Tally, allowance, fits};
pub use keep::{health, keep_healthy};
pub use report::{Counts, Report, Resend, SeenIds};
pub use role::{Health, Prune, Settings, SourceRole};
pub use settle::Extent;
pub use start::StartRun;
pub use timing::Timing;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::sync::Notify;
use uuid::Uuid;

use self::merged::Replacements;
use self::source_metrics::Measured;
use crate::feed::CurrentSnapshot;
use crate::store::Store;
use crate::write::{Batch, WriteAnswer, Writer};
use underlay_inventory::Refusal;

/// The number of times that a call is judged again because another process was faster.
const MAX_ATTEMPTS: usize = 8;

/// The way to write: in runs of sources, and outside of them. Clones share their turns.
#[derive(Clone, Debug)]
pub struct Sources(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    current: CurrentSnapshot,
    writer: Writer,
    role: SourceRole,
    timing: Timing,
    /// The turn of each source in this process. There are at most as many as sources.
    turns: Mutex<HashMap<Uuid, Arc<tokio::sync::Mutex<()>>>>,
    /// The values that the runs of each source replaced lately. There are at most as many as sources.
    replacements: Mutex<HashMap<Uuid, Arc<Mutex<Replacements>>>>,
    /// The state of each source, by name.
    measured: Mutex<BTreeMap<String, Measured>>,
    /// Notified when a run has ended that the health of its source can follow from.
    run_ended: Notify,
}

impl Sources {
    /// Creates the way to write.
    pub fn new(store: Store, current: CurrentSnapshot, writer: Writer, role: SourceRole, timing: Timing) -> Self {
        Self(Arc::new(Inner {
            store,
            current,
            writer,
            role,
            timing,
            turns: Mutex::default(),
            replacements: Mutex::default(),
            measured: Mutex::default(),
            run_ended: Notify::new(),
        }))
    }

    /// Returns the database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Writes a batch that belongs to no run.
    ///
    /// # Errors
    /// Returns the errors of [`Writer::write`].
    pub async fn write_alone(&self, batch: Batch) -> Result<WriteAnswer, Refusal> {
        self.0.writer.write(batch).await
    }

    /// Plans a batch that belongs to no run, and writes nothing.
    ///
    /// # Errors
    /// Returns the errors of [`Writer::dry_run`].
    pub async fn dry_run_alone(&self, batch: Batch) -> Result<WriteAnswer, Refusal> {
        self.0.writer.dry_run(batch).await
    }

    /// Returns the id of the history of the database.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn history(&self) -> Result<Uuid, RunError> {
        Ok(self.0.store.history().await?)
    }

    /// Returns the current snapshot.
    pub fn current(&self) -> Arc<underlay_inventory::Snapshot> {
        self.0.current.get()
    }

    /// Waits until this process has a revision, but at most for `longest`. Returns the current snapshot in both cases.
    pub async fn caught_up(&self, revision: i64, longest: Duration) -> Arc<underlay_inventory::Snapshot> {
        self.0.current.wait_for(revision, longest).await
    }

    /// Waits for the turn of a call that chooses objects before it writes, so that such calls of this process do not
    /// choose the same ones. The turn ends when the guard is dropped.
    pub async fn choosing(&self) -> tokio::sync::OwnedMutexGuard<()> {
        // No source has this id.
        self.turn(Uuid::nil()).await
    }

    /// Returns the values that the runs of a source replaced lately, as far as this process knows.
    fn replacements(&self, source: Uuid) -> Arc<Mutex<Replacements>> {
        let mut all = self.0.replacements.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry(source).or_default())
    }

    /// Waits for the turn of a source in this process.
    async fn turn(&self, source: Uuid) -> tokio::sync::OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(source).or_default())
        };
        turn.lock_owned().await
    }
}

/// Returns the digest of a thing that a source has: its kind and its external id.
fn digest(kind: &str, external_id: &str) -> Uuid {
    let mut digest = Sha256::new();
    digest.update(kind.as_bytes());
    digest.update([0]);
    digest.update(external_id.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest.finalize()[..16]);
    Uuid::from_bytes(bytes)
}
