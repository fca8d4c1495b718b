//! Describes a port to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::port::{Model, PortFamily, PortType};

use super::node::Port;
use super::rules;
use super::topology::TOPOLOGY;
use super::values;
use crate::common::{LARGE_COUNT, POWER_DRAW, TEXT, TEXTS, words};
use crate::ids;
use crate::power_feed::check_outlets_supply;
use crate::{blank, fields};
use underlay_entity::row::Row;
use underlay_inventory::{
    Audience, Description, Echo, Family, Field, Form, Key, Kind, KindId, ReferenceId, Shape, cast,
};
use underlay_inventory::{field, reference, searched};

const FIELDS: &[Field] = fields![
    reference!(6, Model.device_id, "device", Form::One, &["Device"]).immutable().contained(),
    reference!(7, Model.rack_id, "rack", Form::One, &["Rack"]).immutable().contained(),
    reference!(22, Model.virtual_machine_id, "virtualMachine", Form::One, &["VirtualMachine"]).immutable().contained(),
    field!(8, Model.r#type, "type", Shape::Choice(words::<PortType>)).required(),
    field!(9, Model.connector, "connector", TEXT),
    field!(10, Model.speed_bps, "speedBps", LARGE_COUNT),
    field!(11, Model.mtu, "mtu", Shape::Integer { least: 1, most: 65_536 }),
    field!(12, Model.mac, "mac", TEXT).normalised(values::interface_address),
    field!(13, Model.addresses, "addresses", TEXTS).normalised(values::addresses),
    reference!(14, Model.lag_id, "lag", Form::One, &["Port"]),
    reference!(15, Model.parent_id, "parent", Form::One, &["Port"]),
    field!(16, Model.mgmt_only, "mgmtOnly", Shape::Boolean),
    field!(17, Model.enabled, "enabled", Shape::Boolean),
    field!(18, Model.mark_connected, "markConnected", Shape::Boolean),
    field!(19, Model.positions, "positions", Shape::Integer { least: 1, most: 1024 }),
    reference!(20, Model.fed_by, "fedBy", Form::ManyOf, &["Port", "PowerFeed"]),
    reference!(21, Model.pass_through, "passThrough", Form::ManyMember("rear"), &["Port"]).normalised(values::mappings),
    field!(23, Model.draw_w, "drawW", POWER_DRAW).normalised(values::draw),
];

/// The description of ports in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::PORT,
    name: "Port",
    singular: "port",
    fields: FIELDS,
    key: Key {
        parents: &["device", "rack", "virtualMachine"],
        family: Some(Family { member: "family", field: "type", names: FAMILIES, of: family }),
        name_member: "port",
    },
    blank: || Arc::new(blank()),
    rules: &[
        rules::owner,
        rules::of_virtual_machine,
        rules::group,
        rules::power,
        rules::pass_through,
        rules::plugged,
        check_outlets_supply,
    ],
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
        "mac" => |port| &port.mac,
        "addresses" => |port| &port.addresses.0,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Port {
    type Row = Model;
    const ID: KindId = ids::PORT;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Port {
    /// The device that has the port.
    pub const DEVICE: ReferenceId = Description::reference(ids::PORT, FIELDS, "device");
    /// The rack that has the port.
    pub const RACK: ReferenceId = Description::reference(ids::PORT, FIELDS, "rack");
    /// The virtual machine that has the port.
    pub const VIRTUAL_MACHINE: ReferenceId = Description::reference(ids::PORT, FIELDS, "virtualMachine");
    /// The LAG that the port is a member of.
    pub const LAG: ReferenceId = Description::reference(ids::PORT, FIELDS, "lag");
    /// The parent port.
    pub const PARENT: ReferenceId = Description::reference(ids::PORT, FIELDS, "parent");
    /// The inlets or power feeds that feed an outlet.
    pub const FED_BY: ReferenceId = Description::reference(ids::PORT, FIELDS, "fedBy");
    /// The rear ports that a front port is connected to inside.
    pub const PASS_THROUGH: ReferenceId = Description::reference(ids::PORT, FIELDS, "passThrough");
}

blank!(Model {
    device_id: None,
    rack_id: None,
    virtual_machine_id: None,
    r#type: PortType::Ethernet,
    connector: None,
    speed_bps: None,
    mtu: None,
    mac: None,
    addresses: Default::default(),
    lag_id: None,
    parent_id: None,
    mgmt_only: false,
    enabled: true,
    mark_connected: false,
    positions: 1,
    fed_by: Default::default(),
    pass_through: Default::default(),
    draw_w: None,
});

/// The families in which names are unique, in the order in which ports are listed.
const FAMILIES: &[&str] = &["DATA", "SERIAL", "INLET", "OUTLET", "FRONT", "REAR"];

fn family(row: &dyn Row) -> u8 {
    match cast::<Model>(row).r#type.family() {
        PortFamily::Data => 0,
        PortFamily::Serial => 1,
        PortFamily::Inlet => 2,
        PortFamily::Outlet => 3,
        PortFamily::Front => 4,
        PortFamily::Rear => 5,
    }
}
