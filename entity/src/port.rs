//! The row of a port: every place on a device or rack where something is plugged in, the logical interfaces above
//! those, and the interfaces of virtual machines.

use async_graphql::Enum;
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers, Texts};
use crate::power_feed::PowerSources;

/// The row of a port.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "port")]
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
    /// Of `device_id`, `rack_id` and `virtual_machine_id` exactly one is set, and never changes.
    pub device_id: Option<Uuid>,
    pub rack_id: Option<Uuid>,
    pub virtual_machine_id: Option<Uuid>,
    pub r#type: PortType,
    /// Free text, such as `10gbase-x-sfpp`, `lc-apc` or `iec-60320-c14`.
    pub connector: Option<String>,
    /// Bits per second.
    pub speed_bps: Option<i64>,
    /// Bytes.
    pub mtu: Option<i32>,
    /// Lower case with colons.
    pub mac: Option<String>,
    /// IP addresses with prefix length.
    pub addresses: Texts,
    /// The LAG that it is a member of, of the same device or of its stack.
    pub lag_id: Option<Uuid>,
    /// A port of the same device, rack or virtual machine.
    pub parent_id: Option<Uuid>,
    pub mgmt_only: bool,
    pub enabled: bool,
    /// Whether it is joined to something outside the inventory.
    pub mark_connected: bool,
    /// The lanes or fibres that it carries.
    pub positions: i32,
    /// For an outlet: inlets of the same device or, on a rack, power feeds.
    pub fed_by: PowerSources,
    /// For a front port: which rear ports it is joined to.
    pub pass_through: Mappings,
}

impl ActiveModelBehavior for ActiveModel {}

/// What a port is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "PortType")]
pub enum PortType {
    /// Copper Ethernet, or a cage for a pluggable module.
    Ethernet,
    /// An optical line interface.
    Optical,
    /// A radio interface.
    Wireless,
    /// A link aggregation group; takes no cable.
    Lag,
    /// A logical interface: VLAN, loopback, bridge, or the interface of a virtual machine; takes no cable.
    Virtual,
    /// A serial console.
    Serial,
    /// Where a device takes power.
    PowerInlet,
    /// Where a device or rack gives power.
    PowerOutlet,
    /// The front of a patch panel.
    PatchFront,
    /// The rear of a patch panel.
    PatchRear,
}

impl PortType {
    /// The family, within which a port's name is unique in its device, rack or virtual machine.
    pub fn family(self) -> PortFamily {
        match self {
            Self::Ethernet | Self::Optical | Self::Wireless | Self::Lag | Self::Virtual => PortFamily::Data,
            Self::Serial => PortFamily::Serial,
            Self::PowerInlet => PortFamily::Inlet,
            Self::PowerOutlet => PortFamily::Outlet,
            Self::PatchFront => PortFamily::Front,
            Self::PatchRear => PortFamily::Rear,
        }
    }
}

/// The types of ports that share one set of names. Names of ports are unique in a device, rack or virtual machine within
/// their family, so a front and a rear port may share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "PortFamily")]
pub enum PortFamily {
    /// ETHERNET, OPTICAL, WIRELESS, LAG and VIRTUAL.
    Data,
    /// SERIAL.
    Serial,
    /// POWER_INLET.
    Inlet,
    /// POWER_OUTLET.
    Outlet,
    /// PATCH_FRONT.
    Front,
    /// PATCH_REAR.
    Rear,
}

/// One way through a patch panel, seen from its front port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// The position of the front port itself, from 1.
    #[serde(default = "first_position")]
    pub position: i32,
    /// The rear port, of the same device or rack.
    pub rear: Uuid,
    /// The position of the rear port, from 1.
    pub rear_position: i32,
}

fn first_position() -> i32 {
    1
}

/// All ways through a front port; one to one between positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Mappings(pub Box<[Mapping]>);
