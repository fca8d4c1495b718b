//! A site in path search: a path to a site leads to the devices at the site. Links and circuits can end at a site.

use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::device::Device;
use underlay_topology::path::{Ends, Group, Part, Role, Toward};

/// The role of sites in path search.
pub const PATH: Role = Role {
    part: Part::Group(Group { members: Device::SITE, ends: Some(CircuitTermination::SITE) }),
    ends: Ends::FirstOf(&[Toward::From(Device::SITE)]),
    ..Role::PLAIN
};
