//! What must hold of devices, besides their placement.

use super::node::Device;
use crate::inventory::{Checked, Problems};
use crate::kinds::location::Location;

/// The location of a device, the device that it is in, and the devices in it are all at its site.
pub fn same_site(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, device) in checked.written::<Device>() {
        let location = device.location_id.and_then(|id| checked.after.get::<Location>(id));
        if location.is_some_and(|location| location.site_id != device.site_id) {
            problems.invalid(device.id, "location", "must be of the site of the device");
        }
        let parent = device.parent_id.and_then(|id| checked.after.get::<Device>(id));
        if parent.is_some_and(|parent| parent.site_id != device.site_id) {
            problems.invalid(device.id, "parent", "must be a device at the same site");
        }
        if before.is_none_or(|before| before.site_id == device.site_id) {
            continue;
        }
        let mut children = checked.after.referrers::<Device>(device.id, Device::PARENT);
        if let Some(child) = children.find(|child| child.site_id != device.site_id) {
            problems.invalid(device.id, "site", format!("must be that of {}, which is in the device", child.name));
        }
    }
}

/// A device in another has no placement of its own, a slot needs a parent, and no device is in itself.
pub fn bays(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, device) in checked.written::<Device>() {
        if device.parent_id.is_some() && device.rack_id.is_some() {
            problems.invalid(device.id, "placement", "must not be given for a device that is in another one");
        }
        if device.parent_id.is_none() && device.slot.is_some() {
            problems.invalid(device.id, "slot", "needs a parent that has the slot");
        }
        if checked.leads_back::<Device>(device.id, |device| device.parent_id) {
            problems.invalid(device.id, "parent", "must not be the device itself or one in it");
        }
    }
}
