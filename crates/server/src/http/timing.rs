//! The times after which the server does something with a connection by itself.
//!
//! Users do not set them. Tests that wait for them shorten all of them by one divisor.

use std::time::Duration;

use super::socket::Patience;

/// The times of connections.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The time for which a client may accept nothing before its connection is closed.
    pub write: Duration,
    /// The time without an event after which a stream of events gets a comment, which shows proxies that it is alive.
    pub keep_alive: Duration,
    /// The longest time between two checks whether the key of a token was withdrawn, while an operation runs.
    pub token_check: Duration,
    /// The timeouts of WebSocket connections.
    pub socket: Patience,
}

impl Default for Timing {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { write: seconds(55), keep_alive: seconds(12), token_check: seconds(60), socket: Patience::default() }
    }
}

impl Timing {
    /// Returns the times, each divided by `divisor`.
    pub fn divided_by(self, divisor: u32) -> Self {
        let Patience { init, quiet, dead } = self.socket;
        Self {
            write: self.write / divisor,
            keep_alive: self.keep_alive / divisor,
            token_check: self.token_check / divisor,
            socket: Patience { init: init / divisor, quiet: quiet / divisor, dead: dead / divisor },
        }
    }
}
