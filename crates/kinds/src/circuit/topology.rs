//! A circuit in topology: a line crosses it from one end to the other, with its bandwidth. It is down if its provider,
//! the provider network of an end, or the site of an end is down. A path to a circuit leads to the objects that it
//! connects.

use underlay_entity::circuit::{CircuitType, Model};

use super::kind::Circuit;
use crate::circuit_termination::CircuitTermination;
use crate::common::{bits_per_second, status};
use underlay_inventory::{ReferenceId, cast};
use underlay_topology::role::{Dependency, OpaqueSpan, Part, Role, Rule};

/// The reference from the ends of a circuit.
const ENDS: ReferenceId = CircuitTermination::CIRCUIT;

/// The role of circuits in topology.
pub const TOPOLOGY: Role = Role {
    status: |row| status(cast::<Model>(row).status),
    part: Part::OpaqueSpan(OpaqueSpan {
        ends: ENDS,
        leads_out: |row| cast::<Model>(row).r#type != CircuitType::CrossConnect,
        passive: |row| cast::<Model>(row).r#type == CircuitType::CrossConnect,
        length_m: |row| cast::<Model>(row).distance_m,
        latency_ms: |row| cast::<Model>(row).latency_ms,
        bandwidth_bps: |row| bits_per_second(cast::<Model>(row).bandwidth_mbps),
    }),
    depends_on: &[
        Dependency::inside(Circuit::PROVIDER),
        Dependency::of_parts(ENDS, CircuitTermination::PROVIDER_NETWORK, Rule::Containment),
        Dependency::of_parts(ENDS, CircuitTermination::SITE, Rule::Line),
    ],
    risk_groups: |row| &cast::<Model>(row).risk_groups.0,
    ..Role::PLAIN
};
