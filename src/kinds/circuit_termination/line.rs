//! What a termination is to lines: an end, which leads over the circuit to the other one. It may be plugged straight
//! into a port; where neither that nor a cable leads on, the line ends in the network or at the site of the termination.

use super::node::CircuitTermination;
use crate::store::Row;
use crate::topology::line::{End, Onward, Role, State};

/// What a termination is to lines.
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
