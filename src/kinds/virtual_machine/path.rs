//! A virtual machine in path search: a path to it leads to its host; without a host, to its cluster; without either, to
//! its provider.

use super::node::VirtualMachine;
use underlay_topology::path::{Ends, Role, Toward};

/// The role of virtual machines in path search.
pub const PATH: Role = Role {
    ends: Ends::FirstOf(&[
        Toward::To(VirtualMachine::HOST),
        Toward::To(VirtualMachine::CLUSTER),
        Toward::To(VirtualMachine::PROVIDER),
    ]),
    ..Role::PLAIN
};
