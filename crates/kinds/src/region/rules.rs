//! The validation rules of regions.

use super::kind::Region;
use underlay_inventory::{Checked, Problems};

/// Checks that no region is its own ancestor.
pub fn no_cycle(checked: &Checked<'_>, problems: &mut Problems) {
    for region in checked.cycles::<Region>(Region::PARENT) {
        problems.invalid(region, "parent", "must not be the region itself or a part of it");
    }
}
