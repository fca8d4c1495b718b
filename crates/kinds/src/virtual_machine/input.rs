//! The GraphQL inputs, filters and sort orders of virtual machines.

use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Allocation};
use underlay_entity::object_reference::ObjectReference;
use underlay_entity::virtual_machine::Model;

use super::node::VirtualMachine;
use crate::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::device::{Device, DeviceFilter, DeviceRef};
use crate::filters::StatusFilter;
use crate::host::{Host, HostListFilter};
use crate::port::{Port, PortListFilter};
use crate::provider::{Provider, ProviderFilter, ProviderRef};
use crate::{filter, inputs, order};
use underlay_read::TextFilter;

inputs! {
    VirtualMachine as virtual_machine;
    input VirtualMachineInput;
    patch VirtualMachinePatch;
    payload VirtualMachinePayload;

    reference VirtualMachineRef {
        /// The name of the site of the virtual machine's host.
        site: String;
        /// The name of the virtual machine's cluster.
        cluster: String;
        /// The name of the virtual machine's host.
        host: String;
        /// The name of the virtual machine's provider.
        provider: String;
        /// The name of the virtual machine.
        virtual_machine: String;
    }

    fixed {}

    fields {
        /// The device that hosts the virtual machine. At least one of `host`, `cluster` and `provider` is required.
        host: DeviceRef;
        /// The cluster that the virtual machine is in.
        cluster: ClusterRef;
        /// The provider that runs the virtual machine.
        provider: ProviderRef;
        /// The project on another platform that the virtual machine belongs to. The reference is stored, but never
        /// resolved.
        project_ref: ObjectReference;
        /// The resources that the virtual machine is given: processors, memory and disks. A write replaces the whole
        /// object.
        allocation: Allocation;
        /// The addresses of the virtual machine. A write replaces the whole list.
        addresses: Vec<Address>;
        /// The lifecycle status of the virtual machine. Defaults to ACTIVE.
        status: Status;
    }
}

filter! {
    VirtualMachine: Model;
    filter VirtualMachineFilter, VirtualMachineListFilter;

    values {
        status: StatusFilter = |vm| Some(vm.status);
    }

    references {
        host: DeviceFilter => Device, VirtualMachine::HOST;
        cluster: ClusterFilter => Cluster, VirtualMachine::CLUSTER;
        provider: ProviderFilter => Provider, VirtualMachine::PROVIDER;
    }

    lists {
        ports: PortListFilter => Port, Port::VIRTUAL_MACHINE;
        hosts: HostListFilter => Host, Host::MACHINE;
    }

    more {
        /// Matches if one of the addresses of the virtual machine matches.
        address: TextFilter = |filter, vm, _| vm.addresses.0.iter().any(|it| filter.fits(Some(&it.address)));
    }
}

order! {
    VirtualMachine: Model;
    order VirtualMachineOrder, VirtualMachineOrderBy;

    values {}
}
