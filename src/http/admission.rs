//! How much runs at a time: requests, the bytes of their bodies, subscriptions. What is too much is refused at once, so
//! that nothing waits in a line that grows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limits::{Limit, Limits};
use super::refused::Refused;
use crate::access::Caller;

/// What runs.
#[derive(Debug)]
pub struct Admission {
    limits: Limits,
    requests: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
    subscriptions: Arc<Mutex<Counts>>,
}

/// How many subscriptions each caller has, by tenant and name: tenants can have actors of the same name.
type Counts = HashMap<(Option<String>, String), usize>;

/// A request that runs.
#[derive(Debug)]
pub struct Admitted {
    _request: OwnedSemaphorePermit,
    bytes: Option<OwnedSemaphorePermit>,
    room: Arc<Semaphore>,
    limits: Limits,
}

/// A subscription that runs.
#[derive(Debug)]
pub struct Subscribed {
    caller: (Option<String>, String),
    subscriptions: Arc<Mutex<Counts>>,
}

impl Admission {
    /// Nothing runs yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            requests: Arc::new(Semaphore::new(limits.requests)),
            bytes: Arc::new(Semaphore::new(limits.bodies)),
            subscriptions: Arc::default(),
            limits,
        }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Lets one more request run.
    ///
    /// # Errors
    /// When there are too many.
    pub fn request(&self) -> Result<Admitted, Refused> {
        match Arc::clone(&self.requests).try_acquire_owned() {
            Ok(request) => {
                Ok(Admitted { _request: request, bytes: None, room: Arc::clone(&self.bytes), limits: self.limits })
            }
            Err(_) => Err(Refused::busy(Limit::Requests, self.limits.requests)),
        }
    }

    /// Lets one more subscription of a caller run.
    ///
    /// # Errors
    /// When the caller has too many.
    pub fn subscription(&self, caller: &Caller) -> Result<Subscribed, Refused> {
        let mut subscriptions = self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner);
        let caller = (caller.tenant().map(str::to_owned), caller.actor().to_owned());
        let count = subscriptions.entry(caller.clone()).or_default();
        if *count >= self.limits.subscriptions {
            return Err(Refused::busy(Limit::Subscriptions, self.limits.subscriptions));
        }
        *count += 1;
        Ok(Subscribed { caller, subscriptions: Arc::clone(&self.subscriptions) })
    }
}

impl Admitted {
    /// Takes so many bytes more.
    ///
    /// # Errors
    /// When all bodies together have too many.
    pub fn take(&mut self, bytes: usize) -> Result<(), Refused> {
        let more = u32::try_from(bytes).ok().and_then(|it| Arc::clone(&self.room).try_acquire_many_owned(it).ok());
        let more = more.ok_or_else(|| Refused::busy(Limit::Bodies, self.limits.bodies))?;
        match &mut self.bytes {
            Some(bytes) => bytes.merge(more),
            None => self.bytes = Some(more),
        }
        Ok(())
    }
}

impl Drop for Subscribed {
    fn drop(&mut self) {
        let mut subscriptions = self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = subscriptions.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                subscriptions.remove(&self.caller);
            }
        }
    }
}
