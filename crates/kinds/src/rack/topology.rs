//! A rack in topology: everything in it goes down with it.

use underlay_entity::rack::Model;

use super::kind::Rack;
use crate::common::status;
use underlay_inventory::cast;
use underlay_topology::role::{Dependency, Role};

/// The role of racks in topology.
pub const TOPOLOGY: Role = Role {
    status: |row| status(cast::<Model>(row).status),
    depends_on: &[Dependency::inside(Rack::SITE), Dependency::inside(Rack::LOCATION)],
    ..Role::PLAIN
};
