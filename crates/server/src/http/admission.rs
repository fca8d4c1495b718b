//! This module bounds the work that runs at the same time: requests, the bytes of their bodies and answers, and
//! subscriptions. Work beyond a bound is rejected at once, so no queue grows. Only long computations and walks through
//! the log wait for their turn, within the time that their request may take.
//!
//! One caller gets at most half of the requests, of the bytes and of the places for computations, so a greedy caller
//! leaves room for the others. Clients that are not authenticated yet get an eighth of the bytes of bodies together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::body::VALUE_BYTES;
use super::limits::{Limit, Limits};
use super::refusal::Refused;
use underlay_engine::access::{Caller, CallerKey};
use underlay_read::{Answers, Places};

/// The running work of a server, with its limits.
#[derive(Debug)]
pub struct Admission {
    limits: Limits,
    ledger: Arc<Mutex<Ledger>>,
    answers: Arc<Answers>,
    places: Places,
}

/// The resources that are in use, in total and by caller.
#[derive(Debug, Default)]
struct Ledger {
    all: Uses,
    callers: HashMap<CallerKey, Uses>,
    /// The bytes of clients that are not authenticated yet.
    of_nobody: usize,
}

/// The part of the bytes of bodies that clients that are not authenticated yet have together, as a divisor.
const UNAUTHENTICATED_DIVISOR: usize = 8;
/// The number of bytes that these clients have at least, however few all have.
const MIN_UNAUTHENTICATED_BYTES: usize = 64 * 1024;

/// The resources that a caller uses, or all callers together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Uses {
    requests: usize,
    bytes: usize,
    subscriptions: usize,
}

/// The bytes of a body that is being read or answered. They count until this value is dropped.
#[derive(Debug)]
pub struct Taken {
    ledger: Arc<Mutex<Ledger>>,
    limits: Limits,
    /// The caller that sent the bytes, once it is known.
    caller: Option<CallerKey>,
    bytes: usize,
}

/// A running request, which counts until it is dropped.
#[derive(Debug)]
pub struct Admitted {
    body: Taken,
    caller: Option<CallerKey>,
}

/// A running subscription, which counts until it is dropped.
#[derive(Debug)]
pub struct Subscribed {
    /// The bytes of the request that started the subscription.
    body: Taken,
}

impl Admission {
    /// Creates the bounds, with nothing running yet.
    pub fn new(limits: Limits) -> Self {
        let answers = Answers::new(limits.answer, limits.answers);
        Self { limits, ledger: Arc::default(), answers, places: Places::default() }
    }

    /// Returns the limits on requests, subscriptions and connections.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the answers that are being computed or sent.
    pub fn answers(&self) -> &Arc<Answers> {
        &self.answers
    }

    /// Returns the places for long computations and for walks through the log.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Creates the body of a caller, of which no byte has been read yet.
    pub fn body(&self, caller: &Caller) -> Taken {
        self.body_of(Some(caller.key()))
    }

    /// Creates a body of a client that is not authenticated yet.
    pub fn body_of_nobody(&self) -> Taken {
        self.body_of(None)
    }

    fn body_of(&self, caller: Option<CallerKey>) -> Taken {
        Taken { ledger: Arc::clone(&self.ledger), limits: self.limits, caller, bytes: 0 }
    }

    /// Checks that a request with this body could run now.
    ///
    /// # Errors
    /// Returns an error if too many requests run, of all callers or of this one.
    pub fn has_room(&self, body: &Taken) -> Result<(), Refused> {
        lock(&self.ledger).has_room(&self.limits, body.caller.as_ref())
    }

    /// Admits one more request, whose body has been read.
    ///
    /// # Errors
    /// Returns an error if too many requests run, of all callers or of this one.
    pub fn request(&self, body: Taken) -> Result<Admitted, Refused> {
        let mut ledger = lock(&self.ledger);
        ledger.has_room(&self.limits, body.caller.as_ref())?;
        ledger.change(body.caller.as_ref(), |uses| uses.requests += 1);
        Ok(Admitted { caller: body.caller.clone(), body })
    }

    /// Admits one more subscription of a caller.
    ///
    /// # Errors
    /// Returns an error if the caller has too many subscriptions.
    pub fn subscription(&self, body: Taken) -> Result<Subscribed, Refused> {
        let mut ledger = lock(&self.ledger);
        if ledger.of(body.caller.as_ref()).subscriptions >= self.limits.subscriptions {
            return Err(Refused::busy(Limit::Subscriptions, self.limits.subscriptions));
        }
        ledger.change(body.caller.as_ref(), |uses| uses.subscriptions += 1);
        Ok(Subscribed { body })
    }
}

impl Ledger {
    fn of(&self, caller: Option<&CallerKey>) -> Uses {
        caller.and_then(|caller| self.callers.get(caller)).copied().unwrap_or_default()
    }

    fn has_room(&self, limits: &Limits, caller: Option<&CallerKey>) -> Result<(), Refused> {
        let share = limits.requests.div_ceil(2);
        if self.all.requests >= limits.requests {
            return Err(Refused::busy(Limit::Requests, limits.requests));
        }
        if self.of(caller).requests >= share {
            return Err(Refused::busy_of_one(Limit::Requests, share));
        }
        Ok(())
    }

    /// Changes the total and the entry of one caller. An empty entry is removed.
    fn change(&mut self, caller: Option<&CallerKey>, change: impl Fn(&mut Uses)) {
        change(&mut self.all);
        let Some(caller) = caller else { return };
        let uses = self.callers.entry(caller.clone()).or_default();
        change(uses);
        if *uses == Uses::default() {
            self.callers.remove(caller);
        }
    }
}

impl Taken {
    /// Returns the number of bytes that are taken.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes this number of bytes more.
    ///
    /// # Errors
    /// Returns an error if all bodies together have too many bytes, or those of the caller, or those of all clients
    /// that are not authenticated yet.
    pub fn take(&mut self, bytes: usize) -> Result<(), Refused> {
        // The largest allowed body always fits, with the most values that it may have.
        let largest = self.limits.apply_body.saturating_add(self.limits.values.saturating_mul(VALUE_BYTES));
        let mut ledger = lock(&self.ledger);
        if ledger.all.bytes.saturating_add(bytes) > self.limits.bodies {
            return Err(Refused::busy(Limit::Bodies, self.limits.bodies));
        }
        let (own, share) = match &self.caller {
            Some(caller) => (ledger.of(Some(caller)).bytes, self.limits.bodies.div_ceil(2).max(largest)),
            None => (ledger.of_nobody, (self.limits.bodies / UNAUTHENTICATED_DIVISOR).max(MIN_UNAUTHENTICATED_BYTES)),
        };
        if own.saturating_add(bytes) > share {
            return Err(match &self.caller {
                Some(_) => Refused::busy_of_one(Limit::Bodies, share),
                None => Refused::busy_of_strangers(Limit::Bodies, share),
            });
        }
        ledger.change(self.caller.as_ref(), |uses| uses.bytes += bytes);
        ledger.of_nobody += if self.caller.is_none() { bytes } else { 0 };
        self.bytes += bytes;
        Ok(())
    }

    /// Gives back this number of bytes, or all bytes if there are fewer.
    pub fn give_back(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        let mut ledger = lock(&self.ledger);
        ledger.change(self.caller.as_ref(), |uses| uses.bytes -= bytes);
        ledger.of_nobody -= if self.caller.is_none() { bytes } else { 0 };
        self.bytes -= bytes;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.give_back(self.bytes);
    }
}

impl Admitted {
    /// Returns the body of the request, whose bytes count.
    pub fn body(&mut self) -> &mut Taken {
        &mut self.body
    }

    /// Ends the request, and returns its body, whose bytes still count.
    pub fn into_body(mut self) -> Taken {
        let nothing = Taken { ledger: Arc::clone(&self.body.ledger), limits: self.body.limits, caller: None, bytes: 0 };
        std::mem::replace(&mut self.body, nothing)
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        lock(&self.body.ledger).change(self.caller.as_ref(), |uses| uses.requests -= 1);
    }
}

impl Drop for Subscribed {
    fn drop(&mut self) {
        lock(&self.body.ledger).change(self.body.caller.as_ref(), |uses| uses.subscriptions -= 1);
    }
}

fn lock(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "admission_tests.rs"]
mod tests;
