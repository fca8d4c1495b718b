//! A virtual machine: on a host, in a cluster or at a provider, and at least one of the three. Its name is unique in
//! its cluster; without a cluster, in its host; without either, in its provider. An update moves it between hosts. It
//! contains its ports.

mod kind;
mod rules;
mod topology;

pub use kind::{
    DESCRIPTION, VirtualMachine, VirtualMachineFilter, VirtualMachineInput, VirtualMachineListFilter,
    VirtualMachineMutation, VirtualMachineQuery, VirtualMachineRef,
};
pub use topology::TOPOLOGY;
