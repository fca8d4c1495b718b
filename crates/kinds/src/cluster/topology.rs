//! A cluster in topology: its state depends on how many of its servers and storage devices are left. A path to a
//! cluster leads to the devices in it. Links can end at a cluster.

use crate::device::Device;
use underlay_topology::role::{Group, Part, Role};

/// The role of clusters in topology.
pub const TOPOLOGY: Role = Role { part: Part::Pool(Group { members: Device::CLUSTER, ends: None }), ..Role::PLAIN };
