//! A power feed on lines: an end that its upstream source feeds.

use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::Model;

use super::node::PowerFeed;
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::line::{End, Onward, Role, State};

/// The role of power feeds on lines.
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
