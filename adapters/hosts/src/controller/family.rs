//! The leases that a controller shares with others: those of all hosts, or those of the hosts at its site.
//!
//! Guarantee: at a site, a host that comes from another one is acted on only when the calls of that site's controllers are
//! over. They do not act on a host that they read or wrote more than half of a time-out ago, so their last call is over one
//! and a half time-outs after the move. Controllers of the new site wait for two, because a server can be a little behind.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use underlay_kit::control::{BackOff, Held, Leases, Status};
use uuid::Uuid;

use super::{HOST_LEASES, Shared, lease_of};
use crate::api::Api;
use crate::host::Host;

/// The leases of a controller.
pub struct Family<A> {
    /// The leases, of which others hold some.
    pub leases: Leases<A>,
    /// The id of the site of the hosts; `None` for all hosts.
    site: Option<Uuid>,
}

impl<A: Api> Shared<A> {
    /// Finds the site that the controller serves, again and again until the server knows it, and its leases.
    pub(super) async fn find_family(&self, status: &Arc<Status>) {
        let mut pauses = BackOff::new(Duration::from_secs(1), Duration::from_secs(30));
        loop {
            match self.find_site().await {
                Ok(site) => {
                    let prefix = site.map_or_else(|| "hosts".to_owned(), |site| format!("hosts/{site}"));
                    let (api, timing) = (Arc::clone(&self.api), self.timing.leases);
                    let leases = Leases::new(api, &prefix, HOST_LEASES, &self.name, timing, Arc::clone(status));
                    self.family.get_or_init(|| Family { leases, site });
                    return;
                }
                Err(reason) => status.leased(0, Some(reason)),
            }
            sleep(pauses.failed(())).await;
        }
    }

    async fn find_site(&self) -> Result<Option<Uuid>, String> {
        let Some(name) = &self.scope.site else { return Ok(None) };
        match self.api.site(name).await {
            Ok(Some(site)) => Ok(Some(site)),
            Ok(None) => Err(format!("there is no site {name}: create it, or start the controller with another site")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns the lease of a host or an appliance, if it is held. It counts for those at the site alone.
    pub(super) fn held(&self, id: Uuid) -> Option<Held> {
        self.held_of(lease_of(id))
    }

    /// Returns the lease with this index, if it is held.
    pub(super) fn held_of(&self, index: usize) -> Option<Held> {
        self.family.get()?.leases.held(index)
    }

    /// Returns true if the controller is there for a site.
    pub(super) fn is_here(&self, site: Option<Uuid>) -> bool {
        self.family.get().is_some_and(|family| family.site.is_none_or(|own| site == Some(own)))
    }

    /// Notes that a host is at another site.
    pub(super) fn leaves(&self, host: &Host) {
        self.cache.left(host);
        self.reporter.forget(host.id);
    }

    /// Notes that the server had a host at this site at a time. Returns the time from which on it may be acted on.
    pub(super) fn is_at_site(&self, host: Uuid, at: Instant) -> Option<Instant> {
        let since = self.cache.is_at_site(host, at);
        self.family.get()?.site.map(|_| since + self.timing.call * 2)
    }

    /// Returns true if it is too long ago that the server had a host at this site: it may have moved since.
    pub(super) fn may_have_moved(&self, host: Uuid) -> bool {
        let is_at_site = self.family.get().is_some_and(|family| family.site.is_some());
        let is_old = |at: Instant| at.elapsed() > self.timing.call / 2;
        is_at_site && self.cache.was_at_site(host).is_none_or(is_old)
    }
}
