//! A circuit in path search: a hop of the lines, with its own bandwidth. A path to a circuit leads to the objects that
//! it connects.

use underlay_entity::circuit::Model;

use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::common::bits_per_second;
use underlay_inventory::cast;
use underlay_topology::path::{Crossing, Ends, Part, Role, Toward};

/// The role of circuits in path search.
pub const PATH: Role = Role {
    part: Part::Crossing(Crossing { bandwidth_bps: |row| bits_per_second(cast::<Model>(row).bandwidth_mbps) }),
    ends: Ends::FirstOf(&[Toward::From(CircuitTermination::CIRCUIT)]),
    fails_with: |row| &cast::<Model>(row).risk_groups.0,
    ..Role::PLAIN
};
