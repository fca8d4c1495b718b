//! The validation rules of locations.

use super::node::Location;
use underlay_inventory::{Checked, Problems};

/// Checks that the parent of a location is in the same site, and that no location is its own ancestor.
pub fn parent(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, location) in checked.written::<Location>() {
        let parent = location.parent_id.and_then(|id| checked.after.get::<Location>(id));
        if parent.is_some_and(|parent| parent.site_id != location.site_id) {
            problems.invalid(location.id, "parent", "must be a location of the same site");
        }
    }
    for location in checked.cycles::<Location>(Location::PARENT) {
        problems.invalid(location, "parent", "must not be the location itself or one within it");
    }
}
