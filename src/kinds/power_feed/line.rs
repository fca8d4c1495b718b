//! What a power feed is to lines: an end that is fed by what is upstream.

use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::Model;

use super::node::PowerFeed;
use crate::inventory::cast;
use crate::store::Row;
use crate::topology::line::{End, Onward, Role, State};

/// What a power feed is to lines.
pub const ROLE: Role = Role::End(End {
    state,
    inside: None,
    plug: None,
    crossing: None,
    stands_in: &[],
    fed_by: Some(PowerFeed::UPSTREAM),
});

fn state(row: &dyn Row) -> State {
    let active = cast::<Model>(row).status == Status::Active;
    State { positions: Some(1), active, outside: false, onward: Onward::Fed }
}
