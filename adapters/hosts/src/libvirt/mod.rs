//! Virtual machines of libvirt, by `virsh`.
//!
//! Guarantees: all addresses of a name are checked just before each run of `virsh`, which resolves it again. `virsh` runs
//! without a shell, with three variables of the environment, within a bounded time, and is killed with its process group when
//! the call is dropped. It gets a UUID in the place of a name, and no text of the inventory as an argument. Secrets go by
//! files that only the user of the controller can read. A domain with another UUID than the host is left alone. A change is
//! made once, after a look at the domain: if that fails, the change was certainly not made.
//!
//! libvirt has no boot device for one boot. The wish is a note in the metadata of the domain, and the definition stays as it
//! is. When the domain is switched on here, the note is removed, and the domain is created from its definition with another
//! boot order; libvirt keeps the definition of a domain that is created in this way.

mod credential_files;
mod domain;
mod domain_address;
mod lanes;
mod output;
mod session;
#[cfg(all(test, unix))]
mod tests;
mod virsh;

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::timeout;
use underlay_address::{Address, Exceptions};

use self::credential_files::{AUTHORITIES, open};
use self::domain_address::DomainAddress;
use self::lanes::Lanes;
use self::session::Session;
use self::virsh::Virsh;
use crate::host::Power;
use crate::life::PowerAct;
use crate::machine::{BootDevice, CallError, Driver, Found, Identity, Target};

/// The driver of virtual machines of libvirt.
#[derive(Debug)]
pub struct Libvirt {
    exceptions: Exceptions,
    program: String,
    authorities: PathBuf,
    limits: Limits,
    lanes: Lanes,
}

/// The longest times of the parts of a call. Together they are shorter than the time limit of the controller, so that it
/// never drops a change that was not sent.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// For a look at a domain, with the wait for a turn.
    look: Duration,
    change: Duration,
    /// For a list of all domains.
    list: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { look: Duration::from_secs(7), change: Duration::from_secs(11), list: Duration::from_secs(18) }
    }
}

impl Libvirt {
    /// Returns a driver that connects to no reserved address but the exceptions, by the program `virsh`.
    pub fn new(exceptions: Exceptions) -> Self {
        Self {
            exceptions,
            program: "virsh".to_owned(),
            authorities: AUTHORITIES.into(),
            limits: Limits::default(),
            lanes: Lanes::default(),
        }
    }

    async fn reach(&self, target: &Target) -> Result<Session<'_>, CallError> {
        let address = DomainAddress::parse(target, &self.exceptions)?;
        let turn = self.lanes.turn(&address.appliance).await;
        let opened = open(&address, target, &self.authorities)?;
        let virsh = Virsh { program: &self.program, exceptions: &self.exceptions, address, opened };
        Ok(Session { virsh, _turn: turn })
    }

    async fn switch(&self, target: &Target, act: PowerAct) -> Result<(), CallError> {
        let prepared = async {
            let session = self.reach(target).await?;
            let change = session.prepare(act, target).await?;
            Ok((session, change))
        };
        let (session, change) = looking(target, self.limits.look, prepared).await?;
        changing(target, self.limits.change, session.make(change)).await
    }

    async fn boot(&self, target: &Target, device: BootDevice) -> Result<(), CallError> {
        let prepared = async {
            let session = self.reach(target).await?;
            let domain = session.prepare_boot(device, target).await?;
            Ok((session, domain.to_string()))
        };
        let (session, domain) = looking(target, self.limits.look, prepared).await?;
        changing(target, self.limits.change, session.wish(device, &domain)).await
    }
}

/// Ends reads in time.
async fn looking<T>(
    target: &Target,
    limit: Duration,
    reads: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    timeout(limit, reads).await.unwrap_or_else(|_| Err(CallError::NotMade { reason: late(target, limit) }))
}

/// Ends a change in time. Nobody knows if one that is ended was made.
async fn changing(
    target: &Target,
    limit: Duration,
    change: impl Future<Output = Result<(), CallError>>,
) -> Result<(), CallError> {
    let made = timeout(limit, change).await;
    made.unwrap_or_else(|_| Err(CallError::Unanswered { reason: late(target, limit) })).map_err(|error| match error {
        CallError::Unanswered { reason } => {
            CallError::Unanswered { reason: format!("{reason}; nobody knows if it was done: look at the machine") }
        }
        error => error,
    })
}

fn late(target: &Target, limit: Duration) -> String {
    format!("{}: virsh did not end within {} s and was killed", underlay_kit::printable(&target.url), limit.as_secs())
}

fn refused(reason: &str, message: String) -> CallError {
    CallError::Refused { reason: reason.to_owned(), message }
}

impl Driver for Libvirt {
    fn identify<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Identity, CallError>> {
        Box::pin(looking(target, self.limits.look, async { Ok(self.reach(target).await?.domain().await?.identity()) }))
    }

    fn enumerate<'a>(&'a self, appliance: &'a Target) -> BoxFuture<'a, Result<Vec<Found>, CallError>> {
        Box::pin(looking(appliance, self.limits.list, async { self.reach(appliance).await?.list().await }))
    }

    fn power<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Power, CallError>> {
        Box::pin(looking(target, self.limits.look, async {
            let info = self.reach(target).await?.info().await?;
            // A domain that is paused, suspended or shutting down is in use.
            Ok(if info.is_active { Power::On } else { Power::Off })
        }))
    }

    fn named(&self, target: &Target) -> Identity {
        // A domain is created with its UUID, and keeps it when it moves.
        let address = Address::parse(&target.url).ok();
        Identity { uuid: address.and_then(|address| address.machine), ..Identity::default() }
    }

    fn set_power<'a>(&'a self, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(self.switch(target, act))
    }

    fn set_boot<'a>(&'a self, target: &'a Target, device: BootDevice) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(self.boot(target, device))
    }

    fn takes_keys(&self) -> bool {
        true
    }
}
