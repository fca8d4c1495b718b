//! A region in topology: the sites and regions in it go down with it.

use super::kind::Region;
use underlay_topology::role::{Dependency, Role};

/// The role of regions in topology.
pub const TOPOLOGY: Role = Role { depends_on: &[Dependency::inside(Region::PARENT)], ..Role::PLAIN };
