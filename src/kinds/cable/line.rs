//! A cable on lines: it connects the ends of its two sides, lane by lane if it has lanes.

use underlay_entity::cable::{CableStatus, Model};

use super::node::Cable;
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::line::{Joint, Lane, Role};

/// The role of cables on lines.
pub const ROLE: Role = Role::Joint(Joint {
    sides: [Cable::A_ENDS, Cable::B_ENDS],
    active: |row| cast::<Model>(row).status == CableStatus::Connected,
    length_m: |row| cast::<Model>(row).length_m,
    each_lane,
});

fn each_lane(row: &dyn Row, visit: &mut dyn FnMut(Lane)) {
    for lane in &cast::<Model>(row).lanes.0 {
        // Lanes count ends from 1; a valid snapshot has no 0.
        let place = |end: i32| end.unsigned_abs().saturating_sub(1);
        visit(Lane {
            ends: [place(lane.a_end), place(lane.b_end)],
            positions: [lane.a_position.unsigned_abs(), lane.b_position.unsigned_abs()],
        });
    }
}
