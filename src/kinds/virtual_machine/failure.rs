//! A virtual machine, to failure: as its host is, else its cluster, else its provider.

use underlay_entity::virtual_machine::Model;

use super::node::VirtualMachine;
use crate::inventory::cast;
use crate::kinds::common::runs;
use crate::topology::impact::{Guest, Part, Role};

/// What it is to failure.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[],
    part: Part::Guest(Guest { hosts: &[VirtualMachine::HOST, VirtualMachine::CLUSTER, VirtualMachine::PROVIDER] }),
    missed: true,
};
