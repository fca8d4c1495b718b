//! The leases of the model: one holder at a time, and epochs that go up.

use std::time::Duration;

use tokio::time::Instant;
use underlay_kit::control::{LeaseSeen, LeaseServer, Taken};

use super::{Inner, ModelClient};
use crate::api::{ApiError, Fence};
use crate::host::Host;

/// A lease, with the client that has it.
#[derive(Clone)]
pub(super) struct Lease {
    holder: u64,
    epoch: u64,
    until: Instant,
}

impl Lease {
    /// Gives the lease to another client for a time.
    pub(super) fn pass_to(&mut self, holder: u64, time: Duration) {
        *self = Self { holder, epoch: self.epoch + 1, until: Instant::now() + time };
    }
}

impl Inner {
    /// Returns true if a client has a lease in this epoch.
    pub(super) fn is_held(&self, fence: &Fence, holder: u64) -> bool {
        let lease = self.data.leases.get(&fence.lease);
        lease.is_some_and(|it| it.holder == holder && it.epoch == fence.epoch && it.until > Instant::now())
    }
}

/// Returns true if a host belongs to a lease.
pub(super) fn is_lease_of(lease: &str, host: &Host) -> bool {
    let number = host.id.as_bytes()[15] % 64;
    let of_site = host.site.map(|site| format!("hosts/{site}/{number:02}"));
    lease == format!("hosts/{number:02}") || of_site.as_deref() == Some(lease)
}

/// Returns true if two leases divide the same hosts, one as a whole and the other by sites.
fn exclude(one: &str, other: &str) -> bool {
    let depth = |name: &str| if name.contains("/by/") { 0 } else { name.matches('/').count() };
    depth(one) != depth(other) && depth(one) > 0 && depth(other) > 0
}

impl LeaseServer for ModelClient {
    type Error = ApiError;

    async fn leases(&self, prefix: &str) -> Result<Vec<LeaseSeen>, ApiError> {
        let held = self.model.call(|inner, _| {
            let now = Instant::now();
            let held = inner.data.leases.iter().filter(|(name, it)| name.starts_with(prefix) && it.until > now);
            let until = |it: &Lease| (it.until - self.model.start).as_millis() as i64;
            held.map(|(name, it)| LeaseSeen { name: name.clone(), epoch: it.epoch, until: until(it) }).collect()
        });
        held.await
    }

    async fn take(&self, names: &[String], ttl: Duration) -> Result<Vec<Taken>, ApiError> {
        let taken = self.model.call(|inner, _| {
            let (now, holder) = (Instant::now(), self.holder);
            let mut taken = Vec::new();
            let others = || inner.data.leases.iter().filter(|(name, _)| names.iter().any(|own| exclude(own, name)));
            let is_first = others().next().is_none();
            if let Some((name, _)) = others().find(|(_, it)| it.until > now && it.holder != holder) {
                return Err(ApiError::Refused(format!("another one holds the lease {name}")));
            }
            for name in names {
                let old = inner.data.leases.get(name);
                if old.is_none_or(|it| it.until <= now) {
                    let epoch = old.map_or(u64::from(!is_first), |it| it.epoch) + 1;
                    inner.data.leases.insert(name.clone(), Lease { holder, epoch, until: now + ttl });
                    taken.push(Taken { name: name.clone(), epoch });
                }
            }
            Ok(taken)
        });
        taken.await?
    }

    async fn renew(&self, leases: &[Taken], ttl: Duration) -> Result<Vec<Taken>, ApiError> {
        let still = self.model.call(|inner, _| {
            let now = Instant::now();
            let mut still = Vec::new();
            for taken in leases {
                if let Some(it) = inner.data.leases.get_mut(&taken.name)
                    && (it.holder, it.epoch) == (self.holder, taken.epoch)
                    && it.until > now
                {
                    it.until = now + ttl;
                    still.push(taken.clone());
                }
            }
            still
        });
        still.await
    }

    async fn release(&self, leases: &[Taken]) -> Result<(), ApiError> {
        let released = self.model.call(|inner, _| {
            for taken in leases {
                if let Some(it) = inner.data.leases.get_mut(&taken.name)
                    && (it.holder, it.epoch) == (self.holder, taken.epoch)
                {
                    it.until = Instant::now();
                }
            }
        });
        released.await
    }
}
