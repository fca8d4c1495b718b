//! A location, to failure: what stands in it goes down with it.

use super::node::Location;
use crate::topology::impact::{Dependency, Part, Role};

/// What it is to failure.
pub const FAILURE: Role = Role {
    runs: |_| true,
    with: &[Dependency::inside(Location::SITE), Dependency::inside(Location::PARENT)],
    part: Part::Plain,
    missed: true,
};
