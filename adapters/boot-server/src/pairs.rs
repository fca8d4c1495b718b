//! The texts that GRUB asks for twice: it sends a HEAD before each GET, and both are one boot.
//!
//! Guarantee: a text is kept for one client and one path, for a bounded time, and a GET takes it. So two GETs are two
//! boots, and the number of texts is bounded.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The most texts that are kept. A machine needs one for a moment.
const MAX_KEPT: usize = 1_000;

/// The clock by which texts grow old: the time since some moment.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Returns the clock of the machine.
pub fn monotonic() -> Clock {
    let start = Instant::now();
    Arc::new(move || start.elapsed())
}

/// A client and what it asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub by: IpAddr,
    /// The path and the query.
    pub path: String,
}

/// The texts that wait for a GET.
pub struct Pairs {
    clock: Clock,
    lasts: Duration,
    /// In the order of their ends.
    kept: Mutex<Vec<Kept>>,
}

struct Kept {
    asked: Asked,
    until: Duration,
    text: String,
}

impl Pairs {
    /// Keeps nothing yet. A text is kept for a time.
    pub fn new(clock: Clock, lasts: Duration) -> Self {
        Self { clock, lasts, kept: Mutex::default() }
    }

    /// Keeps a text for the GET that follows.
    pub fn keep(&self, asked: Asked, text: String) {
        let now = (self.clock)();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|it| it.until > now && it.asked != asked);
        if kept.len() >= MAX_KEPT {
            kept.remove(0);
        }
        kept.push(Kept { asked, until: now + self.lasts, text });
    }

    /// Returns the text that is kept, and goes on keeping it.
    pub fn look(&self, asked: &Asked) -> Option<String> {
        let now = (self.clock)();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|it| it.until > now && it.asked == *asked).map(|it| it.text.clone())
    }

    /// Takes the text that is kept.
    pub fn take(&self, asked: &Asked) -> Option<String> {
        let now = (self.clock)();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|it| it.until > now);
        let at = kept.iter().position(|it| it.asked == *asked)?;
        Some(kept.remove(at).text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use proptest::prelude::*;

    use super::*;

    fn asked(client: u8, path: &str) -> Asked {
        Asked { by: [10, 0, 0, client].into(), path: path.to_owned() }
    }

    #[test]
    fn the_number_of_texts_is_bounded_and_the_oldest_go() {
        let pairs = Pairs::new(monotonic(), Duration::from_secs(1_000));
        for number in 0..=MAX_KEPT {
            pairs.keep(asked(1, &number.to_string()), number.to_string());
        }
        assert_eq!(pairs.take(&asked(1, "0")), None);
        assert_eq!(pairs.take(&asked(1, "1")).as_deref(), Some("1"));
        assert_eq!(pairs.kept.lock().expect("a lock").len(), MAX_KEPT - 1);
    }

    proptest! {
        /// The model is a list of all that was kept, with the time.
        #[test]
        fn a_text_is_taken_once_by_the_same_client_in_time(steps in proptest::collection::vec((0_u8..4, 0_u8..3, 0_u8..3, 0_u64..7), 1..60)) {
            let time = Arc::new(AtomicU64::new(0));
            let seen = Arc::clone(&time);
            let clock: Clock = Arc::new(move || Duration::from_secs(seen.load(Ordering::Relaxed)));
            let pairs = Pairs::new(clock, Duration::from_secs(10));
            let mut model: Vec<(Asked, u64, String)> = Vec::new();
            for (number, (step, client, path, passes)) in steps.into_iter().enumerate() {
                let now = time.fetch_add(passes, Ordering::Relaxed) + passes;
                let asked = asked(client, &path.to_string());
                model.retain(|(_, until, _)| *until > now);
                let at = model.iter().position(|(it, ..)| *it == asked);
                match step {
                    0 | 1 => {
                        if let Some(at) = at {
                            model.remove(at);
                        }
                        model.push((asked.clone(), now + 10, number.to_string()));
                        pairs.keep(asked, number.to_string());
                    }
                    2 => prop_assert_eq!(pairs.look(&asked), at.map(|at| model[at].2.clone())),
                    _ => prop_assert_eq!(pairs.take(&asked), at.map(|at| model.remove(at).2)),
                }
            }
        }
    }
}
