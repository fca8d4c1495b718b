//! A power feed in topology: an end of lines that its upstream source feeds, and that is dead without this source.
//! Devices of a path may fail with it, and it may fail with other objects of its risk groups.

use underlay_entity::power_feed::Model;

use super::kind::PowerFeed;
use crate::common::status;
use underlay_inventory::cast;
use underlay_topology::role::{Dependency, End, EndState, Onward, Part, Role};

/// The role of power feeds in topology.
pub const TOPOLOGY: Role = Role {
    status: |row| status(cast::<Model>(row).status),
    part: Part::End(End {
        state: |_| EndState { positions: Some(1), outside: false, onward: Onward::Fed },
        inside: None,
        plugged_into: None,
        opaque_span: None,
        stands_in: &[],
        fed_by: Some(PowerFeed::UPSTREAM),
    }),
    depends_on: &[Dependency::inside(PowerFeed::RACK), Dependency::inside(PowerFeed::SITE)],
    risk_groups: |row| &cast::<Model>(row).risk_groups.0,
    ..Role::PLAIN
};
