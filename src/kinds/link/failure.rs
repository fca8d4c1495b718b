//! A link in impact analysis: it is down if an end or all of its cables are down.

use super::node::Link;
use underlay_topology::impact::{Association, Part, Role};

/// The role of links in impact analysis.
pub const FAILURE: Role = Role {
    runs: |_| true,
    with: &[],
    part: Part::Association(Association { ends: [Link::A, Link::B], carriers: Link::CABLES }),
    missed: true,
};
