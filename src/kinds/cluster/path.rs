//! A cluster in path search: a path to a cluster leads to the devices in it. Links can end at a cluster.

use crate::kinds::device::Device;
use underlay_topology::path::{Ends, Group, Part, Role, Toward};

/// The role of clusters in path search.
pub const PATH: Role = Role {
    part: Part::Group(Group { members: Device::CLUSTER, ends: None }),
    ends: Ends::FirstOf(&[Toward::From(Device::CLUSTER)]),
    ..Role::PLAIN
};
