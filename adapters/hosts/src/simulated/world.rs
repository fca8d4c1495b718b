//! The simulated machines.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{Rng as _, SeedableRng as _};
use tokio::time::sleep;

use super::address::{AddressError, Settings};
use super::fault::Fault;
use crate::host::{Order, Power};
use crate::life::PowerAct;
use crate::machine::{Found, Identity};

/// The share of calls at which faults come by a seed.
const FAULT_SHARE: f64 = 0.25;

/// A world of simulated machines. Clones are the same world.
#[derive(Clone, Default)]
pub struct World {
    inner: Arc<Mutex<Inner>>,
}

/// Gets to know that a machine boots or was switched off, and returns the work that begins on it. It is called while the
/// world is locked.
pub(super) type Watcher = Box<dyn Fn(&str, Boot) -> Option<Order> + Send>;
/// Gets to know of each change of power before it happens, with the name of the machine.
type Auditor = Box<dyn Fn(&str, PowerAct) + Send>;

#[derive(Default)]
struct Inner {
    machines: HashMap<String, Machine>,
    /// The machines to which the addresses of others lead.
    led: HashMap<String, String>,
    /// The identities of machines that do not follow from their names.
    said: HashMap<String, Identity>,
    watcher: Option<Watcher>,
    auditor: Option<Auditor>,
}

struct Machine {
    power: Power,
    boots_network: bool,
    counts: Counts,
    looks: u32,
    readings: Readings,
    settings: Settings,
    random: Option<SmallRng>,
}

/// The number of times that something happened to a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The times that it was switched off, or off and on.
    pub power_cuts: u32,
    /// The times that it booted from its disk.
    pub local_boots: u32,
    /// The times that it booted from the network.
    pub network_boots: u32,
    /// The times that an installer began to write its disks.
    pub installs: u32,
    /// The times that a wipe began to erase its disks.
    pub wipes: u32,
}

/// The readings of the hardware of a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// The number of readings that began.
    pub begun: u32,
    /// The number of readings that came to their end; the others were dropped.
    pub ended: u32,
    /// The number of readings that are going on.
    pub going: u32,
    /// The number of acts on the machine and looks at its power during a reading.
    pub disturbed: u32,
}

/// A reading that is going on.
pub(super) struct Reading {
    world: World,
    name: String,
}

impl Reading {
    /// Notes that the reading came to its end.
    pub fn end(self) {
        self.world.with_readings(&self.name, |readings| readings.ended += 1);
    }
}

impl Readings {
    /// Notes that something else is done with the machine.
    fn disturb(&mut self) {
        self.disturbed += u32::from(self.going > 0);
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.world.with_readings(&self.name, |readings| readings.going -= 1);
    }
}

/// An event of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boot {
    /// It lost power, so that everything that ran on it is gone.
    Off,
    /// It boots from its disk.
    Local,
    /// It boots from the network.
    Network,
}

impl World {
    /// Returns the counts of a machine.
    pub fn counts(&self, name: &str) -> Counts {
        self.locked().machines.get(name).map(|machine| machine.counts).unwrap_or_default()
    }

    /// Returns the number of times that somebody looked at the power of a machine.
    pub fn looks(&self, name: &str) -> u32 {
        self.locked().machines.get(name).map_or(0, |machine| machine.looks)
    }

    /// Returns the readings of the hardware of a machine.
    pub fn readings(&self, name: &str) -> Readings {
        self.locked().machines.get(name).map(|machine| machine.readings).unwrap_or_default()
    }

    /// Notes that the hardware of a machine is being read.
    pub(super) fn begin_reading(&self, name: &str) -> Reading {
        self.with_readings(name, |readings| {
            readings.begun += 1;
            readings.going += 1;
        });
        Reading { world: self.clone(), name: name.to_owned() }
    }

    fn with_readings(&self, name: &str, change: impl FnOnce(&mut Readings)) {
        if let Some(machine) = self.locked().machines.get_mut(name) {
            change(&mut machine.readings);
        }
    }

    /// Looks at the power of a machine.
    pub(super) fn look(&self, name: &str) -> Power {
        match self.locked().machines.get_mut(name) {
            Some(machine) => {
                machine.looks += 1;
                machine.readings.disturb();
                machine.power
            }
            None => Power::Off,
        }
    }

    /// Returns the power of a machine.
    pub fn power_of(&self, name: &str) -> Power {
        self.locked().machines.get(name).map_or(Power::Off, |machine| machine.power)
    }

    /// Switches a machine by its own button, as somebody does who stands in front of it. Returns false if it is to boot from
    /// the network, which nobody does by hand.
    pub fn press(&self, name: &str, power: Power) -> bool {
        let mut inner = self.locked();
        let Some(machine) = inner.machines.get_mut(name).filter(|machine| !machine.boots_network) else { return false };
        machine.power = power;
        true
    }

    /// Has the address of a machine lead to another one, as somebody does who confuses cables. The own machine cannot be
    /// reached then, unless another address leads to it.
    pub fn lead(&self, name: &str, to: &str) {
        self.locked().led.insert(name.to_owned(), to.to_owned());
    }

    /// Has a machine say something of itself that does not follow from its name.
    pub fn say(&self, name: &str, identity: Identity) {
        self.locked().said.insert(name.to_owned(), identity);
    }

    /// Returns what a machine says of itself.
    pub(super) fn identity(&self, name: &str) -> Identity {
        self.locked().said.get(name).cloned().unwrap_or_else(|| identity(name))
    }

    /// Calls a function before each change of power, with the name of the machine.
    pub fn audit(&self, auditor: impl Fn(&str, PowerAct) + Send + 'static) {
        self.locked().auditor = Some(Box::new(auditor));
    }

    /// Returns the machine of an address, which is made if it is not there, with the behaviour that the address names.
    pub(super) fn machine(&self, url: &str) -> Result<Settings, AddressError> {
        let mut settings = Settings::parse(url)?;
        let mut inner = self.locked();
        if let Some(other) = inner.led.get(&settings.name).cloned() {
            settings.name = other;
        }
        match inner.machines.get_mut(&settings.name) {
            Some(machine) if machine.settings == settings => {}
            Some(machine) => {
                machine.random = settings.seed.map(SmallRng::seed_from_u64);
                machine.settings = settings.clone();
            }
            None => drop(inner.machines.insert(settings.name.clone(), Machine::new(settings.clone()))),
        }
        Ok(settings)
    }

    /// Lists the machines of an appliance.
    pub(super) fn list(&self, url: &str) -> Result<Vec<Found>, AddressError> {
        let settings = Settings::parse(url)?;
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let kept: Vec<&str> = query.split('&').filter(|it| !it.is_empty() && !it.starts_with("machines=")).collect();
        let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
        let found = (1..=settings.machines).map(|number| {
            let name = format!("{}-{number}", settings.name);
            let url = format!("simulated://{name}{query}");
            Found { identity: identity(&name), boot_mac: Some(mac(&name)), name, url }
        });
        Ok(found.collect())
    }

    /// Returns true if a fault of a machine comes now.
    pub(super) fn has_fault(&self, name: &str, fault: Fault) -> bool {
        let mut inner = self.locked();
        let Some(machine) = inner.machines.get_mut(name) else { return false };
        machine.settings.faults.contains(&fault)
            && machine.random.as_mut().is_none_or(|random| random.random_bool(FAULT_SHARE))
    }

    /// Changes the power of a machine after a time, whether or not anybody still waits for it.
    pub(super) fn switch(&self, name: &str, act: PowerAct, delay: Duration) {
        if delay.is_zero() {
            return self.locked().switch(name, act);
        }
        let (world, name) = (Arc::downgrade(&self.inner), name.to_owned());
        tokio::spawn(async move {
            sleep(delay).await;
            upgraded(&world, |inner| inner.switch(&name, act));
        });
    }

    pub(super) fn set_boot(&self, name: &str, from_network: bool) {
        if let Some(machine) = self.locked().machines.get_mut(name) {
            machine.boots_network = from_network;
            machine.readings.disturb();
        }
    }

    pub(super) fn watch(&self, watcher: Watcher) {
        self.locked().watcher = Some(watcher);
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        // A thread that panicked while it held the lock left nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn upgraded(world: &Weak<Mutex<Inner>>, then: impl FnOnce(&mut Inner)) {
    if let Some(world) = world.upgrade() {
        then(&mut world.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Inner {
    fn switch(&mut self, name: &str, act: PowerAct) {
        if let Some(auditor) = &self.auditor {
            auditor(name, act);
        }
        let Some(machine) = self.machines.get_mut(name) else { return };
        machine.readings.disturb();
        let was_on = machine.power == Power::On;
        let (cut, boot) = match act {
            PowerAct::On => (false, !was_on),
            PowerAct::Off | PowerAct::ForceOff => (was_on, false),
            PowerAct::Cycle => (was_on, true),
        };
        let mut events = Vec::with_capacity(2);
        if cut {
            machine.counts.power_cuts += 1;
            machine.power = Power::Off;
            events.push(Boot::Off);
        }
        if boot {
            machine.power = Power::On;
            let from_network = std::mem::take(&mut machine.boots_network);
            if from_network {
                machine.counts.network_boots += 1;
            } else {
                machine.counts.local_boots += 1;
            }
            events.push(if from_network { Boot::Network } else { Boot::Local });
        }
        if let Some(watcher) = &self.watcher {
            for work in events.into_iter().filter_map(|event| watcher(name, event)) {
                match work {
                    Order::Install => machine.counts.installs += 1,
                    Order::Wipe => machine.counts.wipes += 1,
                    _ => {}
                }
            }
        }
    }
}

impl Machine {
    fn new(settings: Settings) -> Self {
        let random = settings.seed.map(SmallRng::seed_from_u64);
        let (counts, readings) = Default::default();
        Self { power: Power::Off, boots_network: false, counts, looks: 0, readings, settings, random }
    }
}

/// Returns the names by which a simulated machine identifies itself. They follow from its name.
pub fn identity(name: &str) -> Identity {
    let uuid = uuid::Builder::from_random_bytes(spread(name).to_be_bytes()).into_uuid();
    let serial = format!("SIM-{}", name.to_ascii_uppercase());
    Identity { serial: Some(serial), uuid: Some(uuid.to_string()), aliases: Vec::new() }
}

/// Returns the MAC address of a simulated machine, which follows from its name.
pub(super) fn mac(name: &str) -> String {
    let bytes = spread(name).to_be_bytes();
    let rest: Vec<String> = bytes.iter().take(5).map(|byte| format!("{byte:02x}")).collect();
    format!("02:{}", rest.join(":"))
}

/// Returns a number that follows from a name, the same in every process (FNV-1a).
fn spread(name: &str) -> u128 {
    name.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}
