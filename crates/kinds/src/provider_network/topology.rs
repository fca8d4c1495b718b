//! A provider network in topology: a way out of the inventory, which is down if its provider is down. A line that ends
//! in it is complete. It forwards traffic from one of its circuits to all others.

use super::kind::ProviderNetwork;
use crate::circuit_termination::CircuitTermination;
use underlay_topology::role::{Dependency, Outside, Part, Role};

/// The role of provider networks in topology.
pub const TOPOLOGY: Role = Role {
    part: Part::Outside(Outside { ends: CircuitTermination::PROVIDER_NETWORK }),
    depends_on: &[Dependency::inside(ProviderNetwork::PROVIDER)],
    ..Role::PLAIN
};
