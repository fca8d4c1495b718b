//! A circuit in impact analysis: it is down if its provider, the provider network of an end, or the site of an end is
//! down.

use underlay_entity::circuit::{CircuitType, Model};

use super::node::Circuit;
use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::common::runs;
use underlay_inventory::cast;
use underlay_topology::impact::{Crossing, Dependency, Part, Role, Rule};

/// The role of circuits in impact analysis.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[
        Dependency::inside(Circuit::PROVIDER),
        Dependency::of_parts(CircuitTermination::CIRCUIT, CircuitTermination::PROVIDER_NETWORK, Rule::Containment),
        Dependency::of_parts(CircuitTermination::CIRCUIT, CircuitTermination::SITE, Rule::Line),
    ],
    part: Part::Crossing(Crossing {
        leads_out: |row| cast::<Model>(row).r#type != CircuitType::CrossConnect,
        ends: CircuitTermination::CIRCUIT,
        whereabouts: &[CircuitTermination::SITE, CircuitTermination::PORT, CircuitTermination::PROVIDER_NETWORK],
    }),
    missed: true,
};
