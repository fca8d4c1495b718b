//! Defines how often, and after which pause, a request is retried.

use std::time::Duration;

use uuid::Uuid;

/// The maximum number of tries of an operation.
pub(crate) const TRIES: u32 = 4;
/// The longest pause after the first try. It doubles with each try.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The upper bound of all pauses.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Returns the pause after a try, which is counted from 1. Pauses grow from 200 ms to 10 s. Half of a pause is random,
/// so that clients that were disconnected together do not reconnect together.
pub fn pause(tried: u32) -> Duration {
    let longest = FIRST_PAUSE.saturating_mul(1 << tried.saturating_sub(1).min(8)).min(LONGEST_PAUSE);
    let half = longest / 2;
    let chance = (Uuid::new_v4().as_u128() % 1_000) as u32;
    half + half * chance / 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_differ() {
        for tried in 1..TRIES {
            let longest = FIRST_PAUSE * (1 << (tried - 1));
            let pauses: Vec<Duration> = (0..50).map(|_| pause(tried)).collect();
            assert!(pauses.iter().all(|pause| (longest / 2..=longest).contains(pause)), "{pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]));
        }
        assert!((LONGEST_PAUSE / 2..=LONGEST_PAUSE).contains(&pause(u32::MAX)));
    }
}
