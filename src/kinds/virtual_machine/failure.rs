//! A virtual machine in impact analysis: it has the state of its host; without a host, of its cluster; without either,
//! of its provider.

use underlay_entity::virtual_machine::Model;

use super::node::VirtualMachine;
use crate::kinds::common::runs;
use underlay_inventory::cast;
use underlay_topology::impact::{Guest, Part, Role};

/// The role of virtual machines in impact analysis.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[],
    part: Part::Guest(Guest { hosts: &[VirtualMachine::HOST, VirtualMachine::CLUSTER, VirtualMachine::PROVIDER] }),
    missed: true,
};
