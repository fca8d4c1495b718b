//! The GraphQL root fields that read and write virtual machines.

use super::input::{VirtualMachineInput, VirtualMachinePatch, VirtualMachinePayload};
use super::node::VirtualMachine;
use crate::roots;

roots! {
    VirtualMachine;
    query VirtualMachineQuery {
        virtual_machine(
            /// The name of the site of the virtual machine's host.
            site: String,
            /// The name of the virtual machine's cluster.
            cluster: String,
            /// The name of the virtual machine's host.
            host: String,
            /// The name of the virtual machine's provider.
            provider: String,
        ),
        virtual_machines
    }
    mutation VirtualMachineMutation { create_virtual_machine, update_virtual_machine, delete_virtual_machine }
    with VirtualMachineInput, VirtualMachinePatch, VirtualMachinePayload { virtual_machine }
}
