//! Describes a device to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::device::{DeviceRole, Model, Plane};
use underlay_entity::lifecycle::Status;
use uuid::Uuid;

use super::node::Device;
use super::placement;
use super::rules;
use super::topology::TOPOLOGY;
use crate::common::{COUNT, TEXT, words};
use crate::ids;
use crate::machine::{ADDRESSES, HARDWARE, addresses, machine};
use crate::{blank, fields};
use underlay_entity::row::Row;
use underlay_inventory::{
    Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Role, Shape, Unique, cast,
};
use underlay_inventory::{field, reference, searched};

/// The attribute of a device that holds the UUID of its firmware. It can be searched, and identifies the machine of a host.
pub const UUID_ATTRIBUTE: &str = "uuid";

const FIELDS: &[Field] = fields![
    field!(6, Model.role, "role", Shape::Choice(words::<DeviceRole>)).required(),
    reference!(7, Model.site_id, "site", Form::One, &["Site"]).required().contained(),
    reference!(8, Model.location_id, "location", Form::One, &["Location"]).within(),
    reference!(9, Model.cluster_id, "cluster", Form::One, &["Cluster"]).assigned_by(Role::Reconciler).placing_target(),
    reference!(10, Model.parent_id, "parent", Form::One, &["Device"]).contained().unless(has_its_own_place),
    field!(11, Model.slot, "slot", TEXT),
    placement::FIELD,
    field!(13, Model.manufacturer, "manufacturer", TEXT),
    field!(14, Model.model, "model", TEXT),
    field!(15, Model.serial, "serial", TEXT),
    field!(16, Model.asset_tag, "assetTag", TEXT),
    field!(17, Model.platform, "platform", TEXT),
    field!(18, Model.forwards, "forwards", Shape::Boolean),
    field!(19, Model.plane, "plane", Shape::Choice(words::<Plane>)),
    field!(20, Model.inlets_required, "inletsRequired", COUNT),
    field!(21, Model.addresses, "addresses", ADDRESSES).normalised(addresses),
    field!(22, Model.hardware, "hardware", HARDWARE).normalised(machine),
    field!(23, Model.status, "status", Shape::Choice(words::<Status>)).assigned_by(Role::Reconciler),
];

/// The description of devices in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::DEVICE,
    name: "Device",
    singular: "device",
    fields: FIELDS,
    key: Key { parents: &["site"], family: None, name_member: "device" },
    blank: || Arc::new(blank()),
    rules: &[rules::same_site, rules::bays, rules::moved, placement::check],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[
        Unique { field: "assetTag", of: |row| cast::<Model>(row).asset_tag.clone() },
        Unique { field: "slot", of: slot },
    ],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "serial" => |device| device.serial.as_deref().map(str::trim),
        "attributes" => |device| device.attributes.0.get(UUID_ATTRIBUTE).and_then(|uuid| uuid.as_str()).map(str::trim),
        "assetTag" => |device| &device.asset_tag,
        "addresses" => |device| device.addresses.0.iter().map(|it| &it.address),
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Device {
    type Row = Model;
    const ID: KindId = ids::DEVICE;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Device {
    /// The site where the device is.
    pub const SITE: ReferenceId = Description::reference(ids::DEVICE, FIELDS, "site");
    /// The location of the device within its site.
    pub const LOCATION: ReferenceId = Description::reference(ids::DEVICE, FIELDS, "location");
    /// The cluster that the device works for.
    pub const CLUSTER: ReferenceId = Description::reference(ids::DEVICE, FIELDS, "cluster");
    /// The parent: the chassis or stack that the device belongs to.
    pub const PARENT: ReferenceId = Description::reference(ids::DEVICE, FIELDS, "parent");
    /// The rack that the device is placed in.
    pub const RACK: ReferenceId = Description::reference(ids::DEVICE, FIELDS, "placement");
}

blank!(Model {
    role: DeviceRole::Other,
    site_id: Uuid::nil(),
    location_id: None,
    cluster_id: None,
    parent_id: None,
    slot: None,
    rack_id: None,
    start_unit: None,
    unit_height: None,
    face: None,
    full_depth: false,
    manufacturer: None,
    model: None,
    serial: None,
    asset_tag: None,
    platform: None,
    forwards: None,
    plane: Plane::default(),
    inlets_required: 1,
    addresses: Default::default(),
    hardware: None,
    status: Status::default(),
});

/// Returns true if a device has its own placement. If it has a parent too, it is a member of a stack: it belongs to the
/// parent, but does not stand in it.
fn has_its_own_place(row: &dyn Row) -> bool {
    cast::<Model>(row).rack_id.is_some()
}

/// Returns the key that makes a slot unique in its parent. Its last line is the slot, which messages show.
fn slot(row: &dyn Row) -> Option<String> {
    let device = cast::<Model>(row);
    Some(format!("{}\n{}", device.parent_id?, device.slot.as_ref()?))
}
