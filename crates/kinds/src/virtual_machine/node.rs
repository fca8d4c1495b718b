//! The GraphQL object of a virtual machine.

use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Allocation};
use underlay_entity::object_reference::ObjectReference;
use underlay_entity::virtual_machine::Model;

use crate::cluster::Cluster;
use crate::device::Device;
use crate::host::Host;
use crate::object;
use crate::port::Port;
use crate::provider::Provider;

object! {
    /// A virtual machine: on a host, in a cluster or at a provider.
    VirtualMachine: Model;

    own {
        /// The project on another platform that the virtual machine belongs to. The reference is stored, but never
        /// resolved.
        project_ref: Option<&ObjectReference> = |vm| vm.project_ref.as_ref();
        /// The resources that the virtual machine is given: processors, memory and disks.
        allocation: Option<&Allocation> = |vm| vm.allocation.as_ref();
        /// The addresses of the virtual machine.
        addresses: &[Address] = |vm| &vm.addresses.0;
        /// The lifecycle status of the virtual machine.
        status: Status = |vm| vm.status;
    }

    requires {}

    refers {
        /// The device that hosts the virtual machine.
        host: Device by VirtualMachine::HOST;
        /// The cluster that the virtual machine is in.
        cluster: Cluster by VirtualMachine::CLUSTER;
        /// The provider that runs the virtual machine.
        provider: Provider by VirtualMachine::PROVIDER;
    }

    lists {
        /// The ports of the virtual machine.
        ports: Port by Port::VIRTUAL_MACHINE;
        /// The host that the virtual machine is: at most one.
        hosts: Host by Host::MACHINE;
    }

    more {}
}
