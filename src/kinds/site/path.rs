//! A site, to paths: a path to it is one to the devices at it. Links lead to it, and circuits end at it.

use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::device::Device;
use crate::topology::path::{Ends, Group, Part, Role, Toward};

/// What it is to paths.
pub const PATH: Role = Role {
    part: Part::Group(Group { members: Device::SITE, ends: Some(CircuitTermination::SITE) }),
    ends: Ends::FirstOf(&[Toward::From(Device::SITE)]),
    ..Role::PLAIN
};
