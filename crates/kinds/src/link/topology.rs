//! A link in topology: it says that its ends are connected. It is down if an end or all of its cables are down. Paths
//! run over its cables; a link without cables does not say how its ends are connected.

use underlay_entity::link::Model;

use super::kind::Link;
use crate::common::bits_per_second;
use underlay_inventory::cast;
use underlay_topology::role::{Association, Part, Role};

/// The role of links in topology.
pub const TOPOLOGY: Role = Role {
    part: Part::Association(Association {
        ends: [Link::A, Link::B],
        carriers: Link::CABLES,
        latency_ms: |row| cast::<Model>(row).latency_ms,
        bandwidth_bps: |row| bits_per_second(cast::<Model>(row).capacity_mbps),
    }),
    ..Role::PLAIN
};
