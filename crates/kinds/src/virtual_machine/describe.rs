//! Describes a virtual machine to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::lifecycle::Status;
use underlay_entity::virtual_machine::Model;

use super::node::VirtualMachine;
use super::rules;
use super::topology::TOPOLOGY;
use crate::common::{OBJECT_REFERENCE, object_reference, words};
use crate::ids;
use crate::machine::{ADDRESSES, ALLOCATION, addresses, machine};
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Role, Shape};
use underlay_inventory::{field, reference, searched};

const FIELDS: &[Field] = fields![
    reference!(6, Model.host_id, "host", Form::One, &["Device"]).placing(),
    reference!(7, Model.cluster_id, "cluster", Form::One, &["Cluster"]).assigned_by(Role::Reconciler).placing(),
    reference!(8, Model.provider_id, "provider", Form::One, &["Provider"]),
    field!(9, Model.project_ref, "projectRef", OBJECT_REFERENCE).normalised(object_reference),
    field!(10, Model.allocation, "allocation", ALLOCATION).normalised(machine),
    field!(11, Model.addresses, "addresses", ADDRESSES).normalised(addresses),
    field!(12, Model.status, "status", Shape::Choice(words::<Status>)).assigned_by(Role::Reconciler),
];

/// The description of virtual machines in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::VIRTUAL_MACHINE,
    name: "VirtualMachine",
    singular: "virtualMachine",
    fields: FIELDS,
    key: Key { parents: &["cluster", "host", "provider"], family: None, name_member: "virtualMachine" },
    blank: || Arc::new(blank()),
    rules: &[rules::home],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "addresses" => |machine| machine.addresses.0.iter().map(|it| &it.address),
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for VirtualMachine {
    type Row = Model;
    const ID: KindId = ids::VIRTUAL_MACHINE;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl VirtualMachine {
    /// The device that hosts the virtual machine.
    pub const HOST: ReferenceId = Description::reference(ids::VIRTUAL_MACHINE, FIELDS, "host");
    /// The cluster that the virtual machine is in.
    pub const CLUSTER: ReferenceId = Description::reference(ids::VIRTUAL_MACHINE, FIELDS, "cluster");
    /// The provider that runs the virtual machine.
    pub const PROVIDER: ReferenceId = Description::reference(ids::VIRTUAL_MACHINE, FIELDS, "provider");
}

blank!(Model {
    host_id: None,
    cluster_id: None,
    provider_id: None,
    project_ref: None,
    allocation: None,
    addresses: Default::default(),
    status: Status::default(),
});
