//! The pauses of work in the background. Replicas that were started together, or that lost their database together, must
//! not come back at the same moment, so every pause has a random part.

use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};

/// The pauses of work that fails: they double with each failure, and never end.
#[derive(Debug)]
pub struct BackOff {
    builder: ExponentialBuilder,
    pauses: ExponentialBackoff,
    longest: Duration,
}

impl BackOff {
    /// Returns pauses that begin with `first` and grow up to `longest`. A random part of up to as much is added to each.
    pub fn new(first: Duration, longest: Duration) -> Self {
        let builder =
            ExponentialBuilder::new().with_min_delay(first).with_max_delay(longest).without_max_times().with_jitter();
        Self { builder, pauses: builder.build(), longest }
    }

    /// Returns the pause after another failure.
    pub fn failed(&mut self) -> Duration {
        self.pauses.next().unwrap_or(self.longest)
    }

    /// Begins with the first pause again.
    pub fn succeeded(&mut self) {
        self.pauses = self.builder.build();
    }
}

/// Returns a pause with a random deviation of up to a quarter, for work that is done again and again.
pub fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(0.75 + rand::random::<f64>() / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest_and_begin_again() {
        let (first, longest) = (Duration::from_secs(1), Duration::from_secs(5));
        let mut pauses = BackOff::new(first, longest);
        for least in [1, 2, 4, 5, 5] {
            let least = Duration::from_secs(least);
            let pause = pauses.failed();
            assert!((least..=least * 2).contains(&pause), "{pause:?} after {least:?}");
        }
        pauses.succeeded();
        assert!(pauses.failed() <= first * 2);
    }

    #[test]
    fn pauses_differ_by_up_to_a_quarter() {
        let found: Vec<Duration> = (0..50).map(|_| jittered(Duration::from_secs(4))).collect();
        assert!(
            found.iter().all(|pause| (Duration::from_secs(3)..=Duration::from_secs(5)).contains(pause)),
            "{found:?}"
        );
        assert!(found.iter().any(|pause| *pause != found[0]));
    }
}
