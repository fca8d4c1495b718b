//! A link, to failure: down with an end or with all of its cables.

use super::node::Link;
use crate::topology::impact::{Association, Part, Role};

/// What it is to failure.
pub const FAILURE: Role = Role {
    runs: |_| true,
    with: &[],
    part: Part::Association(Association { ends: [Link::A, Link::B], carriers: Link::CABLES }),
    missed: true,
};
