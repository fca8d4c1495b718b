//! How often and when something is tried again.

use std::time::Duration;

use uuid::Uuid;

/// How often an operation is tried at most.
pub(crate) const TRIES: u32 = 4;
/// The longest pause after the first try; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The longest of all pauses.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The pause after a try, counted from 1: from 200 ms up to 10 s, half of it by chance, so that clients which were cut
/// off together do not come back together.
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
