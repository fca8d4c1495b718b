//! A virtual machine, to paths: a path to it is one to its host; without a host to its cluster, else to its provider.

use super::node::VirtualMachine;
use crate::topology::path::{Ends, Role, Toward};

/// What it is to paths.
pub const PATH: Role = Role {
    ends: Ends::FirstOf(&[
        Toward::To(VirtualMachine::HOST),
        Toward::To(VirtualMachine::CLUSTER),
        Toward::To(VirtualMachine::PROVIDER),
    ]),
    ..Role::PLAIN
};
