//! The validation rules of links.

use super::kind::Link;
use underlay_inventory::{Checked, Problems};

/// Checks that a link has two different ends.
pub fn ends(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, link) in checked.written::<Link>() {
        if link.a == link.b {
            problems.invalid(link.id, "b", "must not be the same as a");
        }
    }
}

/// Checks that a link names no cable twice.
pub fn cables(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, link) in checked.written::<Link>() {
        for (at, cable) in link.cables.0.iter().enumerate() {
            if link.cables.0[..at].contains(cable) {
                problems.invalid(link.id, &format!("cables[{at}]"), "is in the list already");
            }
        }
    }
}
