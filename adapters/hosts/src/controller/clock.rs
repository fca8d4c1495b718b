//! The time of the server's database, as a controller knows it.

use std::sync::{Mutex, PoisonError};

use chrono::{TimeDelta, Utc};
use tokio::time::Instant;

use crate::host::Time;

/// The time of the server. It is read from answers, and goes on by a clock that cannot jump. It is late by at most the
/// time that an answer takes, never early.
#[derive(Debug, Default)]
pub struct Clock {
    base: Mutex<Option<(Time, Instant)>>,
}

impl Clock {
    /// Notes the time in an answer that came now.
    pub fn set(&self, now: Time) {
        *self.base.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Instant::now()));
    }

    /// Returns the time of the server.
    pub fn now(&self) -> Time {
        match *self.base.lock().unwrap_or_else(PoisonError::into_inner) {
            Some((time, at)) => time + TimeDelta::from_std(at.elapsed()).unwrap_or(TimeDelta::MAX),
            None => Utc::now(),
        }
    }

    /// Returns the moment of this process at which the server's time is so. A time that is over is now.
    pub fn instant(&self, time: Time) -> Instant {
        Instant::now() + (time - self.now()).to_std().unwrap_or_default()
    }
}
