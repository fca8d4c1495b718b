//! Says how long to wait before the next message.
//!
//! Guarantees: the agents of many machines that start at once, or lose their server at once, are spread over time and
//! stay so. Each wait is drawn anew from what the server wants, so deviations do not add up. A server that says when it
//! wants to be asked again is not asked earlier, unless that would be in more than an hour.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The time between two messages until the server says what it wants.
const BASE: Duration = Duration::from_secs(300);
/// The times between two messages that a server can want.
const BASES: RangeInclusive<Duration> = Duration::from_secs(10)..=Duration::from_secs(24 * 60 * 60);
/// The time between two tries to reach a server.
const UNREACHABLE: Duration = Duration::from_secs(60);
/// The pauses that a busy server can ask for.
const PAUSES: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(60 * 60);
/// The part of a wait by which it is spread.
const SPREAD: f64 = 0.2;

/// The end of the last try to send a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// The server accepted the message, and wants this time between two messages.
    Sent {
        /// The time.
        every: Duration,
    },
    /// The server could not be reached, or failed.
    Unreachable,
    /// The server has no time, and wants to be left alone for a while.
    Busy {
        /// The while.
        retry_after: Duration,
    },
    /// The server does not accept the message, or the agent cannot make one. The next message is not likely to fare
    /// better soon.
    Refused,
}

/// The rhythm of the messages.
pub struct Rhythm<R> {
    base: Duration,
    random: R,
}

impl<R: FnMut() -> f64> Rhythm<R> {
    /// Returns a rhythm that is spread by random numbers from 0 to 1.
    pub fn new(random: R) -> Self {
        Self { base: BASE, random }
    }

    /// Returns the wait before the first message.
    pub fn first(&mut self) -> Duration {
        let part = self.part();
        self.base.mul_f64(part)
    }

    /// Returns the wait after a try.
    pub fn after(&mut self, last: Last) -> Duration {
        match last {
            Last::Sent { every } => {
                self.base = within(every, BASES);
                self.around(self.base)
            }
            Last::Unreachable => self.around(UNREACHABLE),
            Last::Busy { retry_after } => self.no_less_than(within(retry_after, PAUSES)),
            Last::Refused => self.around(self.base),
        }
    }

    fn around(&mut self, time: Duration) -> Duration {
        let part = self.part();
        time.mul_f64(1.0 - SPREAD + 2.0 * SPREAD * part)
    }

    fn no_less_than(&mut self, time: Duration) -> Duration {
        let part = self.part();
        time + time.mul_f64(SPREAD * part)
    }

    fn part(&mut self) -> f64 {
        (self.random)().clamp(0.0, 1.0)
    }
}

// This is written by hand because a source of random numbers need not be shown.
impl<R> fmt::Debug for Rhythm<R> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Rhythm").field("base", &self.base).finish_non_exhaustive()
    }
}

fn within(time: Duration, bounds: RangeInclusive<Duration>) -> Duration {
    time.clamp(*bounds.start(), *bounds.end())
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng as _, SeedableRng as _};

    use super::*;

    const fn sent(seconds: u64) -> Last {
        Last::Sent { every: Duration::from_secs(seconds) }
    }

    const fn busy(seconds: u64) -> Last {
        Last::Busy { retry_after: Duration::from_secs(seconds) }
    }

    /// Returns the waits in seconds: before the first message, and after each try.
    fn waits(random: f64, tries: &[Last]) -> Vec<f64> {
        let mut rhythm = Rhythm::new(|| random);
        let first = rhythm.first();
        let waits = [first].into_iter().chain(tries.iter().map(|last| rhythm.after(*last)));
        waits.map(|wait| (wait.as_secs_f64() * 1e6).round() / 1e6).collect()
    }

    #[test]
    fn the_first_message_is_sent_at_any_time_of_the_first_period() {
        for (random, expected) in [(0.0, 0.0), (0.25, 75.0), (1.0, 300.0), (7.0, 300.0), (-1.0, 0.0)] {
            assert_eq!(waits(random, &[]), [expected], "{random}");
        }
    }

    #[test]
    fn each_end_of_a_try_has_its_wait() {
        for (last, shortest, middle, longest) in [
            (sent(300), 240.0, 300.0, 360.0),
            (sent(60), 48.0, 60.0, 72.0),
            (sent(0), 8.0, 10.0, 12.0),
            (sent(10_000_000), 69_120.0, 86_400.0, 103_680.0),
            (Last::Unreachable, 48.0, 60.0, 72.0),
            (Last::Refused, 240.0, 300.0, 360.0),
            (busy(30), 30.0, 33.0, 36.0),
            (busy(0), 1.0, 1.1, 1.2),
            (busy(3600), 3600.0, 3960.0, 4320.0),
            (busy(u64::MAX), 3600.0, 3960.0, 4320.0),
        ] {
            for (random, expected) in [(0.0, shortest), (0.5, middle), (1.0, longest)] {
                assert_eq!(waits(random, &[last])[1], expected, "{last:?} at {random}");
            }
        }
    }

    #[test]
    fn deviations_do_not_add_up() {
        assert_eq!(waits(1.0, &[sent(100); 4])[1..], [120.0; 4]);
        assert_eq!(waits(0.0, &[sent(100); 4])[1..], [80.0; 4]);
    }

    #[test]
    fn what_the_server_wants_holds_until_it_wants_something_else() {
        let tries = [sent(100), Last::Unreachable, busy(7), Last::Refused, sent(50), Last::Refused];
        assert_eq!(waits(0.5, &tries)[1..], [100.0, 60.0, 7.7, 100.0, 50.0, 50.0]);
    }

    /// The agents of a whole site start at once. Those that wait long for their first message, and those that send their
    /// second one soon, meet at the end of the first period; from the second period on nothing of it is left.
    #[test]
    fn many_agents_that_start_at_once_are_spread_evenly_within_two_periods() {
        const AGENTS: usize = 50_000;
        const SLOT: f64 = 10.0;
        const PERIODS: usize = 10;
        let slots_of_period = (BASE.as_secs_f64() / SLOT) as usize;
        let mut slots = vec![0_usize; PERIODS * slots_of_period];
        for agent in 0..AGENTS {
            let mut random = StdRng::seed_from_u64(agent as u64);
            let mut rhythm = Rhythm::new(|| random.random());
            let mut at = rhythm.first();
            while let Some(slot) = slots.get_mut((at.as_secs_f64() / SLOT) as usize) {
                *slot += 1;
                at += rhythm.after(sent(300));
            }
        }

        let even = AGENTS as f64 / slots_of_period as f64;
        for (slot, messages) in slots.into_iter().enumerate() {
            let part = messages as f64 / even;
            let bounds = if slot < 2 * slots_of_period { 0.4..1.6 } else { 0.85..1.15 };
            assert!(bounds.contains(&part), "{messages} messages in slot {slot}: {part} of {even}");
        }
    }
}
