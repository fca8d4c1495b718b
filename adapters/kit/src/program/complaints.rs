//! Passes on what programs write to standard error, so much of it in a time, to that of this process.

use std::io::Write as _;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::process::ChildStderr;
use tokio::time::Instant;

use crate::problem::printable;

/// The number of bytes that are passed on within [`WINDOW`]. More would fill the log of a program that runs for months.
const BYTES_IN_WINDOW: usize = 64 * 1024;
const WINDOW: Duration = Duration::from_secs(60);

/// The room for what a program writes.
#[derive(Debug)]
struct Room {
    left: usize,
    until: Instant,
    /// True if it was said that something is left out in this window.
    is_said: bool,
}

/// The part of a piece that is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// All of it.
    Whole,
    /// The first bytes, and the rest is the first in its window that is left out.
    First(usize),
    /// Nothing.
    Nothing,
}

impl Room {
    fn new(now: Instant) -> Self {
        Self { left: BYTES_IN_WINDOW, until: now + WINDOW, is_said: false }
    }

    fn take(&mut self, length: usize, now: Instant) -> Part {
        if now >= self.until {
            *self = Self::new(now);
        }
        let taken = length.min(self.left);
        self.left -= taken;
        if taken == length {
            return Part::Whole;
        }
        let was_said = std::mem::replace(&mut self.is_said, true);
        if was_said { Part::Nothing } else { Part::First(taken) }
    }
}

/// Passes on what a program writes, until it ends.
pub async fn pass_on(name: String, mut complaints: ChildStderr) {
    let (mut room, mut piece) = (Room::new(Instant::now()), vec![0; 4 * 1024]);
    // Nobody is told if our own standard error is gone.
    while let Ok(length @ 1..) = complaints.read(&mut piece).await {
        let mut out = std::io::stderr().lock();
        match room.take(length, Instant::now()) {
            Part::Whole => drop(out.write_all(&piece[..length])),
            Part::First(first) => {
                drop(out.write_all(&piece[..first]));
                let seconds = WINDOW.as_secs();
                drop(writeln!(
                    out,
                    "\n{}: more than {BYTES_IN_WINDOW} bytes on standard error within {seconds} s: the rest is left out",
                    printable(&name),
                ));
            }
            Part::Nothing => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_much_is_passed_on_in_a_window() {
        let now = Instant::now();
        let mut room = Room::new(now);
        assert_eq!(room.take(BYTES_IN_WINDOW - 1, now), Part::Whole);
        assert_eq!(room.take(3, now), Part::First(1));
        assert_eq!(room.take(3, now), Part::Nothing);
        assert_eq!(room.take(3, now + WINDOW), Part::Whole);
    }
}
