//! What must hold of regions.

use super::node::Region;
use crate::inventory::{Checked, Problems};

/// No region is a part of itself.
pub fn no_circle(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, region) in checked.written::<Region>() {
        if checked.leads_back::<Region>(region.id, |region| region.parent_id) {
            problems.invalid(region.id, "parent", "must not be the region itself or a part of it");
        }
    }
}
