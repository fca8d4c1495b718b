//! Describes a host to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::host::{HostBoot, HostBootMode, HostPower, HostState, Model};
use underlay_entity::machine::CpuArchitecture;

use super::arrival::ARRIVAL;
use super::node::Host;
use super::protection::PROTECTION;
use super::topology::TOPOLOGY;
use super::{names, rules, values, write};
use crate::address::{ADDRESS, address};
use crate::bounds::text;
use crate::common::{LONG_TEXT, TEXT, words};
use crate::credential::of_hosts;
use crate::ids;
use crate::machine::{HARDWARE, machine};
use crate::port::mac;
use crate::{blank, fields};
use underlay_inventory::{
    Audience, Description, Echo, Field, Form, Key, Kind, KindId, MadeName, ReferenceId, Role, Shape, Unique, Unnamed,
};
use underlay_inventory::{cast, field, reference, searched};

const ROOT_DEVICE: Shape = Shape::Structure("an object with wwn, serial, name, minSizeBytes and rotational");
const MAINTENANCE: Shape = Shape::Structure("an object with a reason for each name");
const STEP: Shape = Shape::Structure("an object with attempt, name, of and since");
const CONDITIONS: Shape =
    Shape::Structure("a list of objects with type, status, reason, message and messageForTenants");
const FAILURE: Shape = Shape::Structure("an object with during, reason, message, step, before, erased and armed");
const LAST_ORDER: Shape = Shape::Structure("an object with id, number, act, outcome, reason, message and at");
const LOOK_ASKED: Shape = Shape::Structure("an object with at");
const SEEN_IDENTITY: Shape = Shape::Structure("an object with uuid, serial, macs and at");
/// The number of an order: at least 0.
const GENERATION: Shape = Shape::Integer { least: 0, most: i64::MAX };

/// The numbers of the fields. Numbers 32 and 33 are reserved for the fields `nodeSet` and `hub`, which come with hubs and
/// clusters.
const FIELDS: &[Field] = fields![
    reference!(6, Model.machine, "machine", Form::OneOf, &["Device", "VirtualMachine"]).within(),
    reference!(7, Model.class_id, "class", Form::One, &["HostClass"]),
    reference!(8, Model.appliance_id, "appliance", Form::One, &["Appliance"]).for_operators(),
    field!(9, Model.uid, "uid", TEXT).normalised(values::identity).for_operators(),
    field!(10, Model.title, "title", TEXT),
    field!(11, Model.architecture, "architecture", Shape::Choice(words::<CpuArchitecture>)),
    field!(12, Model.bmc_url, "bmcUrl", ADDRESS).normalised(address).for_operators(),
    reference!(13, Model.bmc_credential_id, "bmcCredential", Form::One, &["Credential"]).for_operators(),
    field!(14, Model.bmc_insecure, "bmcInsecure", Shape::Boolean),
    field!(15, Model.bmc_trusted_cas, "bmcTrustedCas", LONG_TEXT).normalised(values::certificates),
    field!(16, Model.boot_mac, "bootMac", TEXT).normalised(mac).for_operators(),
    field!(17, Model.boot_ip, "bootIp", TEXT).normalised(values::ip),
    field!(18, Model.boot_mode, "bootMode", Shape::Choice(words::<HostBootMode>)),
    field!(19, Model.boot, "boot", Shape::Choice(words::<HostBoot>)),
    field!(20, Model.root_device, "rootDevice", ROOT_DEVICE).normalised(values::root_device),
    field!(21, Model.provisioner, "provisioner", TEXT).normalised(|value| text(value, 253)).for_operators(),
    field!(22, Model.maintenance, "maintenance", MAINTENANCE).normalised(values::maintenance),
    field!(23, Model.acquired_for, "acquiredFor", TEXT).set_by_server(),
    field!(24, Model.deleting, "deleting", Shape::Boolean).set_by_server(),
    reference!(25, Model.wanted, "wanted", Form::OptionalMember("profile"), &["Profile"])
        .normalised(values::wanted)
        .set_by_server(),
    field!(26, Model.generation, "generation", GENERATION).set_by_server(),
    field!(27, Model.state, "state", Shape::Choice(words::<HostState>)).assigned_by(Role::Reconciler).reported(),
    field!(28, Model.power, "power", Shape::Choice(words::<HostPower>)).assigned_by(Role::Reconciler).reported(),
    field!(29, Model.step, "step", STEP).normalised(values::step).assigned_by(Role::Reconciler).reported(),
    field!(30, Model.generation_done, "generationDone", GENERATION).assigned_by(Role::Reconciler).reported(),
    // No controller sets it: the tenant of the cluster sees the host.
    reference!(31, Model.cluster_id, "cluster", Form::One, &["Cluster"]),
    field!(34, Model.conditions, "conditions", CONDITIONS)
        .normalised(values::conditions)
        .redacted(values::conditions_for_tenants)
        .assigned_by(Role::Reconciler)
        .reported(),
    field!(35, Model.failure, "failure", FAILURE)
        .normalised(values::failure)
        .assigned_by(Role::Reconciler)
        .reported()
        .for_operators(),
    field!(36, Model.serial, "serial", TEXT).normalised(values::identity).for_operators(),
    field!(37, Model.last_order, "lastOrder", LAST_ORDER)
        .normalised(values::last_order)
        .assigned_by(Role::Reconciler)
        .reported()
        .for_operators(),
    field!(38, Model.was_installed, "wasInstalled", Shape::Boolean).set_by_server(),
    field!(39, Model.seen_identity, "seenIdentity", SEEN_IDENTITY)
        .normalised(values::seen_identity)
        .assigned_by(Role::Reconciler)
        .reported()
        .for_operators(),
    field!(40, Model.look_asked, "lookAsked", LOOK_ASKED).set_by_server().for_operators(),
    field!(41, Model.hardware, "hardware", HARDWARE).normalised(machine).assigned_by(Role::Reconciler).reported(),
];

/// The description of hosts in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::HOST,
    name: "Host",
    singular: "host",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "host" },
    blank: || Arc::new(blank()),
    rules: &[rules::name, rules::bmc_url, rules::provisioner, rules::machine, of_hosts],
    parts: &[],
    on_loss: Some(write::on_loss),
    on_write: Some(write::on_write),
    unnamed: Some(Unnamed::Referring { by: "machine", name: MadeName::Tried(names::made_up) }),
    unique: &[Unique {
        field: "machine",
        of: |row| cast::<Model>(row).machine.map(|machine| machine.id().to_string()),
    }],
    audience: Audience::TenantOf("cluster"),
    echo: Echo::Values,
    reserves: None,
    protection: Some(PROTECTION),
    arrival: Some(ARRIVAL),
    searched: searched!(Model {
        "shortId" => |host| [names::short_id(host.id)],
        "title" => |host| &host.title,
        "uid" => |host| &host.uid,
        "serial" => |host| &host.serial,
        "bootMac" => |host| &host.boot_mac,
        "bootIp" => |host| &host.boot_ip,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Host {
    type Row = Model;
    const ID: KindId = ids::HOST;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Host {
    /// The device or virtual machine that the host is.
    pub const MACHINE: ReferenceId = Description::reference(ids::HOST, FIELDS, "machine");
    /// The class of the host.
    pub const CLASS: ReferenceId = Description::reference(ids::HOST, FIELDS, "class");
    /// The appliance that lists the host.
    pub const APPLIANCE: ReferenceId = Description::reference(ids::HOST, FIELDS, "appliance");
    /// The credential with which the BMC of the host is opened.
    pub const BMC_CREDENTIAL: ReferenceId = Description::reference(ids::HOST, FIELDS, "bmcCredential");
    /// The profile of the host's order.
    pub const WANTED: ReferenceId = Description::reference(ids::HOST, FIELDS, "wanted");
    /// The cluster that has the host.
    pub const CLUSTER: ReferenceId = Description::reference(ids::HOST, FIELDS, "cluster");
}

blank!(Model {
    machine: None,
    class_id: None,
    appliance_id: None,
    uid: None,
    title: None,
    architecture: None,
    bmc_url: None,
    bmc_credential_id: None,
    bmc_insecure: false,
    bmc_trusted_cas: None,
    boot_mac: None,
    boot_ip: None,
    boot_mode: None,
    boot: HostBoot::default(),
    root_device: None,
    provisioner: None,
    maintenance: Default::default(),
    acquired_for: None,
    deleting: false,
    wanted: None,
    generation: 0,
    state: HostState::default(),
    power: HostPower::default(),
    step: None,
    generation_done: 0,
    cluster_id: None,
    conditions: Default::default(),
    failure: None,
    serial: None,
    last_order: None,
    was_installed: false,
    seen_identity: None,
    look_asked: None,
    hardware: None,
    observed_version: 0,
});
