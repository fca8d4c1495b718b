//! Keeps older revisions besides the current snapshot, for long reads that must see a single revision.
//!
//! Guarantees: at most [`MAX_PINNED_REVISIONS`] revisions are kept, each for [`PIN_TIMEOUT`] after its last use. If
//! there are more, the caller that uses the most loses the one that it has not used for the longest time, so a caller
//! that pins many takes none from others. A background task drops unused revisions, even if no client reads any more.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::current::retire;
use crate::access::CallerKey;
use underlay_inventory::Snapshot;

/// The maximum number of pinned revisions. An old revision keeps all data alive that has changed since.
pub const MAX_PINNED_REVISIONS: usize = 8;
/// The time after which an unused revision is dropped.
pub const PIN_TIMEOUT: Duration = Duration::from_secs(60);

/// The set of pinned revisions, shared by its clones.
#[derive(Clone, Debug, Default)]
pub struct Pins {
    kept: Arc<Mutex<PinnedSnapshots>>,
}

impl Pins {
    /// Pins a snapshot for a caller, or marks it as used now if it is already pinned.
    pub fn keep(&self, caller: &CallerKey, snapshot: &Arc<Snapshot>) {
        let (begins, dropped) = {
            let mut kept = self.lock();
            let dropped = kept.keep(caller, snapshot, Instant::now());
            (!std::mem::replace(&mut kept.swept, true), dropped)
        };
        dropped.into_iter().for_each(retire);
        if begins {
            tokio::spawn(self.clone().drop_unused());
        }
    }

    /// Returns the snapshot of a revision if it is pinned, and marks it as used by a caller now.
    pub fn get(&self, caller: &CallerKey, revision: i64) -> Option<Arc<Snapshot>> {
        self.lock().get(caller, revision, Instant::now())
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
    /// The callers that use it, each with the time of its last use: at least one.
    users: Vec<(CallerKey, Instant)>,
}

impl Pin {
    fn mark(&mut self, caller: &CallerKey, now: Instant) {
        match self.users.iter_mut().find(|(user, _)| user == caller) {
            Some((_, used)) => *used = now,
            None => self.users.push((caller.clone(), now)),
        }
    }

    /// Returns the time of the last use by a caller.
    fn used_by(&self, caller: &CallerKey) -> Option<Instant> {
        self.users.iter().find(|(user, _)| user == caller).map(|(_, used)| *used)
    }

    fn is_unused(&self, now: Instant) -> bool {
        self.users.iter().all(|(_, used)| now.saturating_duration_since(*used) >= PIN_TIMEOUT)
    }
}

impl PinnedSnapshots {
    /// Pins a snapshot for a caller and returns the snapshots that were dropped to make room.
    fn keep(&mut self, caller: &CallerKey, snapshot: &Arc<Snapshot>, now: Instant) -> Vec<Arc<Snapshot>> {
        if let Some(pin) = self.pins.iter_mut().find(|pin| pin.snapshot.head() == snapshot.head()) {
            pin.mark(caller, now);
            return Vec::new();
        }
        let mut dropped = self.expire(now);
        // A snapshot with the same number from another history, after a database was restored.
        dropped.extend(self.take(|pin| pin.snapshot.revision() == snapshot.revision()));
        while self.pins.len() >= MAX_PINNED_REVISIONS
            && let Some(greedy) = self.greediest(caller)
        {
            self.give_up_oldest(&greedy);
            dropped.extend(self.take(|pin| pin.users.is_empty()));
        }
        self.pins.push(Pin { snapshot: Arc::clone(snapshot), users: vec![(caller.clone(), now)] });
        dropped
    }

    /// Returns the caller that uses the most revisions, with one more for `next`. Among equals, it is the one with the
    /// least recently used revision.
    fn greediest(&self, next: &CallerKey) -> Option<CallerKey> {
        let mut callers: HashMap<&CallerKey, (usize, Instant)> = HashMap::new();
        for (caller, used) in self.pins.iter().flat_map(|pin| &pin.users) {
            let (count, oldest) = callers.entry(caller).or_insert((usize::from(caller == next), *used));
            (*count, *oldest) = (*count + 1, (*oldest).min(*used));
        }
        let greediest = callers.into_iter().max_by_key(|(_, (count, oldest))| (*count, Reverse(*oldest)));
        greediest.map(|(caller, _)| caller.clone())
    }

    /// Takes the least recently used revision from a caller.
    fn give_up_oldest(&mut self, caller: &CallerKey) {
        let used = self.pins.iter_mut().filter_map(|pin| Some((pin.used_by(caller)?, pin)));
        if let Some((_, pin)) = used.min_by_key(|(used, _)| *used) {
            pin.users.retain(|(user, _)| user != caller);
        }
    }

    fn get(&mut self, caller: &CallerKey, revision: i64, now: Instant) -> Option<Arc<Snapshot>> {
        let fresh = |pin: &&mut Pin| !pin.is_unused(now);
        let pin = self.pins.iter_mut().find(|pin| pin.snapshot.revision() == revision).filter(fresh)?;
        pin.mark(caller, now);
        Some(Arc::clone(&pin.snapshot))
    }

    fn expire(&mut self, now: Instant) -> Vec<Arc<Snapshot>> {
        self.take(|pin| pin.is_unused(now))
    }

    fn take(&mut self, which: impl Fn(&Pin) -> bool) -> Vec<Arc<Snapshot>> {
        self.pins.extract_if(.., |pin| which(pin)).map(|pin| pin.snapshot).collect()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::access::Caller;
    use crate::feed::current::tests::snapshot;

    fn caller(name: &str) -> CallerKey {
        Caller::named(name).key()
    }

    #[test]
    fn a_revision_is_kept_as_long_as_it_is_used() {
        let (mut kept, start) = (PinnedSnapshots::default(), Instant::now());
        let (one, other) = (caller("one"), caller("other"));
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        kept.keep(&one, &snapshot(1, 1), at(0));
        kept.keep(&one, &snapshot(1, 1), at(30));
        assert_eq!(kept.pins.len(), 1, "it is here already");
        assert!(kept.get(&one, 2, at(30)).is_none());
        assert!(kept.get(&other, 1, at(89)).is_some(), "used 59 s ago, by another caller");
        assert!(kept.expire(at(148)).is_empty());
        assert!(kept.get(&one, 1, at(149)).is_none(), "unused for 60 s, even before it is dropped");
        assert_eq!(kept.expire(at(149)).len(), 1);
    }

    #[test]
    fn only_so_many_are_kept_and_the_longest_unused_goes() {
        let (mut kept, start, one) = (PinnedSnapshots::default(), Instant::now(), caller("one"));
        let at = |millis: u64| start + Duration::from_millis(millis);
        for revision in 1..=MAX_PINNED_REVISIONS as i64 {
            assert!(kept.keep(&one, &snapshot(revision, 1), at(revision as u64)).is_empty());
        }
        assert!(kept.get(&one, 1, at(100)).is_some());
        let dropped = kept.keep(&one, &snapshot(99, 1), at(101));
        assert_eq!(dropped.iter().map(|it| it.revision()).collect::<Vec<_>>(), [2]);
        assert_eq!(kept.pins.len(), MAX_PINNED_REVISIONS);
        // A snapshot with the same number from another history replaces the old one.
        let dropped = kept.keep(&one, &snapshot(99, 2), at(102));
        assert_eq!(dropped.len(), 1);
        assert_eq!(kept.get(&one, 99, at(103)).map(|it| it.head().batch_id), Some(Uuid::from_u128(2)));
    }

    #[test]
    fn a_caller_with_many_revisions_takes_none_from_others() {
        let (mut kept, start) = (PinnedSnapshots::default(), Instant::now());
        let [few, many, third] = ["few", "many", "third"].map(caller);
        let at = |millis: u64| start + Duration::from_millis(millis);
        kept.keep(&few, &snapshot(1, 1), at(0));
        kept.keep(&few, &snapshot(2, 1), at(1));
        for revision in 3..50 {
            kept.keep(&many, &snapshot(revision, 1), at(revision as u64));
        }
        // It also uses those of others, which does not make them its own.
        assert!(kept.get(&many, 1, at(60)).is_some());
        for revision in 50..60 {
            kept.keep(&many, &snapshot(revision, 1), at(revision as u64 + 20));
        }
        assert!(kept.get(&few, 1, at(90)).is_some() && kept.get(&few, 2, at(90)).is_some());
        kept.keep(&third, &snapshot(60, 1), at(91));
        let held: Vec<i64> = kept.pins.iter().map(|pin| pin.snapshot.revision()).collect();
        assert_eq!(held, [1, 2, 55, 56, 57, 58, 59, 60], "the newcomer's place was one of the many");
    }
}
