//! A location in impact analysis: everything in it goes down with it.

use super::node::Location;
use underlay_topology::impact::{Dependency, Part, Role};

/// The role of locations in impact analysis.
pub const FAILURE: Role = Role {
    runs: |_| true,
    with: &[Dependency::inside(Location::SITE), Dependency::inside(Location::PARENT)],
    part: Part::Plain,
    missed: true,
};
