//! A virtual machine: on a host, in a cluster or at a provider, and at least one of the three. Its name is unique in
//! its cluster; without a cluster, in its host; without either, in its provider. An update moves it between hosts. It
//! contains its ports.

mod api;
mod describe;
mod input;
mod node;
mod rules;
mod topology;

pub use api::{VirtualMachineMutation, VirtualMachineQuery};
pub use describe::DESCRIPTION;
pub use input::{VirtualMachineFilter, VirtualMachineInput, VirtualMachineListFilter, VirtualMachineRef};
pub use node::VirtualMachine;
pub use topology::TOPOLOGY;
