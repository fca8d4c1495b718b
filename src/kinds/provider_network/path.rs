//! A provider network, to paths: it passes on what comes by one of its circuits to all others.

use crate::kinds::circuit_termination::CircuitTermination;
use crate::topology::path::{Ends, Network, Part, Role};

/// What it is to paths.
pub const PATH: Role = Role {
    part: Part::Network(Network { ends: CircuitTermination::PROVIDER_NETWORK }),
    ends: Ends::Itself,
    ..Role::PLAIN
};
