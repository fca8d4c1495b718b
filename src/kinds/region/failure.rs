//! A region, to failure: sites and regions go down with it.

use super::node::Region;
use crate::topology::impact::{Dependency, Part, Role};

/// What it is to failure.
pub const FAILURE: Role =
    Role { runs: |_| true, with: &[Dependency::inside(Region::PARENT)], part: Part::Plain, missed: true };
