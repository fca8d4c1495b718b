//! The changes of devices at PCI. A device is known by its vendor and its number at its place.

use std::collections::HashSet;

use serde_json::Value;

use super::matching::Key;
use super::section::{Comparable, Counters, event};
use super::values::{changed_members, json};
use super::{Part, PartChange, PartEvent};
use crate::parts::Device;

/// The members whose change is an event.
const MEMBERS: [&str; 8] = [
    "class",
    "linkSpeedMts",
    "linkWidth",
    "maxLinkSpeedMts",
    "maxLinkWidth",
    "revision",
    "subsystemDevice",
    "subsystemVendor",
];

impl Comparable for Device {
    const PART: Part = Part::Device;

    fn identities(&self) -> [Option<Key>; 3] {
        [None, None, None]
    }

    fn place(&self) -> Option<String> {
        Some(self.place.clone())
    }

    fn name(&self) -> Option<&str> {
        None
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        if is_other(&before.vendor, &after.vendor) || is_other(&before.device, &after.device) {
            return vec![event(PartChange::Replaced, after, json(before), json(after))];
        }
        let changed = changed_members(before, after, &MEMBERS);
        let changed = changed.map(|(before, now)| event(PartChange::Changed, after, Some(before), Some(now)));
        changed.into_iter().collect()
    }
}

/// Returns true if both numbers are known, and differ.
pub(super) fn is_other(before: &Option<String>, after: &Option<String>) -> bool {
    before.as_ref().zip(after.as_ref()).is_some_and(|(before, after)| before != after)
}

/// Removes the events of devices that came, went or were replaced, and of which an interface or an NVMe drive at their
/// PCI address says the same: a card is one piece of news.
pub(super) fn remove_repeated(events: &mut Vec<PartEvent>) {
    let told: HashSet<String> = events.iter().filter(|event| is_device_itself(event)).flat_map(addresses).collect();
    let is_change = |change| matches!(change, PartChange::Added | PartChange::Removed | PartChange::Replaced);
    events.retain(|event| event.part != Part::Device || !is_change(event.change) || !told.contains(&event.place));
}

/// Returns true for an event of a part that is a device at PCI under another name.
fn is_device_itself(event: &PartEvent) -> bool {
    let is_nvme = |part: &Option<Value>| part.as_ref().is_some_and(|part| part["medium"] == "NVME");
    match event.part {
        Part::Interface => true,
        Part::Disk => is_nvme(&event.before) || is_nvme(&event.after),
        _ => false,
    }
}

/// Returns the PCI addresses in the places of an event, such as that of `pci-0000:01:00.0-nvme-1` and of
/// `0000:41:00.0/p1`.
fn addresses(event: &PartEvent) -> Vec<String> {
    let values = [&event.before, &event.after].into_iter().flatten();
    let places = values.filter_map(|part| part["place"].as_str()).chain([event.place.as_str()]);
    let names = places.flat_map(|place| place.split(['-', '/']));
    names.filter(|name| name.contains(':')).map(str::to_owned).collect()
}
