//! Revisions that are kept beside the newest value, for reads that take long and must be of one revision.
//!
//! Guarantees: at most [`MOST_PINNED`] are kept, each for [`LONGEST_UNUSED`] after it was last used; what is dropped
//! is dropped also when nobody reads any more.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::newest::retire;
use crate::inventory::Snapshot;

/// How many revisions are kept: an old one holds on to what has changed since.
pub const MOST_PINNED: usize = 8;
/// How long a revision is kept that nobody uses.
pub const LONGEST_UNUSED: Duration = Duration::from_secs(60);

/// The revisions that are kept.
#[derive(Clone, Debug, Default)]
pub struct Pins {
    kept: Arc<Mutex<Kept>>,
}

impl Pins {
    /// Keeps a value, or goes on keeping it.
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

    /// The value of a revision, if it is kept. It is used now.
    pub fn get(&self, revision: i64) -> Option<Arc<Snapshot>> {
        self.lock().get(revision, Instant::now())
    }

    /// Drops what nobody uses, until nothing is kept.
    async fn drop_unused(self) {
        loop {
            tokio::time::sleep(LONGEST_UNUSED).await;
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

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Default)]
struct Kept {
    pins: Vec<Pin>,
    /// Whether somebody comes by to drop what is not used.
    swept: bool,
}

#[derive(Debug)]
struct Pin {
    snapshot: Arc<Snapshot>,
    used: Instant,
}

impl Kept {
    /// Keeps a value; gives what had to go for it.
    fn keep(&mut self, snapshot: &Arc<Snapshot>, now: Instant) -> Vec<Arc<Snapshot>> {
        if let Some(pin) = self.pins.iter_mut().find(|pin| pin.snapshot.head() == snapshot.head()) {
            pin.used = now;
            return Vec::new();
        }
        let mut dropped = self.expire(now);
        // The same number in another history, after a database was restored.
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
        let fresh = |pin: &&mut Pin| now.saturating_duration_since(pin.used) < LONGEST_UNUSED;
        let pin = self.pins.iter_mut().find(|pin| pin.snapshot.revision() == revision).filter(fresh)?;
        pin.used = now;
        Some(Arc::clone(&pin.snapshot))
    }

    fn expire(&mut self, now: Instant) -> Vec<Arc<Snapshot>> {
        self.take(|pin| now.saturating_duration_since(pin.used) >= LONGEST_UNUSED)
    }

    fn take(&mut self, which: impl Fn(&Pin) -> bool) -> Vec<Arc<Snapshot>> {
        self.pins.extract_if(.., |pin| which(pin)).map(|pin| pin.snapshot).collect()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::feed::newest::tests::value;

    #[test]
    fn a_revision_is_kept_as_long_as_it_is_used() {
        let (mut kept, start) = (Kept::default(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        kept.keep(&value(1, 1), at(0));
        kept.keep(&value(1, 1), at(30));
        assert_eq!(kept.pins.len(), 1, "it is here already");
        assert!(kept.get(2, at(30)).is_none());
        assert!(kept.get(1, at(89)).is_some(), "used 59 s ago");
        assert!(kept.expire(at(148)).is_empty());
        assert!(kept.get(1, at(149)).is_none(), "unused for 60 s, even before it is dropped");
        assert_eq!(kept.expire(at(149)).len(), 1);
    }

    #[test]
    fn only_so_many_are_kept_and_the_longest_unused_goes() {
        let (mut kept, start) = (Kept::default(), Instant::now());
        let at = |millis: u64| start + Duration::from_millis(millis);
        for revision in 1..=MOST_PINNED as i64 {
            assert!(kept.keep(&value(revision, 1), at(revision as u64)).is_empty());
        }
        assert!(kept.get(1, at(100)).is_some());
        let dropped = kept.keep(&value(99, 1), at(101));
        assert_eq!(dropped.iter().map(|it| it.revision()).collect::<Vec<_>>(), [2]);
        assert_eq!(kept.pins.len(), MOST_PINNED);
        // The same number in another history takes the place of the old one.
        let dropped = kept.keep(&value(99, 2), at(102));
        assert_eq!(dropped.len(), 1);
        assert_eq!(kept.get(99, at(103)).map(|it| it.head().batch_id), Some(Uuid::from_u128(2)));
    }
}
