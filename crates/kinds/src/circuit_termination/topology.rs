//! A circuit termination in topology: an end that leads over the circuit to the other end. It may be plugged directly
//! into a port. If neither a port nor a cable leads on, the line ends in the provider network or at the site of the
//! termination.
//!
//! A termination is only a part of its circuit, and the circuit carries the status of both ends. A path to a
//! termination leads to the objects that its lines connect.

use super::kind::CircuitTermination;
use underlay_topology::role::{End, EndState, Onward, Part, Reported, Role};

/// The role of circuit terminations in topology.
pub const TOPOLOGY: Role = Role {
    part: Part::End(End {
        state: |_| EndState { positions: None, outside: false, onward: Onward::Across },
        inside: None,
        plugged_into: Some(CircuitTermination::PORT),
        opaque_span: Some(CircuitTermination::CIRCUIT),
        stands_in: &[CircuitTermination::PROVIDER_NETWORK, CircuitTermination::SITE],
        fed_by: None,
    }),
    reported: Reported::Never,
    ..Role::PLAIN
};
