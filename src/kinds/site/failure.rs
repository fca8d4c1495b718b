//! A site, to failure: all that is at it goes down with it.

use underlay_entity::site::Model;

use super::node::Site;
use crate::inventory::cast;
use crate::kinds::common::runs;
use crate::topology::impact::{Dependency, Part, Role};

/// What it is to failure.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[Dependency::inside(Site::REGION)],
    part: Part::Plain,
    missed: true,
};
