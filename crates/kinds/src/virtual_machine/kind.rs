//! Declares a virtual machine.

use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Allocation};
use underlay_entity::object_reference::ObjectReference;
use underlay_entity::virtual_machine::Model;
use underlay_inventory::Role;
use underlay_kind_derive::{kind, resolvers};
use underlay_read::TextFilter;

use super::rules;
use super::topology::TOPOLOGY;
use crate::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::common::{OBJECT_REFERENCE, object_reference};
use crate::device::{Device, DeviceFilter, DeviceRef};
use crate::filters::StatusFilter;
use crate::host::{Host, HostListFilter};
use crate::machine::{ADDRESSES, ALLOCATION, addresses, machine};
use crate::port::{Port, PortListFilter};
use crate::provider::{Provider, ProviderFilter, ProviderRef};

/// A virtual machine: on a host, in a cluster or at a provider.
#[kind(
    id = VIRTUAL_MACHINE,
    row = Model,
    key(cluster, host, provider),
    reference(
        site = "The name of the site of the virtual machine's host.",
        cluster = "The name of the virtual machine's cluster.",
        host = "The name of the virtual machine's host.",
        provider = "The name of the virtual machine's provider.",
        virtual_machine = "The name of the virtual machine.",
    ),
    rules = &[rules::home],
    searched(addresses => |row| row.addresses.0.iter().map(|it| &it.address)),
)]
pub struct VirtualMachine {
    /// The device that hosts the virtual machine.
    #[written = "At least one of `host`, `cluster` and `provider` is required."]
    #[reference(6, filter, placing)]
    host: Option<Device>,

    /// The cluster that the virtual machine is in.
    #[reference(7, filter, assigned_by(Role::Reconciler), placing)]
    cluster: Option<Cluster>,

    /// The provider that runs the virtual machine.
    #[reference(8, filter)]
    provider: Option<Provider>,

    /// The project on another platform that the virtual machine belongs to. The reference is stored, but never
    /// resolved.
    #[field(9, shape = OBJECT_REFERENCE, borrowed, normalised(object_reference))]
    project_ref: Option<ObjectReference>,

    /// The resources that the virtual machine is given: processors, memory and disks.
    #[written = "A write replaces the whole object."]
    #[field(10, shape = ALLOCATION, borrowed, normalised(machine))]
    allocation: Option<Allocation>,

    /// The addresses of the virtual machine.
    #[written = "A write replaces the whole list."]
    #[field(11, shape = ADDRESSES, normalised(addresses))]
    addresses: Vec<Address>,

    /// The lifecycle status of the virtual machine.
    #[written = "Defaults to ACTIVE."]
    #[field(12, filter, assigned_by(Role::Reconciler))]
    status: Status,

    /// The ports of the virtual machine.
    #[list(Port::VIRTUAL_MACHINE, filter)]
    ports: Vec<Port>,

    /// The host that the virtual machine is: at most one.
    #[list(Host::MACHINE, filter)]
    hosts: Vec<Host>,

    /// Matches if one of the addresses of the virtual machine matches.
    #[filter(|filter, vm, _| vm.addresses.0.iter().any(|it| filter.fits(Some(&it.address))))]
    address: TextFilter,
}

#[resolvers]
impl VirtualMachine {}
