//! A virtual machine in topology: it has the state of its host; without a host, of its cluster; without either, of its
//! provider. A path to it leads to the same object.

use underlay_entity::virtual_machine::Model;

use super::kind::VirtualMachine;
use crate::common::status;
use underlay_inventory::cast;
use underlay_topology::role::{Guest, Part, Role};

/// The role of virtual machines in topology.
pub const TOPOLOGY: Role = Role {
    status: |row| status(cast::<Model>(row).status),
    part: Part::Guest(Guest { hosts: &[VirtualMachine::HOST, VirtualMachine::CLUSTER, VirtualMachine::PROVIDER] }),
    ..Role::PLAIN
};
