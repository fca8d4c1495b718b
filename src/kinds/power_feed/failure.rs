//! A power feed in impact analysis: it is dead without the source that supplies it.

use underlay_entity::power_feed::Model;

use super::node::PowerFeed;
use crate::kinds::common::runs;
use underlay_inventory::cast;
use underlay_topology::impact::{Dependency, Part, Role};

/// The role of power feeds in impact analysis.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[
        Dependency::inside(PowerFeed::RACK),
        Dependency::inside(PowerFeed::SITE),
        Dependency::supplied(PowerFeed::UPSTREAM),
    ],
    part: Part::Plain,
    missed: true,
};
