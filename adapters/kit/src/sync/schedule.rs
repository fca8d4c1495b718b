//! The times of full scans.
//!
//! Guarantees: only the monotonic clock counts, so a wall clock that jumps changes nothing. However much time passed,
//! as on a machine that slept, one scan is due and not one for each interval. A scan that takes longer than the
//! interval does not make scans overlap or follow each other without a pause.

use std::time::Duration;

use rand::Rng as _;
use tokio::time::Instant;

use super::tally::RunEnd;

/// The share of the interval by which the time of a scan varies, so that many synchronizers do not scan together.
const JITTER_SHARE: f64 = 0.1;

/// The times of a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The time between two full scans, where the server does not have another one for the source.
    pub interval: Duration,
    /// The time for which hints are gathered.
    pub coalesce: Duration,
    /// The least time between the end of a full scan and the begin of the next one.
    pub breath: Duration,
    /// The time for which a thing must be missing before the source is asked for a proof that it is deleted. Without
    /// one, a full scan follows.
    pub soon: Duration,
    /// The time after which a full scan writes what it has found.
    pub write: Duration,
    /// The time after which a failed scan is repeated. It doubles with each failure, up to the interval.
    pub again: Duration,
    /// The time without a call to the server after which a run says that it is alive. The server abandons a run after
    /// five minutes.
    pub heartbeat: Duration,
    /// The time that a run has for being ended when the synchronizer stops, or when the server was away for long.
    pub farewell: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(3_600),
            coalesce: Duration::from_millis(500),
            breath: Duration::from_secs(5),
            soon: Duration::from_secs(60),
            write: Duration::from_secs(2),
            again: Duration::from_secs(10),
            heartbeat: Duration::from_secs(60),
            farewell: Duration::from_secs(3),
        }
    }
}

/// Decides when the next full scan begins.
#[derive(Debug)]
pub struct Schedule {
    interval: Duration,
    again: Duration,
    breath: Duration,
    /// The number of full runs that failed one after the other.
    failures: u32,
}

impl Schedule {
    /// Returns the schedule of a synchronizer that made no scan yet.
    pub const fn new(timing: &Timing) -> Self {
        Self { interval: timing.interval, again: timing.again, breath: timing.breath, failures: 0 }
    }

    /// Returns the interval in force.
    pub const fn interval(&self) -> Duration {
        self.interval
    }

    /// Sets the interval, which the server can change at any time.
    pub fn set_interval(&mut self, interval: Duration) {
        self.interval = interval.max(Duration::from_secs(1));
    }

    /// Returns the time of the next full scan after one that began and ended at these times.
    pub fn after(&mut self, begun: Instant, ended: Instant, end: &RunEnd) -> Instant {
        if let RunEnd::Failed(_) = end {
            self.failures = self.failures.saturating_add(1);
            let doubled = self.again.saturating_mul(1 << (self.failures - 1).min(16));
            return ended + jitter(doubled.min(self.interval));
        }
        self.failures = 0;
        (begun + jitter(self.interval)).max(self.rested(ended))
    }

    /// Returns the earliest time of a full scan that a hint asks for, after one that ended at this time.
    pub fn rested(&self, ended: Instant) -> Instant {
        ended + self.breath
    }
}

/// Returns a time of the given length, up to a tenth shorter or longer.
fn jitter(time: Duration) -> Duration {
    time.mul_f64(rand::rng().random_range(1.0 - JITTER_SHARE..=1.0 + JITTER_SHARE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::error::AdapterError;

    const MINUTE: Duration = Duration::from_secs(60);
    const SCAN_DELAY: Duration = Duration::from_secs(5);

    fn schedule() -> Schedule {
        Schedule::new(&Timing {
            interval: MINUTE,
            breath: SCAN_DELAY,
            again: Duration::from_secs(10),
            ..Timing::default()
        })
    }

    fn failed() -> RunEnd {
        RunEnd::Failed(AdapterError::Stopped.into())
    }

    /// Asserts that a time is so long after another one, up to a tenth.
    #[track_caller]
    fn about(time: Instant, after: Instant, length: Duration) {
        let found = time.checked_duration_since(after).expect("it is later");
        assert!(
            found >= length.mul_f64(1.0 - JITTER_SHARE) && found <= length.mul_f64(1.0 + JITTER_SHARE),
            "{found:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn scans_begin_an_interval_apart_whatever_they_take() {
        let mut schedule = schedule();
        let begun = Instant::now();
        for took in [Duration::ZERO, Duration::from_secs(40)] {
            about(schedule.after(begun, begun + took, &RunEnd::Done), begun, MINUTE);
        }
        schedule.set_interval(MINUTE * 60);
        about(schedule.after(begun, begun, &RunEnd::Held), begun, MINUTE * 60);
        schedule.set_interval(Duration::ZERO);
        assert_eq!(schedule.interval(), Duration::from_secs(1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_scan_that_takes_longer_than_the_interval_is_followed_by_a_pause() {
        let mut schedule = schedule();
        let begun = Instant::now();
        let ended = begun + MINUTE * 3;
        assert_eq!(schedule.after(begun, ended, &RunEnd::Done), ended + SCAN_DELAY);
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_jumps_makes_one_scan_due() {
        let mut schedule = schedule();
        let begun = Instant::now();
        let due = schedule.after(begun, begun, &RunEnd::Done);
        // The machine slept for a day: the scan is long overdue, and the one after it is an interval later.
        tokio::time::advance(MINUTE * 60 * 24).await;
        let woken = Instant::now();
        assert!(due < woken);
        about(schedule.after(woken, woken, &RunEnd::Done), woken, MINUTE);
        // A scan during which the machine slept counts as a long one.
        assert_eq!(schedule.after(begun, woken, &RunEnd::Done), woken + SCAN_DELAY);
        about(schedule.after(begun, woken, &failed()), woken, Duration::from_secs(10));
    }

    #[tokio::test(start_paused = true)]
    async fn failures_are_followed_by_longer_pauses_up_to_the_interval() {
        let mut schedule = schedule();
        let now = Instant::now();
        for seconds in [10, 20, 40, 60, 60] {
            about(schedule.after(now, now, &failed()), now, Duration::from_secs(seconds));
        }
        schedule.after(now, now, &RunEnd::Done);
        about(schedule.after(now, now, &failed()), now, Duration::from_secs(10));
    }
}
