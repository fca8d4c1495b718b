//! A virtual machine: on a host, in a cluster or at a provider, at least one of the three. Its name is unique in its
//! cluster; without one in its host; without either in its provider. It moves between hosts by an update.
//! It contains its ports.

mod api;
mod describe;
mod failure;
mod input;
mod node;
mod path;
mod rules;

pub use api::{VirtualMachineMutation, VirtualMachineQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{VirtualMachineFilter, VirtualMachineInput, VirtualMachineListFilter, VirtualMachineRef};
pub use node::VirtualMachine;
pub use path::PATH;
