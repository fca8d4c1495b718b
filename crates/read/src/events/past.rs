//! The snapshots of old revisions for one subscription, which a walk through the log computes.
//!
//! Guarantee: a walk has a place among those of all subscriptions as long as it exists, because its snapshot shares
//! little with the current one. A subscription that goes on to the next old revision goes on with its walk. One that
//! does not for [`IDLE_TIMEOUT`], because its client reads slowly, loses it with what it found, so that others can
//! walk. A walk is a task of its own, so its place never waits for a client.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::task::JoinHandle;

use underlay_engine::access::CallerKey;
use underlay_engine::feed::{Walk, WalkError};
use underlay_engine::runtime::{FairSemaphore, Permit};
use underlay_engine::store::{Store, StoreError};
use underlay_inventory::Snapshot;

/// The maximum number of changes that are applied or undone to compute the snapshot of an old revision.
const MAX_UNDONE_CHANGES: usize = 100_000;
/// The time for which a walk is kept without being used.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);

/// The snapshots before and after a revision.
pub type Around = (Arc<Snapshot>, Arc<Snapshot>);

/// The old snapshots of one subscription.
pub struct Past {
    places: FairSemaphore<CallerKey>,
    caller: CallerKey,
    kept: Arc<Mutex<Kept>>,
    /// The task that computes the snapshots around a revision.
    walking: Option<(i64, Walking)>,
}

/// The walk between two uses.
#[derive(Default)]
struct Kept {
    walk: Option<PlacedWalk>,
    /// The number of uses.
    uses: u64,
}

/// A walk with its place, and the snapshots around the revision that it reached, until they are taken.
struct PlacedWalk {
    walk: Walk,
    found: Option<(i64, Around)>,
    _place: Permit<CallerKey>,
}

/// A task that ends when this is dropped.
struct Walking(JoinHandle<Result<(), WalkError>>);

impl Drop for Walking {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Past {
    /// Creates the old snapshots of a subscription of a caller, of which there are none yet.
    pub fn new((places, caller): (FairSemaphore<CallerKey>, CallerKey)) -> Self {
        Self { places, caller, kept: Arc::default(), walking: None }
    }

    /// Returns the snapshots around an old revision. A walk begins at the current snapshot. The future may be dropped:
    /// the walk goes on, and the next call for the revision waits for it.
    ///
    /// # Errors
    /// Returns the errors of [`Walk::to`].
    pub async fn around(&mut self, revision: i64, log: &Store, current: Arc<Snapshot>) -> Result<Around, WalkError> {
        loop {
            if self.walking.as_ref().is_none_or(|(of, _)| *of != revision) {
                let (kept, places) = (Arc::clone(&self.kept), (self.places.clone(), self.caller.clone()));
                let walk = walk(kept, places, log.clone(), Arc::clone(&current), revision);
                self.walking = Some((revision, Walking(tokio::spawn(walk))));
            }
            if let Some((_, walking)) = &mut self.walking {
                let walked = (&mut walking.0).await;
                self.walking = None;
                walked.map_err(|error| StoreError::Unreadable(error.to_string()))??;
            }
            let found = lock(&self.kept).walk.as_mut().and_then(|placed| placed.found.take());
            // It is gone if it was not taken for long.
            if let Some((_, around)) = found.filter(|(of, _)| *of == revision) {
                return Ok(around);
            }
        }
    }
}

/// Walks to a revision, with the walk that is kept or in a place of its own.
async fn walk(
    kept: Arc<Mutex<Kept>>,
    (places, caller): (FairSemaphore<CallerKey>, CallerKey),
    log: Store,
    current: Arc<Snapshot>,
    revision: i64,
) -> Result<(), WalkError> {
    let known = lock(&kept).walk.take();
    let mut placed = match known {
        Some(placed) => placed,
        None => {
            let place = places.acquire(caller).await;
            PlacedWalk { walk: Walk::begin(log, current, MAX_UNDONE_CHANGES), found: None, _place: place }
        }
    };
    let before = placed.walk.to(revision - 1).await?;
    placed.found = Some((revision, (before, placed.walk.to(revision).await?)));
    let uses = {
        let mut kept = lock(&kept);
        kept.walk = Some(placed);
        kept.uses += 1;
        kept.uses
    };
    tokio::spawn(drop_idle(Arc::downgrade(&kept), uses));
    Ok(())
}

/// Drops a walk that was not used again.
async fn drop_idle(kept: Weak<Mutex<Kept>>, uses: u64) {
    tokio::time::sleep(IDLE_TIMEOUT).await;
    let Some(kept) = kept.upgrade() else { return };
    let idle = {
        let mut kept = lock(&kept);
        if kept.uses == uses { kept.walk.take() } else { None }
    };
    drop(idle);
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
