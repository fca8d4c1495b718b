//! The row of a device: every box, told apart by its role.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};
use crate::lifecycle::Status;
use crate::machine::{Addresses, Hardware};

/// The row of a device.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "device")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub labels: Labels,
    pub tenant: Option<String>,
    pub description: Option<String>,
    pub attributes: Attributes,
    pub external_refs: ExternalRefs,
    pub managers: Managers,
    pub version: i64,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
    pub role: DeviceRole,
    pub site_id: Uuid,
    pub location_id: Option<Uuid>,
    pub cluster_id: Option<Uuid>,
    /// The chassis or stack that it is part of: of the same site, never in a circle.
    pub parent_id: Option<Uuid>,
    /// Its bay in the parent; one device in each.
    pub slot: Option<String>,
    /// Where it is placed. The next four columns mean nothing without it.
    pub rack_id: Option<Uuid>,
    /// The lowest unit that it occupies, from U1 at the bottom, in steps of 0.5. Absent: in the rack but in no unit.
    pub start_unit: Option<f64>,
    /// Rack units, in steps of 0.5.
    pub unit_height: Option<f64>,
    pub face: Option<Face>,
    /// Whether it takes both faces.
    pub full_depth: bool,
    pub manufacturer: Option<String>,
    pub model: Option<String>,
    pub serial: Option<String>,
    /// Unique over all devices.
    pub asset_tag: Option<String>,
    /// The operating system, in free text.
    pub platform: Option<String>,
    /// Whether it passes traffic on. Absent: as its role does.
    pub forwards: Option<bool>,
    pub plane: Plane,
    /// How many live inlets it needs to run.
    pub inlets_required: i32,
    pub addresses: Addresses,
    pub hardware: Option<Hardware>,
    pub status: Status,
}

impl ActiveModelBehavior for ActiveModel {}

/// What a device does. SPINE, LEAF, BORDER_ROUTER, ROUTER, SWITCH, FIREWALL and LOAD_BALANCER pass traffic on
/// unless the device's `forwards` says otherwise.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "DeviceRole")]
pub enum DeviceRole {
    /// Runs workloads.
    Server,
    /// The upper layer of a leaf-spine fabric.
    Spine,
    /// The layer of a leaf-spine fabric that servers attach to.
    Leaf,
    /// Joins the fabric to the outside.
    BorderRouter,
    /// Routes, without a more special role.
    Router,
    /// Switches, without a more special role.
    Switch,
    /// Filters traffic that passes through.
    Firewall,
    /// Spreads traffic over servers.
    LoadBalancer,
    /// Gives access to serial consoles.
    ConsoleServer,
    /// Distributes power in a rack (power distribution unit).
    Pdu,
    /// Feeds from batteries when its input fails (uninterruptible power supply).
    Ups,
    /// Passes cables on, without power of its own.
    PatchPanel,
    /// Holds other devices in its bays.
    Chassis,
    /// Stores data for others.
    Storage,
    /// Anything else.
    Other,
}

/// Which side of the rack a device is mounted on. Default FRONT.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
    DeriveActiveEnum,
    Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "Face")]
pub enum Face {
    /// The front of the rack.
    #[default]
    Front,
    /// The rear of the rack.
    Rear,
}

/// Which network a device is part of. Default DATA.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
    DeriveActiveEnum,
    Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "Plane")]
pub enum Plane {
    /// The network that carries the traffic of users.
    #[default]
    Data,
    /// The network that machines are managed over.
    Management,
}
