//! The driver of machines whose BMC speaks Redfish (DMTF DSP0266 and DSP0268).
//!
//! [`Redfish`] is the driver. A call reads the service root, finds the system of the machine, and reads or changes it. The
//! choices are pure functions: which system, which reset, which override of the boot device.
//!
//! Guarantees:
//! - A connection goes to an address that was checked. Neither redirects nor proxies are followed, and a link leads to the
//!   host of the address, whatever it says.
//! - Each call over HTTP has a time-out, an answer at most 4 MiB, a collection at most 1,000 members. Only reads are repeated.
//! - An act that was not sent is reported as not made, and one without an answer as unanswered.
//! - The hardware of a machine is read by reads alone, one after the other ([`Redfish::hardware`]).
//! - A system with another UUID or serial number than the host is left alone.
//! - Secrets are in no message. Sessions are deleted at the end ([`Redfish::keep`]).

mod bmc;
mod boot;
mod call;
mod failure;
mod inventory;
mod pool;
mod reset;
mod resolver;
mod resource;
mod system;
mod system_address;
mod systems;

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use chrono::Utc;
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use reqwest::Method;
use serde_json::{Map, Value, json};
use tokio::time::{sleep, timeout};
use underlay_address::Exceptions;
use underlay_facts::{AgentProgram, FORMAT, Report};
use underlay_hosts::host::Power;
use underlay_hosts::life::PowerAct;
use underlay_hosts::machine::{BootDevice, CallError, Driver, Found, HardwareReader, Identity, Sight, Target};

use self::bmc::Bmc;
pub use self::bmc::Pace;
use self::boot::{NoBoot, Wish};
use self::call::{Call, Effect};
use self::failure::RedfishError;
pub use self::inventory::Bounds;
use self::pool::Pool;
use self::reset::Reset;
use self::resource::{Resource, member, object, text, texts};
use self::system_address::SystemAddress;

/// The time after which the session of a BMC that nobody calls is deleted. It is longer than the time between two polls.
const UNUSED_SESSION_LIFETIME: Duration = Duration::from_secs(600);
/// The time between two looks for such sessions.
const SESSION_CHECK_INTERVAL: Duration = Duration::from_secs(60);
/// The longest time in which sessions are deleted at the end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum number of systems of an appliance whose interfaces are read for the MAC address that they boot from. Each
/// takes several calls, and a listing has 20 seconds.
const MAX_SYSTEMS_WITH_MACS: usize = 64;
/// The number of calls to an appliance at once.
const AT_ONCE: usize = 8;

/// The driver of machines whose BMC speaks Redfish.
pub struct Redfish {
    pool: Pool,
    exceptions: Exceptions,
    boot_uri: Option<String>,
    pace: Pace,
}

impl Redfish {
    /// Returns a driver that connects to no reserved address but the exceptions. `boot_uri` is what the firmware of machines
    /// fetches in a boot over HTTP; without it, DHCP says so.
    pub fn new(exceptions: Exceptions, boot_uri: Option<String>, pace: Pace) -> Self {
        Self { pool: Pool::default(), exceptions, boot_uri, pace }
    }

    /// Deletes sessions that are not needed any more, until `end` comes, and then all of them.
    pub async fn keep(&self, end: impl Future<Output = ()>) {
        let look = async {
            loop {
                sleep(SESSION_CHECK_INTERVAL).await;
                self.pool.close_unused(UNUSED_SESSION_LIFETIME).await;
            }
        };
        tokio::select! {
            () = end => {}
            () = look => {}
        }
        // Those that are left end by themselves, after the time-out that their BMCs have for sessions.
        drop(timeout(SHUTDOWN_TIMEOUT, self.pool.close_unused(Duration::ZERO)).await);
    }

    /// Reads the hardware of a machine, as its BMC tells it. A BMC is read for one machine at a time; others wait, and acts
    /// do not. What cannot be read is named in the report.
    ///
    /// # Errors
    /// Returns an error if the machine cannot be found, or if it is another one.
    pub async fn hardware(&self, target: &Target, bounds: Bounds) -> Result<Report, CallError> {
        let (_, bmc, system) = self.system(target).await?;
        let _turn = bmc.turn_to_be_read().await;
        let sections = inventory::read(&bmc, &system, bounds).await;
        let agent = AgentProgram { version: env!("CARGO_PKG_VERSION").to_owned() };
        Ok(Report { format: FORMAT, agent, observed_at: Utc::now(), sections })
    }

    fn reach(&self, target: &Target) -> Result<(SystemAddress, Arc<Bmc>), RedfishError> {
        let address = SystemAddress::parse(&target.url, &self.exceptions)?;
        let make = || Bmc::new(address.root.clone(), target, &self.exceptions, self.pace);
        let bmc = self.pool.get(&address.root, target, make)?;
        Ok((address, bmc))
    }

    /// Finds the system of a target.
    async fn system(&self, target: &Target) -> Result<(SystemAddress, Arc<Bmc>, Resource), RedfishError> {
        let (address, bmc) = self.reach(target)?;
        let system = self.prepared(&address, systems::find(&bmc, &address, target)).await?;
        Ok((address, bmc, system))
    }

    /// Ends the reads before an act in time, so that the controller never drops an act that was not sent.
    async fn prepared<T>(
        &self,
        address: &SystemAddress,
        reads: impl Future<Output = Result<T, RedfishError>>,
    ) -> Result<T, RedfishError> {
        timeout(self.pace.prepare, reads).await.unwrap_or_else(|_| {
            let reason = format!("the BMC did not answer within {} s", self.pace.prepare.as_secs());
            Err(RedfishError::ReadUnanswered { call: format!("GET {}", address.root), reason })
        })
    }

    async fn list(&self, appliance: &Target) -> Result<Vec<Found>, RedfishError> {
        let (address, bmc) = self.reach(appliance)?;
        let systems = systems::all(&bmc, &address).await?;
        let names = names(&systems);
        let has_macs = systems.len() <= MAX_SYSTEMS_WITH_MACS;
        let found = stream::iter(systems.into_iter().zip(names)).map(|(system, name)| {
            let (start, bmc) = (&address.start, &bmc);
            async move {
                let boot_mac = if has_macs { only_mac(bmc, &system).await } else { None };
                let url = format!("{start}{}", system.url.path());
                Found { name, url, identity: system::identity(&system), boot_mac }
            }
        });
        Ok(found.buffered(AT_ONCE).collect().await)
    }

    async fn switch(&self, target: &Target, act: PowerAct) -> Result<(), RedfishError> {
        let (address, bmc) = self.reach(target)?;
        let reads = async {
            let system = systems::find(&bmc, &address, target).await?;
            let allowed = allowed(&bmc, &system).await?;
            Ok((system, allowed))
        };
        let (system, allowed) = self.prepared(&address, reads).await?;
        match reset::choose(act, system::state(&system), allowed.as_deref()) {
            Reset::Nothing => Ok(()),
            Reset::Type(name) => {
                let usual = format!("{}/Actions/ComputerSystem.Reset", system.url.path().trim_end_matches('/'));
                let link = action(&system).and_then(|action| text(action, "target")).unwrap_or(&usual);
                let url = system.resolve(link, "Actions.#ComputerSystem.Reset.target")?;
                let body = json!({ "ResetType": name });
                bmc.change(Call::change(Method::POST, url, body, Effect::Power), &system).await
            }
            Reset::NotOffered(wanted) => Err(RedfishError::NotOffered {
                word: "PowerRefused",
                call: system.call.to_string(),
                reason: not_offered(act, wanted, &allowed.unwrap_or_default()),
            }),
        }
    }

    async fn boot(&self, target: &Target, device: BootDevice) -> Result<(), RedfishError> {
        let (address, bmc, system) = self.system(target).await?;
        let wish = Wish { scheme: address.scheme, device, mode: target.boot_mode, uri: self.boot_uri.as_deref() };
        let change = boot::change(&system.members, wish);
        let body = change.map_err(|reason| RedfishError::NotOffered {
            word: "BootRefused",
            call: system.call.to_string(),
            reason: match reason {
                NoBoot::NoImage => {
                    "the address asks for virtual media, and this controller has no image to insert; use \
                                    redfish:// for PXE or redfish-uefihttp:// in bmcUrl"
                }
                NoBoot::NotOffered => {
                    "the system offers no boot from the network; allow PXE or HTTP boot in its firmware"
                }
            }
            .to_owned(),
        })?;
        bmc.change(Call::change(Method::PATCH, system.url.clone(), body, Effect::Boot), &system).await
    }
}

/// Returns the action that resets a system.
fn action(system: &Resource) -> Option<&Map<String, Value>> {
    object(&system.members, "Actions").and_then(|actions| object(actions, "#ComputerSystem.Reset"))
}

/// Returns the resets that a system allows. Some have them apart, in the resource of `@Redfish.ActionInfo` (DSP0266).
///
/// # Errors
/// Returns an error if the link to that resource is none.
async fn allowed(bmc: &Bmc, system: &Resource) -> Result<Option<Vec<String>>, RedfishError> {
    let Some(action) = action(system) else { return Ok(None) };
    if let Some(allowed) = texts(action, "ResetType@Redfish.AllowableValues") {
        return Ok(Some(allowed));
    }
    let Some(link) = text(action, "@Redfish.ActionInfo") else { return Ok(None) };
    let info = bmc.read(system.resolve(link, "Actions.#ComputerSystem.Reset.@Redfish.ActionInfo")?).await;
    // A system that does not say what it allows is given the usual resets.
    let Ok(info) = info else { return Ok(None) };
    let parameters = member(&info.members, "Parameters").and_then(Value::as_array);
    let mut parameters = parameters.into_iter().flatten().filter_map(Value::as_object);
    let reset = parameters.find(|it| text(it, "Name") == Some("ResetType"));
    Ok(reset.and_then(|it| texts(it, "AllowableValues")))
}

fn not_offered(act: PowerAct, wanted: &[&str], allowed: &[String]) -> String {
    let advice = match act {
        PowerAct::Off => "order again with force",
        PowerAct::Cycle => "switch it off with force, and then on",
        PowerAct::On | PowerAct::ForceOff => "switch it by hand",
    };
    let allowed = underlay_kit::printable(&allowed.join(", "));
    format!("the system does not offer the reset {}, but {allowed}; {advice}", wanted.join(" or "))
}

/// Returns the names of systems: `Name`, or `Id` where names are missing or not unique. Most BMCs name their systems by
/// the product, or all alike.
fn names(systems: &[Resource]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    systems.iter().filter_map(|system| system.text("Name")).for_each(|name| *counts.entry(name).or_default() += 1);
    let name = |system: &Resource| {
        let name = system.text("Name").filter(|name| counts.get(name) == Some(&1));
        let last = system.url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        name.or_else(|| system.text("Id")).unwrap_or(last).to_owned()
    };
    systems.iter().map(name).collect()
}

/// Returns the MAC address of a system that has only one. Which of several it boots from is not known.
async fn only_mac(bmc: &Bmc, system: &Resource) -> Option<String> {
    let mut macs = systems::macs(bmc, system).await.ok()?;
    macs.sort();
    macs.dedup();
    let [mac] = macs.as_slice() else { return None };
    Some(with_colons(mac))
}

/// Returns the digits of a MAC address in the usual notation.
fn with_colons(digits: &str) -> String {
    let pairs: Vec<&str> = (0..6).filter_map(|at| digits.get(at * 2..at * 2 + 2)).collect();
    pairs.join(":")
}

impl Driver for Redfish {
    fn identify<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Identity, CallError>> {
        Box::pin(async move {
            let (_, _, system) = self.system(target).await?;
            Ok(system::identity(&system))
        })
    }

    fn enumerate<'a>(&'a self, appliance: &'a Target) -> BoxFuture<'a, Result<Vec<Found>, CallError>> {
        Box::pin(async move { Ok(self.list(appliance).await?) })
    }

    fn power<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Power, CallError>> {
        Box::pin(async move {
            let (_, _, system) = self.system(target).await?;
            Ok(system::power(&system))
        })
    }

    fn look<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Sight, CallError>> {
        Box::pin(async move {
            let (_, _, system) = self.system(target).await?;
            Ok(Sight { identity: system::identity(&system), power: system::power(&system) })
        })
    }

    fn macs<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Vec<String>, CallError>> {
        Box::pin(async move {
            let (address, bmc, system) = self.system(target).await?;
            let macs = self.prepared(&address, systems::macs(&bmc, &system)).await?;
            Ok(macs.iter().map(|mac| with_colons(mac)).collect())
        })
    }

    fn set_power<'a>(&'a self, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move { Ok(self.switch(target, act).await?) })
    }

    fn set_boot<'a>(&'a self, target: &'a Target, device: BootDevice) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move { Ok(self.boot(target, device).await?) })
    }

    fn hardware(&self) -> Option<&dyn HardwareReader> {
        Some(self)
    }
}

impl HardwareReader for Redfish {
    fn read<'a>(&'a self, target: &'a Target, within: Duration) -> BoxFuture<'a, Result<Report, CallError>> {
        Box::pin(self.hardware(target, Bounds { time: within, ..Bounds::default() }))
    }
}
