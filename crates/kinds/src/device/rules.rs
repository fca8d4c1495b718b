//! The validation rules of devices, besides those of their placement.

use std::collections::HashSet;

use underlay_entity::device::{DeviceRole, Model};
use uuid::Uuid;

use super::kind::Device;
use crate::circuit_termination::CircuitTermination;
use crate::location::Location;
use crate::port::{Port, same_stack};
use underlay_inventory::{Checked, Problems};

/// Checks that the location of a device, its parent and the devices in it are all at its site.
pub fn same_site(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, device) in checked.written::<Device>() {
        let location = device.location_id.and_then(|id| checked.after.get::<Location>(id));
        if location.is_some_and(|location| location.site_id != device.site_id) {
            problems.incompatible(device.id, "location", "location must be of the site of the device");
        }
        let parent = device.parent_id.and_then(|id| checked.after.get::<Device>(id));
        if parent.is_some_and(|parent| parent.site_id != device.site_id) {
            problems.incompatible(device.id, "parent", "parent must be a device at the same site");
        }
        if before.is_none_or(|before| before.site_id == device.site_id) {
            continue;
        }
        let mut children = checked.after.referrers::<Device>(device.id, Device::PARENT);
        if let Some(child) = children.find(|child| child.site_id != device.site_id) {
            let message =
                format!("site must be that of {}, which is in the device: write both in one batch", child.name);
            problems.incompatible(device.id, "site", message);
        }
    }
}

/// Checks that a device in a bay has no placement of its own, that a slot has a parent, and that no device is its own
/// ancestor.
pub fn bays(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, device) in checked.written::<Device>() {
        let parent = device.parent_id.and_then(|id| checked.after.get::<Device>(id));
        if let Some(reason) = parent.and_then(|parent| is_in_a_bay(device, parent)) {
            problems.incompatible(device.id, "placement", reason);
        }
        if device.parent_id.is_none() && device.slot.is_some() {
            problems.invalid(device.id, "slot", "needs a parent that has the slot");
        }
        let same = |before: &Model| {
            let what = |it: &Model| (it.role, it.rack_id, it.parent_id);
            what(before) == what(device)
        };
        if before.is_none_or(same) {
            continue;
        }
        let mut members = checked.after.referrers::<Device>(device.id, Device::PARENT);
        if let Some(member) = members.find(|member| is_in_a_bay(member, device).is_some()) {
            let field = if device.role == DeviceRole::Chassis { "role" } else { "placement" };
            let message =
                format!("{field} must stay that of a stack: {}, which is in it, has its own placement", member.name);
            problems.incompatible(device.id, field, message);
        }
    }
    for device in checked.cycles::<Device>(Device::PARENT) {
        problems.incompatible(device, "parent", "parent must not be the device itself or one in it");
    }
}

/// Returns the reason why a device with a placement cannot have one: it is in a bay of its parent. A chassis has bays.
/// Any other device has bays for the devices in its slots. A device that stands for a stack has none: it has neither a
/// placement nor a parent itself, and the slots of its members are their numbers.
fn is_in_a_bay(device: &Model, parent: &Model) -> Option<String> {
    device.rack_id?;
    let is_chassis = parent.role == DeviceRole::Chassis;
    let stands_for_a_stack = !is_chassis && parent.rack_id.is_none() && parent.parent_id.is_none();
    let why = match device.slot.as_deref().filter(|_| !stands_for_a_stack) {
        _ if is_chassis => format!("{} is a chassis", parent.name),
        Some(slot) => format!("it is in slot {slot} of {}", parent.name),
        None => return None,
    };
    Some(format!("placement must not be given for a device that is in another one: {why}"))
}

/// Checks that circuits plugged into a device, and the LAGs that its ports belong to, stay valid when the device moves.
pub fn moved(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, device) in checked.written::<Device>() {
        let Some(before) = before else { continue };
        let (new_site, new_stack) = (before.site_id != device.site_id, before.parent_id != device.parent_id);
        if !new_site && !new_stack {
            continue;
        }
        for port in checked.after.referrers::<Port>(device.id, Port::DEVICE) {
            let ends = checked.after.referrers::<CircuitTermination>(port.id, CircuitTermination::PORT);
            if ends.into_iter().any(|end| end.site_id.is_some_and(|site| site != device.site_id)) {
                let message = format!("site must stay: a circuit is plugged into port {} at this site", port.name);
                problems.incompatible(device.id, "site", message);
            }
        }
        // The devices inside move with the device.
        let inside = if new_stack { with_devices_in(checked, device.id) } else { Vec::new() };
        for port in inside.into_iter().flat_map(|id| checked.after.referrers::<Port>(id, Port::DEVICE)) {
            let lag = port.lag_id.and_then(|id| checked.after.get::<Port>(id));
            let mut others = checked.after.referrers::<Port>(port.id, Port::LAG).chain(lag);
            if others.any(|other| !same_stack(checked, other, port)) {
                let message = format!("parent must be in the stack of the LAG that port {} is a part of", port.name);
                problems.incompatible(device.id, "parent", message);
            }
        }
    }
}

/// Returns the ids of a device and of all devices in it, at any depth.
fn with_devices_in(checked: &Checked<'_>, device: Uuid) -> Vec<Uuid> {
    let mut found = vec![device];
    let mut seen = HashSet::from([device]);
    let mut at = 0;
    while let Some(id) = found.get(at).copied() {
        at += 1;
        let inside = checked.after.referrers::<Device>(id, Device::PARENT).map(|device| device.id);
        found.extend(inside.filter(|id| seen.insert(*id)));
    }
    found
}
