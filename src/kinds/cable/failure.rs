//! A cable in impact analysis: it is down if all ends of one side are down.

use underlay_entity::cable::{CableStatus, Model};

use super::node::Cable;
use underlay_inventory::cast;
use underlay_topology::impact::{Joint, Part, Role};

/// The role of cables in impact analysis.
pub const FAILURE: Role = Role {
    runs: |row| cast::<Model>(row).status == CableStatus::Connected,
    with: &[],
    part: Part::Joint(Joint { sides: [Cable::A_ENDS, Cable::B_ENDS] }),
    missed: false,
};
