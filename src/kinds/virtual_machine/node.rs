//! A virtual machine in the API.

use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Allocation};
use underlay_entity::object_reference::ObjectReference;
use underlay_entity::virtual_machine::Model;

use crate::kinds::cluster::Cluster;
use crate::kinds::device::Device;
use crate::kinds::port::Port;
use crate::kinds::provider::Provider;
use crate::object;

object! {
    /// A virtual machine: on a host, in a cluster or at a provider.
    VirtualMachine: Model;

    own {
        /// The project on another platform that it belongs to; recorded, never resolved.
        project_ref: Option<&ObjectReference> = |vm| vm.project_ref.as_ref();
        /// What it is given.
        allocation: Option<&Allocation> = |vm| vm.allocation.as_ref();
        /// Its addresses.
        addresses: &[Address] = |vm| &vm.addresses.0;
        /// Where it stands in its life.
        status: Status = |vm| vm.status;
    }

    requires {}

    refers {
        /// The device that hosts it.
        host: Device by VirtualMachine::HOST;
        /// The cluster that it is in.
        cluster: Cluster by VirtualMachine::CLUSTER;
        /// The provider that runs it.
        provider: Provider by VirtualMachine::PROVIDER;
    }

    lists {
        /// Its ports.
        ports: Port by Port::VIRTUAL_MACHINE;
    }

    more {}
}
