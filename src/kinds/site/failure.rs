//! A site in impact analysis: everything at the site goes down with it.

use underlay_entity::site::Model;

use super::node::Site;
use crate::kinds::common::runs;
use underlay_inventory::cast;
use underlay_topology::impact::{Dependency, Part, Role};

/// The role of sites in impact analysis.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[Dependency::inside(Site::REGION)],
    part: Part::Plain,
    missed: true,
};
