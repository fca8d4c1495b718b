//! The pure comparison of two reports of one machine: what changed in its hardware between them.
//!
//! Guarantees: absent never means removed. A part is removed when two complete sections in turn lack it, and what an
//! incomplete section does not show is remembered until a section shows it again or is complete. Values that are not
//! known on one side make no event, because they may just not have been read. The order in which a report names its
//! parts, the names that the kernel gives them at a boot, and members of a later format make no event either. Two equal
//! reports differ in nothing, whatever they say. The events have a fixed order: the system, the processors, the memory,
//! the disks, the interfaces, the devices, the GPUs and the neighbours, and within a section by place. A card that is
//! listed as a device and as what it is, an interface or an NVMe drive, comes and goes in one event.

mod absent;
mod chassis;
mod devices;
mod disks;
mod gpus;
mod interfaces;
mod matching;
mod memory;
mod neighbours;
mod processors;
#[cfg(test)]
mod random_tests;
mod section;
mod system;
#[cfg(test)]
mod tests;
mod values;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::absent::MissingParts;
use self::section::{compare_lists, compare_section};
use crate::parts::System;
use crate::report::Report;
use crate::section::Section;

/// The subject of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Part {
    /// The machine as a whole.
    System,
    /// A memory module, or the memory as a whole.
    Memory,
    /// A processor.
    Processor,
    /// A disk.
    Disk,
    /// A network interface.
    Interface,
    /// A device at PCI.
    Device,
    /// A GPU.
    Gpu,
    /// A neighbour of a network interface.
    Neighbour,
    /// The firmware of the machine or of one of its parts.
    Firmware,
    /// A power supply.
    PowerSupply,
    /// A fan.
    Fan,
}

/// The change of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PartChange {
    /// It was not there before.
    Added,
    /// Two complete sections in turn lack it.
    Removed,
    /// Another part is in its place.
    Replaced,
    /// Some of its members have other values, or it is in another place.
    Changed,
    /// It expects to fail, has errors that could not be corrected, or fell off the bus.
    Failing,
    /// An interface has lost its carrier, or lost it again after it had come.
    LinkDown,
    /// An interface has got a carrier, or got it again after it had gone.
    LinkUp,
}

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartEvent {
    /// The subject.
    pub part: Part,
    /// The change.
    pub change: PartChange,
    /// The place in the machine: `system`, `memory`, `socket 0`, a slot, the place of a disk or an interface, or a PCI
    /// address. A neighbour is at the interface of its name, and so is named what has no place.
    pub place: String,
    /// The JSON of the part, or of the members that changed, as they were. Absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The JSON of the part, or of the members that changed, as they are now. Absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
    /// The serial number of the part, if it has one that is not junk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The serial number of the part before, if that was another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial_before: Option<String>,
}

/// The changes between two reports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The events, in a fixed order.
    pub events: Vec<PartEvent>,
    /// The knowledge that the next comparison needs besides the later report.
    pub missing: MissingParts,
}

/// The relation of the boots of two reports: their counters count from the same start or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Boot {
    /// They are of one boot.
    Same,
    /// They are of different boots.
    Other,
    /// One of them does not say its boot.
    Unknown,
}

/// Compares two reports of one machine. `missing` is what the comparison before gave, or the default for the first one.
///
/// A report that was sent again confirms what is missing, so it is compared with itself. Reports of different versions of
/// the agent do not differ in anything: a new version may read things differently.
#[must_use]
pub fn compare(before: &Report, missing: &MissingParts, after: &Report) -> Comparison {
    if before.agent.version != after.agent.version {
        return Comparison::default();
    }
    let (old, new) = (&before.sections, &after.sections);
    let boot = Boot::of(old.system.as_ref(), new.system.as_ref());

    let mut events = system::changes(found(old.system.as_ref()), found(new.system.as_ref()));
    let news = &mut events;
    let missing = MissingParts {
        processors: compare_lists(&old.processors, &missing.processors, &new.processors, boot, news),
        modules: {
            let [old_memory, new_memory] = [&old.memory, &new.memory].map(|it| found(it.as_ref()));
            news.extend(memory::failing(old_memory, new_memory, boot));
            let [old, new] = [&old.memory, &new.memory].map(|it| it.as_ref().map(memory::modules));
            compare_section(old, &missing.modules, new, boot, news)
        },
        disks: compare_lists(&old.disks, &missing.disks, &new.disks, boot, news),
        interfaces: compare_lists(&old.interfaces, &missing.interfaces, &new.interfaces, boot, news),
        devices: compare_lists(&old.devices, &missing.devices, &new.devices, boot, news),
        gpus: compare_lists(&old.gpus, &missing.gpus, &new.gpus, boot, news),
        neighbours: compare_lists(&old.neighbours, &missing.neighbours, &new.neighbours, boot, news),
        supplies: compare_lists(&old.power_supplies, &missing.supplies, &new.power_supplies, boot, news),
        fans: compare_lists(&old.fans, &missing.fans, &new.fans, boot, news),
        firmware: compare_lists(&old.firmware, &missing.firmware, &new.firmware, boot, news),
    };
    devices::remove_repeated(&mut events);
    Comparison { events, missing }
}

/// Returns what a section shows.
fn found<T>(section: Option<&Section<T>>) -> Option<&T> {
    section.map(|section| &section.found)
}

impl Boot {
    fn of(before: Option<&Section<System>>, after: Option<&Section<System>>) -> Self {
        let id = |section| found::<System>(section).and_then(|system| system.boot_id.as_ref());
        match (id(before), id(after)) {
            (Some(before), Some(after)) if before == after => Self::Same,
            (Some(_), Some(_)) => Self::Other,
            _ => Self::Unknown,
        }
    }
}
