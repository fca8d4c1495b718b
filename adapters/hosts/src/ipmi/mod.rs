//! Machines whose BMC speaks IPMI 2.0 over a network (RMCP+), by `ipmitool`.
//!
//! Guarantees: `ipmitool` is given an address that was checked, never a name, and the password by its environment. It runs
//! without a shell, within a bounded time, and is killed when the call is dropped. An act is made once, after a look that
//! opens a session: if the session cannot be opened, the act was certainly not made. That look also reads the GUID and the
//! serial numbers of the machine: one that is another machine than the host is left alone.

mod output;
mod tool;

#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::time::Duration;

use futures_util::future::BoxFuture;
use underlay_address::{Address, Exceptions, Host, Scheme, reversed};
use underlay_kit::printable;

use self::output::{power_of, serial_of, serials_of, uuid_of};
use self::tool::{Bmc, Ended};
use crate::host::{BootMode, Power};
use crate::life::PowerAct;
use crate::machine::{
    BootDevice, CallError, Driver, Found, Identity, Same, Sight, Target, WRONG_MACHINE, compare, resolve,
};

/// The port of IPMI over a network.
const PORT: u16 = 623;
/// The longest time of a run of `ipmitool`. Two fit into a call of the controller.
const RUN_TIMEOUT: Duration = Duration::from_secs(9);

/// The calls that say which machine it is, and if it is on.
const IDENTIFY: [&str; 3] = ["mc guid", "fru print 0", "chassis power status"];
/// The beginning of the answer to the last of them, which every BMC has.
const POWER: &str = "Chassis Power is ";
/// BMCs forget the device after a minute, and large machines need longer before they look at it. This says not to (IPMI 2.0,
/// table 28-14, parameter 3). A BMC that does not know it forgets the device, and that is seen later.
const KEEP_THE_DEVICE: &str = "raw 0x00 0x08 0x03 0x08";

/// The driver of machines whose BMC speaks IPMI.
#[derive(Clone, Debug)]
pub struct Ipmi {
    exceptions: Exceptions,
    program: String,
    /// The longest time of a run of the program.
    limit: Duration,
}

impl Ipmi {
    /// Returns a driver that connects to no reserved address but the exceptions, by the program `ipmitool`.
    pub fn new(exceptions: Exceptions) -> Self {
        Self { exceptions, program: "ipmitool".to_owned(), limit: RUN_TIMEOUT }
    }

    /// Returns the BMC of a target, at an address that was checked.
    async fn reach(&self, target: &Target) -> Result<Bmc, CallError> {
        let wrong = |reason: String| refused("WrongAddress", format!("{} {reason}", target.url));
        let address = Address::parse(&target.url).map_err(|error| wrong(error.to_string()))?;
        if address.scheme != Scheme::Ipmi {
            return Err(wrong("must begin with ipmi://".to_owned()));
        }
        let allowed = self.exceptions.refuse_host(&address.host);
        allowed.map_err(|reason| wrong(format!("{reason}; allow its network at the controller")))?;
        let ip: IpAddr = match &address.host {
            Host::Ip(ip) => *ip,
            Host::Name(name) => {
                let found = resolve(name, &self.exceptions, target.allowed_hosts()).await;
                let found = found.map_err(|error| CallError::NotMade { reason: format!("{}: {error}", target.url) })?;
                *found.first().ok_or_else(|| wrong("has no address".to_owned()))?
            }
        };
        Ok(Bmc {
            program: self.program.clone(),
            url: target.url.clone(),
            ip,
            port: address.port.unwrap_or(PORT),
            secret: target.secret.clone(),
            limit: self.limit,
        })
    }

    async fn look(&self, bmc: &Bmc) -> Result<Power, CallError> {
        let Ended { output, .. } = bmc.read(&["chassis", "power", "status"]).await?;
        Ok(power_of(&output))
    }

    /// Looks at a machine before an act. One that identifies itself as another machine than the target is refused.
    async fn look_at_the_machine(&self, bmc: &Bmc, target: &Target) -> Result<Power, CallError> {
        let Some(uid) = target.uid.as_deref().map(str::trim).filter(|uid| !uid.is_empty()) else {
            return self.look(bmc).await;
        };
        let Ended { output, .. } = bmc.read_all(&IDENTIFY, POWER).await?;
        match compare_with(uid, &output) {
            Same::Yes | Same::Unknown => Ok(power_of(&output)),
            Same::No(found) => {
                let sentence = "it is another machine, and was left alone; correct bmcUrl or uid";
                let (url, found, uid) = (printable(&target.url), printable(&found), printable(uid));
                let message =
                    format!("{url} (ipmitool): the BMC has {found}, and the host has the uid {uid}: {sentence}");
                Err(refused(WRONG_MACHINE, message))
            }
        }
    }

    async fn switch(&self, target: &Target, act: PowerAct) -> Result<(), CallError> {
        let bmc = self.reach(target).await?;
        let power = self.look_at_the_machine(&bmc, target).await?;
        match word_of(act, power) {
            Some(word) => bmc.change(&["chassis", "power", word], "PowerRefused").await,
            None => Ok(()),
        }
    }

    async fn boot(&self, target: &Target, device: BootDevice) -> Result<(), CallError> {
        let bmc = self.reach(target).await?;
        self.look_at_the_machine(&bmc, target).await?;
        let name = match device {
            BootDevice::Network => "pxe",
            BootDevice::Local => "disk",
        };
        let options = match target.boot_mode {
            Some(BootMode::Uefi | BootMode::UefiSecure) => " options=efiboot",
            Some(BootMode::Bios) | None => "",
        };
        bmc.set_boot(KEEP_THE_DEVICE, name, options).await
    }
}

/// Returns what `mc guid` and `fru print` say of a machine.
fn identity_of(output: &str) -> Identity {
    let uuid = uuid_of(output).map(str::to_owned);
    let serials = serials_of(output).into_iter().map(str::to_owned);
    // BMCs disagree about the order of the bytes of the GUID.
    let aliases = serials.chain(uuid.as_deref().map(reversed)).collect();
    Identity { serial: serial_of(output), uuid, aliases }
}

/// Compares the `uid` of a host with what `mc guid` and `fru print` printed.
fn compare_with(uid: &str, output: &str) -> Same {
    let uuid = uuid_of(output).unwrap_or_default();
    let turned = reversed(uuid);
    compare(uid, &serials_of(output), &[uuid, &turned])
}

/// Returns the word of `ipmitool` for a change of power; `None` if the machine is as it should be.
fn word_of(act: PowerAct, power: Power) -> Option<&'static str> {
    match (act, power) {
        (PowerAct::On, Power::On) | (PowerAct::Off | PowerAct::ForceOff, Power::Off) => None,
        // A BMC refuses to cycle a machine that is off.
        (PowerAct::On, _) | (PowerAct::Cycle, Power::Off) => Some("on"),
        (PowerAct::Off, _) => Some("soft"),
        (PowerAct::ForceOff, _) => Some("off"),
        (PowerAct::Cycle, _) => Some("cycle"),
    }
}

fn refused(reason: &str, message: String) -> CallError {
    CallError::Refused { reason: reason.to_owned(), message }
}

impl Driver for Ipmi {
    fn identify<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Identity, CallError>> {
        Box::pin(async move {
            let bmc = self.reach(target).await?;
            // Many BMCs have no such record. The UUID is left out, because BMCs disagree about the order of its bytes.
            match bmc.read(&["fru", "print", "0"]).await {
                Ok(Ended { output, .. }) => Ok(Identity { serial: serial_of(&output), ..Identity::default() }),
                Err(CallError::Refused { .. }) => Ok(Identity::default()),
                Err(error) => Err(error),
            }
        })
    }

    fn enumerate<'a>(&'a self, appliance: &'a Target) -> BoxFuture<'a, Result<Vec<Found>, CallError>> {
        Box::pin(async move {
            let bmc = self.reach(appliance).await?;
            // A BMC that does not answer is no machine.
            self.look(&bmc).await?;
            let identity = self.identify(appliance).await?;
            let name = Address::parse(&appliance.url).map_or_else(|_| bmc.ip.to_string(), |it| it.host.to_string());
            Ok(vec![Found { name, url: appliance.url.clone(), identity, boot_mac: None }])
        })
    }

    fn power<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Power, CallError>> {
        Box::pin(async move { self.look(&self.reach(target).await?).await })
    }

    fn look<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Sight, CallError>> {
        Box::pin(async move {
            let Ended { output, .. } = self.reach(target).await?.read_all(&IDENTIFY, POWER).await?;
            Ok(Sight { identity: identity_of(&output), power: power_of(&output) })
        })
    }

    fn set_power<'a>(&'a self, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move { self.switch(target, act).await })
    }

    fn set_boot<'a>(&'a self, target: &'a Target, device: BootDevice) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move { self.boot(target, device).await })
    }
}
