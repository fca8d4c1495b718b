//! Bounds on what runs at a time: requests, the bytes of their bodies and answers, subscriptions. Whatever exceeds them is
//! refused at once, so that no queue grows.
//!
//! One caller has at most half of the requests and of the bytes: whoever asks for too much leaves room for the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::limits::{Limit, Limits};
use super::refused::Refused;
use crate::access::Caller;
use crate::read::Answers;

/// What runs.
#[derive(Debug)]
pub struct Admission {
    limits: Limits,
    ledger: Arc<Mutex<Ledger>>,
    answers: Arc<Answers>,
}

/// How much of everything is taken.
#[derive(Debug, Default)]
struct Ledger {
    all: Uses,
    callers: HashMap<Arc<Who>, Uses>,
}

/// The name of a caller. Tenants can have actors of the same name.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Who {
    tenant: Option<String>,
    actor: String,
}

impl Who {
    fn of(caller: &Caller) -> Arc<Self> {
        Arc::new(Self { tenant: caller.tenant().map(str::to_owned), actor: caller.actor().to_owned() })
    }
}

/// How much somebody has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Uses {
    requests: usize,
    bytes: usize,
    subscriptions: usize,
}

/// The bytes of a body that is read or answered.
#[derive(Debug)]
pub struct Taken {
    ledger: Arc<Mutex<Ledger>>,
    limits: Limits,
    /// Whose they are, once that is known.
    caller: Option<Arc<Who>>,
    bytes: usize,
}

/// A request that runs.
#[derive(Debug)]
pub struct Admitted {
    body: Taken,
    caller: Option<Arc<Who>>,
}

/// A subscription that runs.
#[derive(Debug)]
pub struct Subscribed {
    /// The bytes that it was asked for with.
    body: Taken,
}

impl Admission {
    /// Nothing runs yet.
    pub fn new(limits: Limits) -> Self {
        Self { limits, ledger: Arc::default(), answers: Answers::new(limits.answer, limits.answers) }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The answers that are worked out or sent.
    pub fn answers(&self) -> &Arc<Answers> {
        &self.answers
    }

    /// The body of somebody, of which nothing was read yet.
    pub fn body(&self, caller: &Caller) -> Taken {
        self.body_of(Some(Who::of(caller)))
    }

    /// What comes from somebody of whom it is not known who it is.
    pub fn body_of_nobody(&self) -> Taken {
        self.body_of(None)
    }

    fn body_of(&self, caller: Option<Arc<Who>>) -> Taken {
        Taken { ledger: Arc::clone(&self.ledger), limits: self.limits, caller, bytes: 0 }
    }

    /// Checks that a request with this body could run now.
    ///
    /// # Errors
    /// When there are too many.
    pub fn has_room(&self, body: &Taken) -> Result<(), Refused> {
        lock(&self.ledger).has_room(&self.limits, body.caller.as_deref())
    }

    /// Lets one more request run, whose body was read.
    ///
    /// # Errors
    /// When there are too many, or the caller has too many.
    pub fn request(&self, body: Taken) -> Result<Admitted, Refused> {
        let mut ledger = lock(&self.ledger);
        ledger.has_room(&self.limits, body.caller.as_deref())?;
        ledger.change(body.caller.as_ref(), |uses| uses.requests += 1);
        Ok(Admitted { caller: body.caller.clone(), body })
    }

    /// Lets one more subscription of a caller run.
    ///
    /// # Errors
    /// When the caller has too many.
    pub fn subscription(&self, body: Taken) -> Result<Subscribed, Refused> {
        let mut ledger = lock(&self.ledger);
        if ledger.of(body.caller.as_deref()).subscriptions >= self.limits.subscriptions {
            return Err(Refused::busy(Limit::Subscriptions, self.limits.subscriptions));
        }
        ledger.change(body.caller.as_ref(), |uses| uses.subscriptions += 1);
        Ok(Subscribed { body })
    }
}

impl Ledger {
    fn of(&self, caller: Option<&Who>) -> Uses {
        caller.and_then(|caller| self.callers.get(caller)).copied().unwrap_or_default()
    }

    fn has_room(&self, limits: &Limits, caller: Option<&Who>) -> Result<(), Refused> {
        let share = limits.requests.div_ceil(2);
        if self.all.requests >= limits.requests {
            return Err(Refused::busy(Limit::Requests, limits.requests));
        }
        if self.of(caller).requests >= share {
            return Err(Refused::busy_of_one(Limit::Requests, share));
        }
        Ok(())
    }

    /// Changes what all have, and one of them.
    fn change(&mut self, caller: Option<&Arc<Who>>, change: impl Fn(&mut Uses)) {
        change(&mut self.all);
        let Some(caller) = caller else { return };
        let uses = self.callers.entry(Arc::clone(caller)).or_default();
        change(uses);
        if *uses == Uses::default() {
            self.callers.remove(caller);
        }
    }
}

impl Taken {
    /// How many bytes these are.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes so many bytes more.
    ///
    /// # Errors
    /// When all bodies together have too many, or those of the caller.
    pub fn take(&mut self, bytes: usize) -> Result<(), Refused> {
        // The largest body that is allowed always fits.
        let share = self.limits.bodies.div_ceil(2).max(self.limits.apply_body);
        let mut ledger = lock(&self.ledger);
        if ledger.all.bytes.saturating_add(bytes) > self.limits.bodies {
            return Err(Refused::busy(Limit::Bodies, self.limits.bodies));
        }
        let own = ledger.of(self.caller.as_deref()).bytes;
        if self.caller.is_some() && own.saturating_add(bytes) > share {
            return Err(Refused::busy_of_one(Limit::Bodies, share));
        }
        ledger.change(self.caller.as_ref(), |uses| uses.bytes += bytes);
        self.bytes += bytes;
        Ok(())
    }

    /// Gives so many of the bytes back.
    pub fn give_back(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        lock(&self.ledger).change(self.caller.as_ref(), |uses| uses.bytes -= bytes);
        self.bytes -= bytes;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.give_back(self.bytes);
    }
}

impl Admitted {
    /// Ends the request; what came with it stays.
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
