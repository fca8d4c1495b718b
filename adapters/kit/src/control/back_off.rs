//! The pauses of what fails.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};

/// The pauses of keys that fail. They double with each failure of a key, with a random part, so that many keys that
/// failed together do not come back together.
#[derive(Debug)]
pub struct BackOff<K> {
    builder: ExponentialBuilder,
    longest: Duration,
    failing: HashMap<K, ExponentialBackoff>,
}

impl<K: Eq + Hash> BackOff<K> {
    /// Returns pauses that begin with `first` and grow up to `longest`.
    pub fn new(first: Duration, longest: Duration) -> Self {
        let builder = ExponentialBuilder::default()
            .with_min_delay(first)
            .with_max_delay(longest)
            .without_max_times()
            .with_jitter();
        Self { builder, longest, failing: HashMap::new() }
    }

    /// Returns the pause after another failure of a key.
    pub fn failed(&mut self, key: K) -> Duration {
        let pauses = self.failing.entry(key).or_insert_with(|| self.builder.build());
        pauses.next().unwrap_or(self.longest)
    }

    /// Forgets the failures of a key.
    pub fn succeeded(&mut self, key: &K) {
        self.failing.remove(key);
    }

    /// Returns the number of keys that fail.
    pub fn failing(&self) -> usize {
        self.failing.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_for_each_key_up_to_the_longest_and_differ() {
        let (first, longest) = (Duration::from_secs(1), Duration::from_secs(60));
        let mut pauses = BackOff::new(first, longest);
        let grown: Vec<Duration> = (0..12).map(|_| pauses.failed("a")).collect();
        assert!(grown[0] >= first && grown[0] <= first * 2, "{grown:?}");
        assert!(grown[11] >= longest && grown[11] <= longest * 2, "{grown:?}");
        assert!(grown[5] > grown[0] * 4, "{grown:?}");
        assert!(pauses.failed("b") <= first * 2, "each key has its own");
        assert_eq!(pauses.failing(), 2);
        pauses.succeeded(&"a");
        assert!(pauses.failed("a") <= first * 2);
        let many: std::collections::BTreeSet<Duration> = (0..50)
            .map(|key| {
                let mut fresh = BackOff::new(first, longest);
                fresh.failed(key)
            })
            .collect();
        assert!(many.len() > 10, "{many:?}");
    }
}
