//! What clients write and ask of virtual machines.

use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Allocation};
use underlay_entity::object_reference::ObjectReference;
use underlay_entity::virtual_machine::Model;

use super::node::VirtualMachine;
use crate::kinds::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::kinds::device::{Device, DeviceFilter, DeviceRef};
use crate::kinds::filters::StatusFilter;
use crate::kinds::port::{Port, PortListFilter};
use crate::kinds::provider::{Provider, ProviderFilter, ProviderRef};
use crate::read::TextFilter;
use crate::{filter, inputs, order};

inputs! {
    VirtualMachine as virtual_machine;
    input VirtualMachineInput;
    patch VirtualMachinePatch;
    payload VirtualMachinePayload;

    reference VirtualMachineRef {
        /// The name of the site of its host.
        site: String;
        /// The name of its cluster.
        cluster: String;
        /// The name of its host.
        host: String;
        /// The name of its provider.
        provider: String;
        /// Its name.
        virtual_machine: String;
    }

    fixed {}

    fields {
        /// The device that hosts it. This, `cluster` or `provider` is required.
        host: DeviceRef;
        /// The cluster that it is in.
        cluster: ClusterRef;
        /// The provider that runs it.
        provider: ProviderRef;
        /// The project on another platform that it belongs to; recorded, never resolved.
        project_ref: ObjectReference;
        /// What it is given; replaced as a whole.
        allocation: Allocation;
        /// Its addresses; replaced as a whole.
        addresses: Vec<Address>;
        /// Where it stands in its life. Default: ACTIVE.
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
    }

    more {
        /// One of its addresses fits.
        address: TextFilter = |filter, vm, _| vm.addresses.0.iter().any(|it| filter.fits(Some(&it.address)));
    }
}

order! {
    VirtualMachine: Model;
    order VirtualMachineOrder, VirtualMachineOrderBy;

    values {}
}
