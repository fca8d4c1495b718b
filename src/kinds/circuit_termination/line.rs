//! A circuit termination on lines: an end that leads over the circuit to the other end. It may be plugged directly into
//! a port. If neither a port nor a cable leads on, the line ends in the provider network or at the site of the
//! termination.

use super::node::CircuitTermination;
use underlay_entity::row::Row;
use underlay_topology::line::{End, Onward, Role, State};

/// The role of circuit terminations on lines.
pub const ROLE: Role = Role::End(End {
    state,
    inside: None,
    plug: Some(CircuitTermination::PORT),
    crossing: Some(CircuitTermination::CIRCUIT),
    stands_in: &[CircuitTermination::PROVIDER_NETWORK, CircuitTermination::SITE],
    fed_by: None,
});

fn state(_: &dyn Row) -> State {
    State { positions: None, active: true, outside: false, onward: Onward::Across }
}
