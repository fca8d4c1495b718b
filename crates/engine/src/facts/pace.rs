//! The bound on how often the facts of a host may change. Facts that stay as they are do not count.

use std::time::{Duration, Instant};

use foldhash::HashMap;
use uuid::Uuid;

use super::FactsError;

/// The number of changed reports of a host that are accepted within a period.
const MAX_CHANGES: u32 = 10;

/// The changed reports of hosts within the last period.
#[derive(Debug)]
pub(super) struct Pace {
    period: Duration,
    hosts: HashMap<Uuid, Window>,
}

/// A period of one host, which begins with a report.
#[derive(Clone, Copy, Debug)]
struct Window {
    began: Instant,
    changes: u32,
}

impl Pace {
    pub fn new(period: Duration) -> Self {
        Self { period, hosts: HashMap::default() }
    }

    /// Counts a changed report of a host.
    ///
    /// # Errors
    /// Returns an error with the rest of the period if it is one too many.
    pub fn admit(&mut self, host: Uuid) -> Result<(), FactsError> {
        self.admit_at(host, Instant::now())
    }

    fn admit_at(&mut self, host: Uuid, now: Instant) -> Result<(), FactsError> {
        let window = self.hosts.entry(host).or_insert(Window { began: now, changes: 0 });
        let gone = now.duration_since(window.began);
        if gone >= self.period {
            *window = Window { began: now, changes: 0 };
        } else if window.changes >= MAX_CHANGES {
            let retry_after = self.period - gone;
            return Err(FactsError::Restless { changes: MAX_CHANGES, period: self.period, retry_after });
        }
        window.changes += 1;
        Ok(())
    }

    /// Forgets the hosts whose last period is over.
    pub fn tidy(&mut self) {
        let period = self.period;
        self.hosts.retain(|_, window| window.began.elapsed() < period);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_number_of_changes_in_a_period() {
        let (period, began) = (Duration::from_secs(300), Instant::now());
        let mut pace = Pace::new(period);
        let mut admit = |host, seconds| pace.admit_at(Uuid::from_u128(host), began + Duration::from_secs(seconds));
        for second in 0..u64::from(MAX_CHANGES) {
            admit(1, second).expect("it is admitted");
        }
        let refused = admit(1, 100).expect_err("one too many");
        assert!(matches!(refused, FactsError::Restless { retry_after, .. } if retry_after.as_secs() == 200));
        admit(2, 100).expect("another host");
        admit(1, 300).expect("the next period");
    }
}
