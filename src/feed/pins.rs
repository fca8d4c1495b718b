//! Keeps older revisions besides the current snapshot, for long reads that must see a single revision.
//!
//! Guarantees: at most [`MOST_PINNED`] revisions are kept, each for [`PIN_TIMEOUT`] after its last use. A background
//! task drops unused revisions, even if no client reads any more.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::current::retire;
use underlay_inventory::Snapshot;

/// The maximum number of pinned revisions. An old revision keeps all data alive that has changed since.
pub const MOST_PINNED: usize = 8;
/// The time after which an unused revision is dropped.
pub const PIN_TIMEOUT: Duration = Duration::from_secs(60);

/// The set of pinned revisions, shared by its clones.
#[derive(Clone, Debug, Default)]
pub struct Pins {
    kept: Arc<Mutex<PinnedSnapshots>>,
}

impl Pins {
    /// Pins a snapshot, or marks it as used now if it is already pinned.
    pub fn keep(&self, snapshot: &Arc<Snapshot>) {
        let (begins, dropped) = {
            let mut kept = self.lock();
            let dropped = kept.keep(snapshot, Instant::now());
            (!std::mem::replace(&mut kept.swept, true), dropped)
        };
        dropped.into_iter().for_each(retire);
        if begins {
            tokio::spawn(self.clone().drop_unused());
        }
    }

    /// Returns the snapshot of a revision if it is pinned, and marks it as used now.
    pub fn get(&self, revision: i64) -> Option<Arc<Snapshot>> {
        self.lock().get(revision, Instant::now())
    }

    /// Drops unused revisions until none is left.
    async fn drop_unused(self) {
        loop {
            tokio::time::sleep(PIN_TIMEOUT).await;
            let (goes_on, dropped) = {
                let mut kept = self.lock();
                let dropped = kept.expire(Instant::now());
                kept.swept = !kept.pins.is_empty();
                (kept.swept, dropped)
            };
            dropped.into_iter().for_each(retire);
            if !goes_on {
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, PinnedSnapshots> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Default)]
struct PinnedSnapshots {
    pins: Vec<Pin>,
    /// True if a background task drops unused revisions.
    swept: bool,
}

#[derive(Debug)]
struct Pin {
    snapshot: Arc<Snapshot>,
    used: Instant,
}

impl PinnedSnapshots {
    /// Pins a snapshot and returns the snapshots that were dropped to make room.
    fn keep(&mut self, snapshot: &Arc<Snapshot>, now: Instant) -> Vec<Arc<Snapshot>> {
        if let Some(pin) = self.pins.iter_mut().find(|pin| pin.snapshot.head() == snapshot.head()) {
            pin.used = now;
            return Vec::new();
        }
        let mut dropped = self.expire(now);
        // A snapshot with the same number from another history, after a database was restored.
        dropped.extend(self.take(|pin| pin.snapshot.revision() == snapshot.revision()));
        if self.pins.len() >= MOST_PINNED
            && let Some(oldest) = self.pins.iter().map(|pin| pin.used).min()
        {
            dropped.extend(self.take(|pin| pin.used == oldest));
        }
        self.pins.push(Pin { snapshot: Arc::clone(snapshot), used: now });
        dropped
    }

    fn get(&mut self, revision: i64, now: Instant) -> Option<Arc<Snapshot>> {
        let fresh = |pin: &&mut Pin| now.saturating_duration_since(pin.used) < PIN_TIMEOUT;
        let pin = self.pins.iter_mut().find(|pin| pin.snapshot.revision() == revision).filter(fresh)?;
        pin.used = now;
        Some(Arc::clone(&pin.snapshot))
    }

    fn expire(&mut self, now: Instant) -> Vec<Arc<Snapshot>> {
        self.take(|pin| now.saturating_duration_since(pin.used) >= PIN_TIMEOUT)
    }

    fn take(&mut self, which: impl Fn(&Pin) -> bool) -> Vec<Arc<Snapshot>> {
        self.pins.extract_if(.., |pin| which(pin)).map(|pin| pin.snapshot).collect()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::feed::current::tests::snapshot;

    #[test]
    fn a_revision_is_kept_as_long_as_it_is_used() {
        let (mut kept, start) = (PinnedSnapshots::default(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        kept.keep(&snapshot(1, 1), at(0));
        kept.keep(&snapshot(1, 1), at(30));
        assert_eq!(kept.pins.len(), 1, "it is here already");
        assert!(kept.get(2, at(30)).is_none());
        assert!(kept.get(1, at(89)).is_some(), "used 59 s ago");
        assert!(kept.expire(at(148)).is_empty());
        assert!(kept.get(1, at(149)).is_none(), "unused for 60 s, even before it is dropped");
        assert_eq!(kept.expire(at(149)).len(), 1);
    }

    #[test]
    fn only_so_many_are_kept_and_the_longest_unused_goes() {
        let (mut kept, start) = (PinnedSnapshots::default(), Instant::now());
        let at = |millis: u64| start + Duration::from_millis(millis);
        for revision in 1..=MOST_PINNED as i64 {
            assert!(kept.keep(&snapshot(revision, 1), at(revision as u64)).is_empty());
        }
        assert!(kept.get(1, at(100)).is_some());
        let dropped = kept.keep(&snapshot(99, 1), at(101));
        assert_eq!(dropped.iter().map(|it| it.revision()).collect::<Vec<_>>(), [2]);
        assert_eq!(kept.pins.len(), MOST_PINNED);
        // A snapshot with the same number from another history replaces the old one.
        let dropped = kept.keep(&snapshot(99, 2), at(102));
        assert_eq!(dropped.len(), 1);
        assert_eq!(kept.get(99, at(103)).map(|it| it.head().batch_id), Some(Uuid::from_u128(2)));
    }
}
