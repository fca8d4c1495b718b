//! Readings of the hardware of machines, as their BMCs tell it: once a day, and when somebody asks. They change nothing.
//!
//! Guarantees: a machine is read only while no order is open for its host, and the reading is dropped when one comes
//! ([`super::turns`]). Nothing is reported of a machine that is not recognised as that of the host, before the reading and
//! after it, nor without the lease under which the reading began.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use underlay_address::Address;
use underlay_facts::Report;
use underlay_kit::control::{Held, Then, Work, bounded, jitter};
use uuid::Uuid;

use super::Shared;
use super::calls::HostBackends;
use super::daily::{Due, due};
use super::looks::MachineSeen;
use crate::api::{Api, ApiError, Fence, Hardware, Line, Part, Read};
use crate::host::Host;
use crate::life::Recognised;
use crate::machine::{CallError, Identity, Same, compare};

/// The pause before a machine is asked for again at which somebody is at work, or that is not known yet.
const BUSY_DELAY: Duration = Duration::from_secs(20);
/// The pause before a host is looked at again for which an order is open, or after the server did not answer.
const WAITING_DELAY: Duration = Duration::from_secs(60);
/// The word for a reading in the history of a host.
const ACT: &str = "read-hardware";

/// The readings of hosts, for the workers of the kit.
pub struct Readings<A: Api>(pub Arc<Shared<A>>);

/// The reason why nothing was reported.
enum Unread {
    /// There is nothing to read.
    Never,
    /// Somebody asked for it, and the driver cannot.
    Unable,
    /// It can be tried again after a pause.
    NotYet(Duration),
    /// It failed for this reason.
    Failed(String),
}

impl<A: Api + 'static> Work for Readings<A> {
    type Key = Uuid;

    async fn look(&self) -> Result<(), String> {
        // The look at the lives of hosts adds their readings.
        Ok(())
    }

    async fn work(&self, key: &Uuid) -> Then {
        let shared = &self.0;
        let Some(held) = shared.held(*key) else { return Then::Rest };
        match shared.read_if_due(&held, *key).await {
            Ok(Due::At(at)) => Then::At(shared.clock.instant(at)),
            Ok(Due::Now) => Then::At(Instant::now()),
            Err(Unread::NotYet(pause)) => Then::At(Instant::now() + jitter(pause)),
            Err(Unread::Never) => Then::Rest,
            Err(Unread::Unable) => {
                let reason = "the driver of the address reads no hardware: only BMCs that speak Redfish are read";
                shared.was_not_read(&held, *key, reason.to_owned());
                Then::Rest
            }
            Err(Unread::Failed(reason)) => {
                shared.was_not_read(&held, *key, reason);
                Then::At(Instant::now() + jitter(shared.timing.reading_retry))
            }
        }
    }
}

impl From<ApiError> for Unread {
    fn from(error: ApiError) -> Self {
        match error {
            // Another controller has the lease by now, or the server does not take the report.
            ApiError::Refused(reason) => Self::Failed(reason),
            ApiError::Unreachable(_) | ApiError::NoSuchPosition => Self::NotYet(WAITING_DELAY),
        }
    }
}

impl From<CallError> for Unread {
    fn from(error: CallError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl<A: Api> Shared<A> {
    /// Returns a time for the first look if a host is due, at random, so that not all are asked for at once.
    pub(super) fn first_reading(&self) -> Instant {
        Instant::now() + self.timing.first_readings.mul_f64(rand::random())
    }

    /// Has the hardware of a host read soon, if somebody asked for that since the host was read last.
    pub(super) fn plan_reading(&self, host: &Host) {
        let known = self.cache.host(host.id).and_then(|known| known.hardware_asked);
        if host.hardware_asked.is_some() && host.hardware_asked != known {
            self.readings.add(host.id);
        }
    }

    /// Reads the hardware of a host and reports it, if it is due. Returns the time at which it is due next.
    async fn read_if_due(&self, held: &Held, id: Uuid) -> Result<Due, Unread> {
        let host = self.cache.host(id).ok_or(Unread::NotYet(BUSY_DELAY))?;
        self.readable(&host)?;
        let turn = self.turns.read(id, bmc(&host)).ok_or(Unread::NotYet(BUSY_DELAY))?;
        let began = self.clock.now();
        let reading = async {
            match self.due(&host).await? {
                Due::Now => self.read_hardware(held, id).await.map(|()| None),
                Due::At(at) => Ok(Some(at)),
            }
        };
        match turn.run(reading).await.unwrap_or(Err(Unread::NotYet(BUSY_DELAY)))? {
            Some(at) => Ok(Due::At(at)),
            None => {
                self.cache.was_read(id, began);
                Ok(due(id, Some(began), None, self.clock.now()))
            }
        }
    }

    /// Returns the time at which a host is due.
    async fn due(&self, host: &Host) -> Result<Due, Unread> {
        // The time of the report is that of the server's own clock, which can differ from that of the database.
        let reported = self.api.hardware_reported_at(host.id).await?.max(self.cache.read_at(host.id));
        Ok(due(host.id, reported, host.hardware_asked, self.clock.now()))
    }

    /// Returns the means to read the hardware of a host.
    fn readable(&self, host: &Host) -> Result<HostBackends, Unread> {
        if !self.is_here(host.site) || self.scope.refuses(host).is_some() || host.deleting {
            return Err(Unread::Never);
        }
        let backends = self.backends(host).map_err(|_| Unread::Never)?;
        match backends.driver.hardware() {
            Some(_) => Ok(backends),
            None if host.hardware_asked.is_some() => Err(Unread::Unable),
            None => Err(Unread::Never),
        }
    }

    /// Reads the hardware of a host and reports it.
    async fn read_hardware(&self, held: &Held, id: Uuid) -> Result<(), Unread> {
        let host = self.idle_host(id).await?;
        let backends = self.readable(&host)?;
        let Some(reader) = backends.driver.hardware() else { return Err(Unread::Never) };
        let identity = self.confirm(&backends, &host).await?;

        let target = self.target(&host).await?;
        // The driver keeps the time of its reads. What comes before them has the time of a call.
        let end = Instant::now() + self.timing.reading + self.timing.call;
        let late = || CallError::Unanswered { reason: "the BMC did not answer in time".to_owned() };
        let read = bounded(end, reader.read(&target, self.timing.reading)).await;
        let report = read.unwrap_or_else(|_| Err(late()))?;
        if is_of_another(&report, &identity) {
            let message = "the machine said another UUID or serial number while its hardware was read";
            return Err(Unread::Failed(message.to_owned()));
        }

        // The address may lead to another machine by now, and the host may have another address.
        let now = self.idle_host(id).await?;
        if now.bmc_url != host.bmc_url {
            return Err(Unread::NotYet(BUSY_DELAY));
        }
        self.confirm(&self.readable(&now)?, &now).await?;
        let fence = Fence { lease: held.name.clone(), epoch: held.epoch };
        if self.held(id).is_none_or(|it| (it.name, it.epoch) != (fence.lease.clone(), fence.epoch)) {
            return Err(Unread::Never);
        }
        Ok(self.api.report_hardware(&Hardware { host: id, fence, report }).await?)
    }

    /// Reads a host for which nothing is to be done now.
    async fn idle_host(&self, id: Uuid) -> Result<Host, Unread> {
        let Read { host, status } = self.api.host(id, self.safety.known().as_ref()).await?;
        self.clock.set(status.now);
        // The machines of another graph than the known one are not those that it names.
        self.safety.check_graph(&status).map_err(|_| Unread::NotYet(WAITING_DELAY))?;
        let host = host.ok_or(Unread::Never)?;
        match host.order().is_some() || host.current_step().is_some() {
            true => Err(Unread::NotYet(WAITING_DELAY)),
            false => Ok(host),
        }
    }

    /// Checks that the machine is that of the host. Returns what it says of itself.
    async fn confirm(&self, backends: &HostBackends, host: &Host) -> Result<Identity, Unread> {
        let seen = self.see(backends, host).await.inspect_err(|_| self.lives.add(host.id));
        let MachineSeen { machine, sight, .. } = seen?;
        match machine {
            Recognised::Known => Ok(sight.identity),
            // A poll notes what it says, and the next look compares it with that.
            Recognised::Learned => Err(Unread::NotYet(WAITING_DELAY)),
            Recognised::Silent => {
                let message = "the machine says nothing of itself by which it could be recognised, so nobody knows if this \
                               is its hardware";
                Err(Unread::Failed(message.to_owned()))
            }
        }
    }

    /// Notes in the history of a host why its hardware was not read, once for each reason.
    fn was_not_read(&self, held: &Held, id: Uuid, reason: String) {
        let message = format!("nothing was reported: {reason}");
        if self.cache.could_not_be_read(id, reason) {
            let fence = Fence { lease: held.name.clone(), epoch: held.epoch };
            let line = Line { at: self.clock.now(), act: ACT.to_owned(), message, part: Part::Whole };
            self.reporter.acted(id, fence, line);
        }
    }
}

/// Returns true if the hardware is certainly not that of the machine that said this of itself right before.
fn is_of_another(report: &Report, identity: &Identity) -> bool {
    let Some(system) = report.sections.system.as_ref().map(|system| &system.found) else { return false };
    let differs = |uid: &Option<String>, serials: &[&str], uuids: &[&str]| {
        uid.as_ref().is_some_and(|uid| matches!(compare(uid, serials, uuids), Same::No(_)))
    };
    let [serial, uuid] = [&identity.serial, &identity.uuid].map(|text| text.as_deref());
    differs(&system.uuid, &[], uuid.as_slice()) || differs(&system.serial, serial.as_slice(), &[])
}

/// Returns the BMC of a host: several systems can have one.
fn bmc(host: &Host) -> String {
    let url = host.bmc_url.as_deref().unwrap_or_default();
    match Address::parse(url) {
        Ok(address) => format!("{}:{}", address.host, address.port.map(|port| port.to_string()).unwrap_or_default()),
        Err(_) => url.to_owned(),
    }
}
