//! A cable, to failure: down with all ends of one side.

use underlay_entity::cable::{CableStatus, Model};

use super::node::Cable;
use crate::inventory::cast;
use crate::topology::impact::{Joint, Part, Role};

/// What it is to failure.
pub const FAILURE: Role = Role {
    runs: |row| cast::<Model>(row).status == CableStatus::Connected,
    with: &[],
    part: Part::Joint(Joint { sides: [Cable::A_ENDS, Cable::B_ENDS] }),
    missed: false,
};
