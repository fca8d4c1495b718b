//! The hardware of a machine as its BMC tells it, for the facts of a host.
//!
//! Guarantees: only reads are made, one after the other, and their number and time are bounded. A BMC that does not answer
//! is asked nothing more. What could not be read is named in its section, which is then not complete, so nothing is taken
//! to be gone. What is named holds no address of a resource, because these can have serial numbers.

mod parts;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::HashSet;
use std::time::Duration;

use reqwest::Url;
use serde_json::{Map, Value};
use underlay_facts::{Disk, Fan, Firmware, Interface, Memory, PowerSupply, Processor, Section, Sections};

use self::parts::{Slot, of_system};
use self::walk::Walk;
use crate::bmc::Bmc;
use crate::resource::{Resource, member, object, text};

/// The bounds of a look at a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The longest time.
    pub time: Duration,
    /// The greatest number of reads.
    pub reads: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { time: Duration::from_secs(120), reads: 600 }
    }
}

/// The chassis whose power supplies and fans are those of a machine.
const MAX_CHASSIS: usize = 4;

/// Reads the hardware of a system.
pub async fn read(bmc: &Bmc, system: &Resource, bounds: Bounds) -> Sections {
    let mut walk = Walk::new(bmc, bounds);
    let processors = processors(&mut walk, system).await;
    let memory = memory(&mut walk, system).await;
    let disks = disks(&mut walk, system).await;
    let interfaces = interfaces(&mut walk, system).await;
    let chassis = chassis(&mut walk, system).await;
    let power_supplies = power_supplies(&mut walk, &chassis).await;
    let fans = fans(&mut walk, &chassis).await;
    let firmware = firmware(&mut walk).await;
    Sections {
        system: Some(Section::complete(of_system(system))),
        memory,
        processors,
        disks,
        interfaces,
        power_supplies,
        fans,
        firmware,
        ..Sections::default()
    }
}

async fn processors(walk: &mut Walk<'_>, system: &Resource) -> Option<Section<Vec<Processor>>> {
    let mut section = Section::complete(Vec::new());
    let found = walk.collection(system, "Processors", &mut section).await?;
    for (socket, resource) in (0..).zip(&found) {
        match resource.as_ref().map(|it| parts::processor(socket, &it.members)) {
            Some(Slot::Filled(processor)) => section.found.push(processor),
            Some(Slot::Unclear(reason)) => section.lacks(format!("Processors, member {}", socket + 1), reason),
            Some(Slot::Empty) | None => {}
        }
    }
    Some(section)
}

async fn memory(walk: &mut Walk<'_>, system: &Resource) -> Option<Section<Memory>> {
    let mut section = Section::complete(Memory::default());
    let found = walk.collection(system, "Memory", &mut section).await?;
    section.found.slots = u32::try_from(found.len()).ok().filter(|slots| *slots > 0);
    let mut names = Names::default();
    for resource in found.iter().flatten() {
        if let Slot::Filled(mut module) = parts::module(&resource.members) {
            module.slot = names.unique(module.slot);
            section.found.modules.push(module);
        }
    }
    Some(section)
}

async fn disks(walk: &mut Walk<'_>, system: &Resource) -> Option<Section<Vec<Disk>>> {
    let mut section = Section::complete(Vec::new());
    let storages = walk.collection(system, "Storage", &mut section).await?;
    let mut names = Names::default();
    for storage in storages.iter().flatten() {
        let of = storage.text("Id").unwrap_or_default().to_owned();
        for resource in walk.linked(storage, "Drives", &mut section).await.iter().flatten() {
            if let Slot::Filled(mut disk) = parts::disk(&of, &resource.members) {
                disk.name = names.unique(disk.name);
                section.found.push(disk);
            }
        }
    }
    Some(section)
}

async fn interfaces(walk: &mut Walk<'_>, system: &Resource) -> Option<Section<Vec<Interface>>> {
    let mut section = Section::complete(Vec::new());
    let found = walk.collection(system, "EthernetInterfaces", &mut section).await?;
    let mut names = Names::default();
    for resource in found.iter().flatten() {
        if let Slot::Filled(mut interface) = parts::interface(&resource.members) {
            interface.name = names.unique(interface.name);
            section.found.push(interface);
        }
    }
    Some(section)
}

/// The chassis of a system, and what could not be read of them.
struct Chassis {
    found: Vec<Resource>,
    /// The things that the section which is made of them lacks.
    lacks: Section<()>,
}

/// Returns the chassis of a system. `None` if it links to none.
async fn chassis(walk: &mut Walk<'_>, system: &Resource) -> Option<Chassis> {
    let mut lacks = Section::complete(());
    let links = Resource { members: object(&system.members, "Links")?.clone(), ..system.clone() };
    let mut urls = Walk::links(&links, "Chassis", &mut lacks)?;
    if urls.len() > MAX_CHASSIS {
        lacks.lacks("Chassis", format!("there are {}, and {MAX_CHASSIS} are read", urls.len()));
        urls.truncate(MAX_CHASSIS);
    }
    let found = walk.all(urls, "Chassis", &mut lacks).await;
    Some(Chassis { found: found.into_iter().flatten().collect(), lacks })
}

async fn power_supplies(walk: &mut Walk<'_>, chassis: &Option<Chassis>) -> Option<Section<Vec<PowerSupply>>> {
    let mut names = Names::default();
    of_chassis(walk, chassis.as_ref()?, ["PowerSubsystem", "Power", "PowerSupplies"], |members| {
        let Slot::Filled(mut supply) = parts::power_supply(members) else { return None };
        supply.place = names.unique(supply.place);
        Some(supply)
    })
    .await
}

async fn fans(walk: &mut Walk<'_>, chassis: &Option<Chassis>) -> Option<Section<Vec<Fan>>> {
    let mut names = Names::default();
    of_chassis(walk, chassis.as_ref()?, ["ThermalSubsystem", "Thermal", "Fans"], |members| {
        let Slot::Filled(mut fan) = parts::fan(members) else { return None };
        fan.place = names.unique(fan.place);
        Some(fan)
    })
    .await
}

/// Reads parts of chassis, which are linked from a subsystem, or in an older resource as a whole. `None` if no chassis has
/// either.
async fn of_chassis<T>(
    walk: &mut Walk<'_>,
    chassis: &Chassis,
    [subsystem, older, list]: [&str; 3],
    mut read: impl FnMut(&Map<String, Value>) -> Option<T>,
) -> Option<Section<Vec<T>>> {
    let lacks = chassis.lacks.clone();
    let mut section = Section { complete: lacks.complete, unread: lacks.unread, ..Section::complete(Vec::new()) };
    let mut is_told = false;
    for one in &chassis.found {
        let mut of_one = Section::complete(());
        if let Some(parent) = walk.link(one, subsystem, &mut of_one).await
            && let Some(found) = walk.collection(&parent, list, &mut of_one).await
        {
            is_told = true;
            section.found.extend(found.iter().flatten().filter_map(|it| read(&it.members)));
        } else if let Some(parent) = walk.link(one, older, &mut of_one).await {
            is_told = true;
            // An older resource has them all, whatever became of a subsystem that is not there.
            of_one = Section::complete(());
            match member(&parent.members, list).and_then(Value::as_array) {
                Some(parts) => section.found.extend(parts.iter().filter_map(|it| read(it.as_object()?))),
                None => of_one.lacks(list, "the BMC does not list them"),
            }
        }
        section.complete &= of_one.complete;
        section.unread.extend(of_one.unread);
    }
    (is_told || !section.complete).then_some(section)
}

async fn firmware(walk: &mut Walk<'_>) -> Option<Section<Vec<Firmware>>> {
    let mut section = Section::complete(Vec::new());
    let root = walk.root("UpdateService", &mut section).await;
    let Some(root) = root else { return Some(section) };
    let service = walk.link(&root, "UpdateService", &mut section).await;
    let Some(service) = service else { return (!section.complete).then_some(section) };
    let mut found = walk.collection(&service, "FirmwareInventory", &mut section).await?;
    // The order of equal names must not depend on the order of the list.
    found.sort_by_key(|it| it.as_ref().map(|it| it.url.path().to_owned()));
    let mut names = Names::default();
    for resource in found.iter().flatten() {
        if let Slot::Filled(mut firmware) = parts::firmware(&resource.members) {
            firmware.name = names.unique(firmware.name);
            section.found.push(firmware);
        }
    }
    Some(section)
}

/// The names that were given in a section.
#[derive(Debug, Default)]
struct Names(HashSet<String>);

impl Names {
    /// Returns a name, with a number if it was given before.
    fn unique(&mut self, name: String) -> String {
        let mut candidates = (2..).map(|number| format!("{name} ({number})"));
        let mut chosen = name.clone();
        while !self.0.insert(chosen.clone()) {
            match candidates.next() {
                Some(next) => chosen = next,
                None => break,
            }
        }
        chosen
    }
}

/// Returns the link of a value: `{"@odata.id": "…"}`.
fn link_of(resource: &Resource, value: &Value) -> Option<Url> {
    resource.resolve(text(value.as_object()?, "@odata.id")?, "@odata.id").ok()
}
