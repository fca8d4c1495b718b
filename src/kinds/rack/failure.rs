//! A rack in impact analysis: everything in it goes down with it.

use underlay_entity::rack::Model;

use super::node::Rack;
use crate::kinds::common::runs;
use underlay_inventory::cast;
use underlay_topology::impact::{Dependency, Part, Role};

/// The role of racks in impact analysis.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[Dependency::inside(Rack::SITE), Dependency::inside(Rack::LOCATION)],
    part: Part::Plain,
    missed: true,
};
