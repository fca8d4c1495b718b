//! Long-lived connections. Their number is bounded, in total and for each tenant, and they end in order when the server
//! stops.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use metrics::gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};

/// The most connections at a time.
const MAX_CONNECTIONS: usize = 20_000;
/// The most connections of one tenant, so that no tenant takes the room of all others.
pub const MOST_OF_TENANT: usize = 5_000;
/// The name of the metric with the number of connections.
pub const OPEN: &str = "underlay_open_connections";

/// The number of connections of each tenant.
type CountsByTenant = Arc<Mutex<HashMap<String, usize>>>;

/// All long-lived connections. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Opened {
    room: Arc<Semaphore>,
    of_tenant: usize,
    tenants: CountsByTenant,
    stopping: watch::Receiver<bool>,
    /// Each connection holds a sender, so the receiver ends with the last connection.
    open: mpsc::Sender<()>,
}

/// A long-lived connection, which counts until it is dropped.
#[derive(Debug)]
pub struct Open {
    _room: OwnedSemaphorePermit,
    of_tenant: usize,
    tenants: CountsByTenant,
    tenant: Option<String>,
    stopping: watch::Receiver<bool>,
    _open: mpsc::Sender<()>,
}

impl Opened {
    /// Creates the bounds. `stopping` reports that the server stops. The returned receiver ends with the last
    /// connection.
    pub fn new(stopping: watch::Receiver<bool>) -> (Self, mpsc::Receiver<()>) {
        Self::with_room(stopping, MAX_CONNECTIONS, MOST_OF_TENANT)
    }

    fn with_room(stopping: watch::Receiver<bool>, most: usize, of_tenant: usize) -> (Self, mpsc::Receiver<()>) {
        let (open, ended) = mpsc::channel(1);
        (Self { room: Arc::new(Semaphore::new(most)), of_tenant, tenants: Arc::default(), stopping, open }, ended)
    }

    /// Counts a further connection. Returns `None` if there are too many.
    pub fn begin(&self) -> Option<Open> {
        let room = Arc::clone(&self.room).try_acquire_owned().ok()?;
        gauge!(OPEN).increment(1);
        Some(Open {
            _room: room,
            of_tenant: self.of_tenant,
            tenants: Arc::clone(&self.tenants),
            tenant: None,
            stopping: self.stopping.clone(),
            _open: self.open.clone(),
        })
    }
}

impl Open {
    /// Counts the connection for the tenant of its client, once the tenant is known. Returns false if the tenant has
    /// too many.
    pub fn is_of(&mut self, tenant: Option<&str>) -> bool {
        let Some(tenant) = tenant else { return true };
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        let count = tenants.get(tenant).copied().unwrap_or_default();
        if self.tenant.is_some() || count >= self.of_tenant {
            return self.tenant.as_deref() == Some(tenant);
        }
        tenants.insert(tenant.to_owned(), count + 1);
        self.tenant = Some(tenant.to_owned());
        true
    }

    /// Returns a receiver that reports that the server stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.clone()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        gauge!(OPEN).decrement(1);
        let Some(tenant) = self.tenant.take() else { return };
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = tenants.get_mut(&tenant) {
            *count -= 1;
            if *count == 0 {
                tenants.remove(&tenant);
            }
        }
    }
}

/// Waits until the server stops, or its process drops the sender.
pub async fn stopped(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tenant_takes_the_room_of_others() {
        let (opened, _ended) = Opened::with_room(watch::channel(false).1, 4, 2);
        let begin = |tenant: Option<&str>| {
            let mut open = opened.begin()?;
            open.is_of(tenant).then_some(open)
        };
        let of_blue = [begin(Some("blue")), begin(Some("blue"))];
        assert!(of_blue.iter().all(Option::is_some) && begin(Some("blue")).is_none());
        let others = [begin(Some("red")), begin(None)];
        assert!(others.iter().all(Option::is_some), "there is room for others");
        assert!(begin(None).is_none(), "there are as many as may be");
        drop(of_blue);
        assert!(begin(Some("blue")).is_some(), "those that ended are not counted");
        let mut open = opened.begin().expect("room");
        assert!(open.is_of(Some("blue")) && open.is_of(Some("blue")), "a connection is counted once");
        assert_eq!(opened.tenants.lock().expect("nothing panics").get("blue"), Some(&1));
    }
}
