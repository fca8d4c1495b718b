//! The validation rules of locations.

use super::kind::Location;
use crate::device::Device;
use crate::rack::Rack;
use underlay_inventory::{Checked, Problems};

/// Checks that the parent of a location is in the same site, and that no location is its own ancestor.
pub fn parent(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, location) in checked.written::<Location>() {
        let parent = location.parent_id.and_then(|id| checked.after.get::<Location>(id));
        if parent.is_some_and(|parent| parent.site_id != location.site_id) {
            problems.incompatible(location.id, "parent", "parent must be a location of the same site");
        }
    }
    for location in checked.cycles::<Location>(Location::PARENT) {
        problems.incompatible(location, "parent", "parent must not be the location itself or one within it");
    }
}

/// Checks that a location which moves to another site leaves nothing in it behind.
pub fn moved(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, location) in checked.written::<Location>() {
        let site = location.site_id;
        if before.is_none_or(|before| before.site_id == site) {
            continue;
        }
        let mut locations = checked.after.referrers::<Location>(location.id, Location::PARENT);
        let mut racks = checked.after.referrers::<Rack>(location.id, Rack::LOCATION);
        let mut devices = checked.after.referrers::<Device>(location.id, Device::LOCATION);
        let left = locations.find(|it| it.site_id != site).map(|it| it.name.as_str());
        let left = left.or_else(|| racks.find(|it| it.site_id != site).map(|it| it.name.as_str()));
        let left = left.or_else(|| devices.find(|it| it.site_id != site).map(|it| it.name.as_str()));
        if let Some(name) = left {
            let message = format!("site must be that of {name}, which is in the location: write both in one batch");
            problems.incompatible(location.id, "site", message);
        }
    }
}
