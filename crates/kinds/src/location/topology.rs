//! A location in topology: everything in it goes down with it.

use super::kind::Location;
use underlay_topology::role::{Dependency, Role};

/// The role of locations in topology.
pub const TOPOLOGY: Role =
    Role { depends_on: &[Dependency::inside(Location::SITE), Dependency::inside(Location::PARENT)], ..Role::PLAIN };
