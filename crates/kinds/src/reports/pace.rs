//! The pace of reports: one change a second of each host, after a burst that an order with all its steps needs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use foldhash::HashMap;
use uuid::Uuid;

/// The number of changes of a host that may come at once.
const BURST_CHANGES: f64 = 20.0;
/// The least number of hosts at which those are forgotten that have their whole burst again.
const MIN_HOSTS_TO_PRUNE: usize = 10_000;

/// The changes that hosts still have. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct ReportPace(Arc<Mutex<Hosts>>);

#[derive(Debug)]
struct Hosts {
    left: HashMap<Uuid, Left>,
    /// The number of hosts at which hosts are forgotten next. It is twice what was kept, so that a look at all hosts is
    /// rare, however many report at the same time.
    forget_at: usize,
}

impl Default for Hosts {
    fn default() -> Self {
        Self { left: HashMap::default(), forget_at: MIN_HOSTS_TO_PRUNE }
    }
}

#[derive(Clone, Copy, Debug)]
struct Left {
    changes: f64,
    at: Instant,
}

impl Left {
    /// Returns what is left at a later time: one more each second.
    fn later(self, now: Instant) -> f64 {
        (self.changes + now.saturating_duration_since(self.at).as_secs_f64()).min(BURST_CHANGES)
    }
}

impl ReportPace {
    /// Takes one of the changes that a host may have now.
    ///
    /// # Errors
    /// Returns the time after which it may have another one.
    pub fn take(&self, host: Uuid, now: Instant) -> Result<(), Duration> {
        // A thread that panicked while it held the lock left nothing half done.
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.left.len() >= hosts.forget_at {
            hosts.left.retain(|_, left| left.later(now) < BURST_CHANGES);
            hosts.forget_at = MIN_HOSTS_TO_PRUNE.max(hosts.left.len() * 2);
        }
        let left = hosts.left.entry(host).or_insert(Left { changes: BURST_CHANGES, at: now });
        let changes = left.later(now);
        if changes < 1.0 {
            return Err(Duration::from_secs_f64(1.0 - changes));
        }
        *left = Left { changes: changes - 1.0, at: now };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_burst_and_then_one_change_a_second() {
        let (pace, start) = (ReportPace::default(), Instant::now());
        let host = Uuid::from_u128(1);
        let taken = (0..100).filter(|_| pace.take(host, start).is_ok()).count();
        assert_eq!(taken, BURST_CHANGES as usize);
        assert!(pace.take(Uuid::from_u128(2), start).is_ok(), "each host by itself");
        let mut later = 0;
        for tenth in 0..100 {
            later += usize::from(pace.take(host, start + Duration::from_millis(100 * tenth)).is_ok());
        }
        assert_eq!(later, 9, "one a second");
        let rested = start + Duration::from_secs(1_000);
        assert_eq!((0..100).filter(|_| pace.take(host, rested).is_ok()).count(), BURST_CHANGES as usize);
    }

    #[test]
    fn hosts_that_rest_are_forgotten_and_the_others_are_not() {
        let (pace, start) = (ReportPace::default(), Instant::now());
        let take = |hosts: std::ops::Range<usize>, at| {
            hosts.for_each(|host| {
                let _ = pace.take(Uuid::from_u128(host as u128), at);
            });
        };
        let known = || pace.0.lock().expect("no thread panicked").left.len();
        take(0..3 * MIN_HOSTS_TO_PRUNE, start);
        assert_eq!(known(), 3 * MIN_HOSTS_TO_PRUNE, "all are at work");
        let later = start + Duration::from_secs(60);
        take(3 * MIN_HOSTS_TO_PRUNE..5 * MIN_HOSTS_TO_PRUNE, later);
        assert_eq!(known(), 2 * MIN_HOSTS_TO_PRUNE, "the first ones rest");
    }
}
