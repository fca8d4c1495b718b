//! Waits for conditions by looking again and again.
//!
//! A wait ends as soon as its condition holds. It fails only at [`HANG`], which is so long that only a program that
//! hangs reaches it, also on a slow and busy machine. A wait that takes long says what it waits for.

use std::fmt::Display;
use std::panic::Location;
use std::time::Duration;

use tokio::time::Instant;

/// The time after which a wait fails: the program hangs, or the condition can never hold.
pub const HANG: Duration = Duration::from_secs(300);

/// The pauses between two looks: short at first, and longer when a condition takes time.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const MAX_PAUSE: Duration = Duration::from_millis(100);
/// The time after which a wait says what it waits for, and the time between two such lines.
const LATE: Duration = Duration::from_secs(20);

/// What one look at a condition yields: `bool`, `Option`, or a `Result` whose error describes what is seen instead.
pub trait Outcome {
    /// The value that is waited for.
    type Found;

    /// Returns the value, or else what is seen instead.
    fn found(self) -> Result<Self::Found, String>;
}

impl Outcome for bool {
    type Found = ();

    fn found(self) -> Result<(), String> {
        if self { Ok(()) } else { Err("not yet".to_owned()) }
    }
}

impl<T> Outcome for Option<T> {
    type Found = T;

    fn found(self) -> Result<T, String> {
        self.ok_or_else(|| "not yet".to_owned())
    }
}

impl<T, E: Display> Outcome for Result<T, E> {
    type Found = T;

    fn found(self) -> Result<T, String> {
        self.map_err(|seen| seen.to_string())
    }
}

/// Looks until the condition holds, and returns what was found. Panics after [`HANG`] with `what` and the last look.
///
/// ```ignore
/// until("the host is on", async || host(&client, "m1").await["power"] == "ON").await;
/// ```
#[track_caller]
pub fn until<O: Outcome>(what: impl Display, mut look: impl AsyncFnMut() -> O) -> impl Future<Output = O::Found> {
    let mut wait = Wait::new(HANG, what, Location::caller());
    async move {
        loop {
            match look().await.found() {
                Ok(found) => return found,
                Err(seen) => wait.pause_or_panic(seen).await,
            }
        }
    }
}

/// Does the same with a look that waits for nothing, so that the future can be sent to another thread.
#[track_caller]
pub fn until_seen<O: Outcome>(what: impl Display, mut look: impl FnMut() -> O) -> impl Future<Output = O::Found> {
    let mut wait = Wait::new(HANG, what, Location::caller());
    async move {
        loop {
            match look().found() {
                Ok(found) => return found,
                Err(seen) => wait.pause_or_panic(seen).await,
            }
        }
    }
}

/// Looks until the condition holds or the time is over, for a program that measures or that handles the end of the time
/// itself. A test uses [`until`].
pub async fn within<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let mut wait = Wait::new(limit, "a condition holds", Location::caller());
    loop {
        match look() {
            Some(found) => return Some(found),
            None if wait.is_over() => return None,
            None => wait.pause("nothing").await,
        }
    }
}

/// A wait that goes on.
struct Wait {
    what: String,
    caller: &'static Location<'static>,
    begun: Instant,
    limit: Duration,
    pause: Duration,
    /// The time after which it says again what it waits for.
    late: Duration,
}

impl Wait {
    fn new(limit: Duration, what: impl Display, caller: &'static Location<'static>) -> Self {
        Self { what: what.to_string(), caller, begun: Instant::now(), limit, pause: FIRST_PAUSE, late: LATE }
    }

    fn is_over(&self) -> bool {
        self.begun.elapsed() >= self.limit
    }

    async fn pause_or_panic(&mut self, seen: String) {
        let Self { what, caller, .. } = &*self;
        assert!(!self.is_over(), "{caller}: it never happened that {what}. Seen instead: {seen}");
        self.pause(&seen).await;
    }

    async fn pause(&mut self, seen: &str) {
        let waited = self.begun.elapsed();
        if waited >= self.late {
            let Self { what, caller, .. } = &*self;
            eprintln!("{caller}: still waiting after {} s until {what}. Seen: {seen}", waited.as_secs());
            self.late += LATE;
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 5 / 4).min(MAX_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_wait_ends_when_its_condition_holds() {
        let mut looks = 0;
        let third = until("it is looked for the third time", async || {
            looks += 1;
            if looks < 3 { Err(format!("look {looks}")) } else { Ok(looks) }
        });
        assert_eq!(third.await, 3);
        assert_eq!(within(LATE, || None::<()>).await, None, "the time is over");
    }

    #[tokio::test(start_paused = true)]
    #[should_panic(expected = "it never happened that pigs fly. Seen instead: a pig on the ground")]
    async fn a_wait_without_end_says_what_it_saw() {
        until("pigs fly", async || Err::<(), _>("a pig on the ground")).await;
    }
}
