//! A provider network in path search: it forwards traffic from one of its circuits to all others.

use crate::kinds::circuit_termination::CircuitTermination;
use underlay_topology::path::{Ends, Network, Part, Role};

/// The role of provider networks in path search.
pub const PATH: Role = Role {
    part: Part::Network(Network { ends: CircuitTermination::PROVIDER_NETWORK }),
    ends: Ends::Itself,
    ..Role::PLAIN
};
