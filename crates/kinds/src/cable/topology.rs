//! A cable in topology: a span. It connects the ends of its two sides, lane by lane if it has lanes, and is down if all
//! ends of one side are down. It fails together with other objects of its conduit, duct or trench.

use underlay_entity::cable::{CableStatus, Model};

use super::kind::Cable;
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::role::{Lane, Part, Reported, Role, Span, Status};

/// The role of cables in topology.
pub const TOPOLOGY: Role = Role {
    status: |row| match cast::<Model>(row).status {
        CableStatus::Connected => Status::Active,
        _ => Status::Off,
    },
    part: Part::Span(Span {
        sides: [Cable::A_ENDS, Cable::B_ENDS],
        length_m: |row| cast::<Model>(row).length_m,
        each_lane,
    }),
    risk_groups: |row| &cast::<Model>(row).risk_groups.0,
    reported: Reported::AsRisk,
    ..Role::PLAIN
};

fn each_lane(row: &dyn Row, visit: &mut dyn FnMut(Lane)) {
    for lane in &cast::<Model>(row).lanes.0 {
        // Lanes count ends from 1; a valid snapshot has no 0.
        let index = |end: i32| end.unsigned_abs().saturating_sub(1);
        visit(Lane {
            ends: [index(lane.a_end), index(lane.b_end)],
            positions: [lane.a_position.unsigned_abs(), lane.b_position.unsigned_abs()],
        });
    }
}
