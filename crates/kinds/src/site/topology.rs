//! A site in topology: everything at the site goes down with it. A line that leads nowhere else ends at a site, and is
//! not complete. A path to a site leads to the devices at the site. Links and circuits can end at a site.

use underlay_entity::site::Model;

use super::kind::Site;
use crate::circuit_termination::CircuitTermination;
use crate::common::status;
use crate::device::Device;
use underlay_inventory::cast;
use underlay_topology::role::{Dependency, Group, Part, Role};

/// The role of sites in topology.
pub const TOPOLOGY: Role = Role {
    status: |row| status(cast::<Model>(row).status),
    part: Part::Group(Group { members: Device::SITE, ends: Some(CircuitTermination::SITE) }),
    depends_on: &[Dependency::inside(Site::REGION)],
    ..Role::PLAIN
};
