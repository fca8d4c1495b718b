//! The validation rules of racks.

use super::node::Rack;
use crate::kinds::device::{Device, highest_unit};
use crate::kinds::location::Location;
use underlay_inventory::{Checked, Problems};

/// Checks that the location of a rack is in the rack's site.
pub fn location(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, rack) in checked.written::<Rack>() {
        let location = rack.location_id.and_then(|id| checked.after.get::<Location>(id));
        if location.is_some_and(|location| location.site_id != rack.site_id) {
            problems.invalid(rack.id, "location", "must be of the site of the rack");
        }
    }
}

/// Checks that a rack does not shrink below the highest unit that a device in it takes.
pub fn height(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, rack) in checked.written::<Rack>() {
        if before.is_none_or(|before| rack.height_u >= before.height_u) {
            continue;
        }
        let placed = checked.after.referrers::<Device>(rack.id, Device::RACK);
        let highest = placed.filter_map(|device| Some((highest_unit(device)?, device))).max_by_key(|(unit, _)| *unit);
        if let Some((unit, device)) = highest.filter(|(unit, _)| *unit > rack.height_u) {
            let reason = format!("must be at least {unit}: {} stands up to U{unit}", device.name);
            problems.invalid(rack.id, "heightU", reason);
        }
    }
}
