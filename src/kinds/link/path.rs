//! A link in path search: a link without cables says that its ends are connected, but not how.

use underlay_entity::link::Model;

use super::node::Link;
use crate::kinds::common::bits_per_second;
use underlay_inventory::cast;
use underlay_topology::path::{Association, Part, Role};

/// The role of links in path search.
pub const PATH: Role = Role {
    part: Part::Association(Association {
        ends: [Link::A, Link::B],
        carriers: Link::CABLES,
        latency_ms: |row| cast::<Model>(row).latency_ms,
        bandwidth_bps: |row| bits_per_second(cast::<Model>(row).capacity_mbps),
    }),
    ..Role::PLAIN
};
