//! Counts the calls of a controller to its server, so that a test can wait until the controller has done something.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use underlay_hosts::api::{
    Api, ApiError, Changes, Enlistment, Fence, Hardware, HostPage, HostsStatus, Listing, Read, Recipient, Remote,
    Report, Reported, Strays,
};
use underlay_hosts::host::Time;
use underlay_hosts::machine::Secret;
use underlay_kit::control::{LeaseSeen, LeaseServer, Position, Taken};
use uuid::Uuid;

/// The numbers of calls that a controller began. Clones are of the same controller.
#[derive(Clone, Default)]
pub(super) struct Calls(Arc<Mutex<Numbers>>);

#[derive(Default)]
struct Numbers {
    all: usize,
    rounds: usize,
    /// By the ids of hosts.
    passes: HashMap<Uuid, usize>,
}

impl Calls {
    /// Returns the number of all calls.
    pub(super) fn all(&self) -> usize {
        self.with(|numbers| numbers.all)
    }

    /// Returns the number of rounds over the leases. Between two of them are nine tenths of the time of a renewal, or more.
    pub(super) fn rounds(&self) -> usize {
        self.with(|numbers| numbers.rounds)
    }

    /// Returns the number of passes over a host. A pass begins with reading the host, and has ended when the next one
    /// begins.
    pub(super) fn passes(&self, host: Uuid) -> usize {
        self.with(|numbers| numbers.passes.get(&host).copied().unwrap_or_default())
    }

    fn with<T>(&self, then: impl FnOnce(&mut Numbers) -> T) -> T {
        then(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A server whose calls are counted.
pub(super) struct Counted {
    server: Remote,
    calls: Calls,
}

impl Counted {
    pub(super) fn new(server: Remote, calls: Calls) -> Self {
        Self { server, calls }
    }

    /// Counts a call, and returns the server that it goes to.
    fn called(&self) -> &Remote {
        self.calls.with(|numbers| numbers.all += 1);
        &self.server
    }
}

impl LeaseServer for Counted {
    type Error = ApiError;

    async fn leases(&self, prefix: &str) -> Result<Vec<LeaseSeen>, ApiError> {
        // Each round looks once which controllers there are.
        self.calls.with(|numbers| numbers.rounds += usize::from(prefix.ends_with("/by/")));
        self.called().leases(prefix).await
    }

    async fn take(&self, names: &[String], ttl: Duration) -> Result<Vec<Taken>, ApiError> {
        self.called().take(names, ttl).await
    }

    async fn renew(&self, leases: &[Taken], ttl: Duration) -> Result<Vec<Taken>, ApiError> {
        self.called().renew(leases, ttl).await
    }

    async fn release(&self, leases: &[Taken]) -> Result<(), ApiError> {
        self.called().release(leases).await
    }
}

impl Api for Counted {
    async fn hosts_status(&self, known: Option<&Position>) -> Result<HostsStatus, ApiError> {
        self.called().hosts_status(known).await
    }

    async fn has_taken_hosts(&self) -> Result<bool, ApiError> {
        self.called().has_taken_hosts().await
    }

    async fn site(&self, name: &str) -> Result<Option<Uuid>, ApiError> {
        self.called().site(name).await
    }

    async fn hosts(&self, after: Option<String>) -> Result<HostPage, ApiError> {
        self.called().hosts(after).await
    }

    async fn host(&self, id: Uuid, known: Option<&Position>) -> Result<Read, ApiError> {
        self.calls.with(|numbers| *numbers.passes.entry(id).or_default() += 1);
        self.called().host(id, known).await
    }

    async fn macs(&self, host: Uuid) -> Result<Vec<String>, ApiError> {
        self.called().macs(host).await
    }

    async fn changes(&self, after: &Position) -> Result<Changes, ApiError> {
        self.called().changes(after).await
    }

    async fn report(&self, reports: &[Report], known: Option<&Position>) -> Result<Reported, ApiError> {
        self.called().report(reports, known).await
    }

    async fn observe_only(&self, reason: &str) -> Result<(), ApiError> {
        self.called().observe_only(reason).await
    }

    async fn delete(&self, host: Uuid, fence: &Fence) -> Result<(), ApiError> {
        self.called().delete(host, fence).await
    }

    async fn enlistments(&self) -> Result<Vec<Enlistment>, ApiError> {
        self.called().enlistments().await
    }

    async fn enlist(&self, listing: &Listing) -> Result<(), ApiError> {
        self.called().enlist(listing).await
    }

    async fn report_strays(&self, strays: &Strays) -> Result<(), ApiError> {
        self.called().report_strays(strays).await
    }

    async fn hardware_reported_at(&self, host: Uuid) -> Result<Option<Time>, ApiError> {
        self.called().hardware_reported_at(host).await
    }

    async fn report_hardware(&self, hardware: &Hardware) -> Result<(), ApiError> {
        self.called().report_hardware(hardware).await
    }

    async fn secret(&self, credential: Uuid, recipient: &Recipient) -> Result<Secret, ApiError> {
        self.called().secret(credential, recipient).await
    }
}
