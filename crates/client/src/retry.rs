//! Defines how often, and after which pause, a request is retried.

use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};

/// The maximum number of tries of an operation.
pub(crate) const MAX_TRIES: usize = 4;
/// The least pause after the first try. It doubles with each try.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(100);
/// The least pause after many tries.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(5);

/// The pauses of tries, without end. They grow from 100 ms to 5 s, and a random part of up to as much is added to each,
/// so that clients that were disconnected together do not reconnect together.
#[derive(Debug)]
pub struct Pauses(ExponentialBackoff);

impl Default for Pauses {
    fn default() -> Self {
        let builder = ExponentialBuilder::new()
            .with_min_delay(FIRST_RETRY_DELAY)
            .with_max_delay(MAX_RETRY_DELAY)
            .without_max_times()
            .with_jitter();
        Self(builder.build())
    }
}

impl Pauses {
    /// Returns the pause after another try.
    pub fn next_pause(&mut self) -> Duration {
        self.0.next().unwrap_or(MAX_RETRY_DELAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_differ() {
        let mut many: Vec<Pauses> = (0..50).map(|_| Pauses::default()).collect();
        for tried in 0..10 {
            let least = (FIRST_RETRY_DELAY * (1 << tried)).min(MAX_RETRY_DELAY);
            let pauses: Vec<Duration> = many.iter_mut().map(Pauses::next_pause).collect();
            // The library computes in seconds as floating-point numbers of 32 bits.
            let around = least.mul_f64(0.999)..=least.mul_f64(2.001);
            assert!(pauses.iter().all(|pause| around.contains(pause)), "{pauses:?} after {least:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]));
        }
    }
}
