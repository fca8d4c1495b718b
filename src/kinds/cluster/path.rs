//! A cluster, to paths: a path to it is one to the devices in it. Links lead to it.

use crate::kinds::device::Device;
use crate::topology::path::{Ends, Group, Part, Role, Toward};

/// What it is to paths.
pub const PATH: Role = Role {
    part: Part::Group(Group { members: Device::CLUSTER, ends: None }),
    ends: Ends::FirstOf(&[Toward::From(Device::CLUSTER)]),
    ..Role::PLAIN
};
