//! A region in impact analysis: the sites and regions in it go down with it.

use super::node::Region;
use underlay_topology::impact::{Dependency, Part, Role};

/// The role of regions in impact analysis.
pub const FAILURE: Role =
    Role { runs: |_| true, with: &[Dependency::inside(Region::PARENT)], part: Part::Plain, missed: true };
