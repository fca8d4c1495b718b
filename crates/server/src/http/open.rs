//! Long-lived connections. Their number is bounded, in total, for each caller and for each tenant, and they end in
//! order when the server stops. A connection whose client is not known yet has none of these places (`arriving`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::gauge;
use thiserror::Error;
use tokio::sync::{mpsc, watch};

use super::arrivals::{Arrivals, Arriving};
use underlay_engine::access::{Caller, CallerKey};

/// The most connections at a time.
const MAX_CONNECTIONS: usize = 20_000;
/// The most connections of one tenant, so that no tenant takes the room of all others.
const MAX_TENANT_CONNECTIONS: usize = 5_000;
/// The name of the metric with the number of connections.
pub const OPEN_CONNECTIONS: &str = "underlay_open_connections";

/// A reason why a connection has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooMany {
    #[error("there are too many connections: try again later")]
    All,
    #[error("this caller has too many connections for subscriptions: at most {0} are allowed")]
    OfCaller(usize),
    #[error("the tenant has too many connections for subscriptions: at most {0} are allowed")]
    OfTenant(usize),
}

/// All long-lived connections. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Opened {
    bounds: Bounds,
    counts: Arc<Mutex<Counts>>,
    arrivals: Arrivals,
    stopping: watch::Receiver<bool>,
    /// Each connection holds a sender, so the receiver ends with the last connection.
    open: mpsc::Sender<()>,
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    all: usize,
    of_tenant: usize,
}

/// The number of connections.
#[derive(Debug, Default)]
struct Counts {
    all: usize,
    callers: HashMap<CallerKey, usize>,
    tenants: HashMap<String, usize>,
}

/// A long-lived connection of a known client, which counts until it is dropped.
#[derive(Debug)]
pub struct Open {
    counts: Arc<Mutex<Counts>>,
    caller: CallerKey,
    tenant: Option<String>,
    stopping: watch::Receiver<bool>,
    _open: mpsc::Sender<()>,
}

/// The place of a connection: among those whose clients are not known yet, and then among all others.
#[derive(Debug)]
pub struct Place {
    arriving: Option<Arriving>,
    _open: Option<Open>,
}

impl Opened {
    /// Creates the bounds. `stopping` reports that the server stops. The returned receiver ends with the last
    /// connection.
    pub fn new(stopping: watch::Receiver<bool>) -> (Self, mpsc::Receiver<()>) {
        Self::with_bounds(stopping, Bounds { all: MAX_CONNECTIONS, of_tenant: MAX_TENANT_CONNECTIONS })
    }

    fn with_bounds(stopping: watch::Receiver<bool>, bounds: Bounds) -> (Self, mpsc::Receiver<()>) {
        let (open, ended) = mpsc::channel(1);
        let (counts, arrivals) = (Arc::default(), Arrivals::default());
        (Self { bounds, counts, arrivals, stopping, open }, ended)
    }

    /// Counts a further connection of a caller.
    ///
    /// # Errors
    /// Returns an error if there are too many.
    pub fn begin(&self, caller: &Caller) -> Result<Open, TooMany> {
        let (key, tenant) = (caller.key(), caller.tenant().map(str::to_owned));
        let mut counts = lock(&self.counts);
        let share = self.bounds.all.div_ceil(2);
        if counts.all >= self.bounds.all {
            return Err(TooMany::All);
        }
        if counts.callers.get(&key).is_some_and(|count| *count >= share) {
            return Err(TooMany::OfCaller(share));
        }
        let of_tenant = tenant.as_ref().and_then(|tenant| counts.tenants.get(tenant));
        if of_tenant.is_some_and(|count| *count >= self.bounds.of_tenant) {
            return Err(TooMany::OfTenant(self.bounds.of_tenant));
        }
        counts.all += 1;
        *counts.callers.entry(key.clone()).or_default() += 1;
        if let Some(tenant) = &tenant {
            *counts.tenants.entry(tenant.clone()).or_default() += 1;
        }
        gauge!(OPEN_CONNECTIONS).increment(1);
        let (counts, stopping) = (Arc::clone(&self.counts), self.stopping.clone());
        Ok(Open { counts, caller: key, tenant, stopping, _open: self.open.clone() })
    }

    /// Returns the connections whose clients are not known yet.
    pub fn arrivals(&self) -> &Arrivals {
        &self.arrivals
    }

    /// Returns a receiver that reports that the server stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.clone()
    }
}

impl Open {
    /// Returns a receiver that reports that the server stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.clone()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        gauge!(OPEN_CONNECTIONS).decrement(1);
        let mut counts = lock(&self.counts);
        counts.all -= 1;
        take_one(&mut counts.callers, &self.caller);
        if let Some(tenant) = &self.tenant {
            take_one(&mut counts.tenants, tenant);
        }
    }
}

impl Place {
    /// Creates the place of a connection whose client is not known yet.
    pub fn of(arriving: Arriving) -> Self {
        Self { arriving: Some(arriving), _open: None }
    }

    /// Moves the connection among those whose clients are known.
    pub fn open(&mut self, open: Open) {
        *self = Self { arriving: None, _open: Some(open) };
    }

    /// Waits until the place is needed by others.
    pub async fn is_lost(&mut self) {
        match &mut self.arriving {
            Some(arriving) => arriving.is_displaced().await,
            None => std::future::pending().await,
        }
    }
}

/// Counts one less, and removes an entry that counts nothing.
fn take_one<K: Eq + std::hash::Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

fn lock(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until the server stops, or its process drops the sender.
pub async fn stopped(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_the_room_of_others() {
        let bounds = Bounds { all: 6, of_tenant: 2 };
        let (opened, _ended) = Opened::with_bounds(watch::channel(false).1, bounds);
        let begin = |tenant: Option<&str>, actor: &str| opened.begin(&Caller::of_tenant(tenant, actor));
        let of_blue = [begin(Some("blue"), "ann"), begin(Some("blue"), "bob")];
        assert!(of_blue.iter().all(Result::is_ok));
        assert_eq!(begin(Some("blue"), "cid").err(), Some(TooMany::OfTenant(2)));
        let others = [begin(Some("red"), "ann"), begin(None, "ann"), begin(None, "ann"), begin(None, "ann")];
        assert!(others.iter().all(Result::is_ok), "there is room for others");
        assert_eq!(begin(None, "bob").err(), Some(TooMany::All));
        drop(of_blue);
        assert_eq!(begin(None, "ann").err(), Some(TooMany::OfCaller(3)), "half is for others");
        assert!(begin(Some("blue"), "ann").is_ok(), "those that ended are not counted");
        drop(others);
        let counts = lock(&opened.counts);
        assert!(counts.all == 0 && counts.callers.is_empty() && counts.tenants.is_empty(), "{counts:?}");
    }
}
