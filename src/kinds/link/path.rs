//! A link, to paths: where no cable realises it, it says that its ends are joined, and nobody knows how.

use underlay_entity::link::Model;

use super::node::Link;
use crate::inventory::cast;
use crate::kinds::common::bits_per_second;
use crate::topology::path::{Association, Part, Role};

/// What it is to paths.
pub const PATH: Role = Role {
    part: Part::Association(Association {
        ends: [Link::A, Link::B],
        carriers: Link::CABLES,
        latency_ms: |row| cast::<Model>(row).latency_ms,
        bandwidth_bps: |row| bits_per_second(cast::<Model>(row).capacity_mbps),
    }),
    ..Role::PLAIN
};
