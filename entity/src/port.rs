//! The row of a port: a physical connector of a device or rack, a logical interface, or the interface of a virtual
//! machine.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::Texts;
use crate::power_feed::PowerSources;
use crate::targets::Targets;

crate::row::kind_row! {
    /// One port in the table `port`.
    table "port" {
        /// The device of the port. Exactly one of `device_id`, `rack_id` and `virtual_machine_id` is set, and it never
        /// changes.
        pub device_id: Option<Uuid>,
        pub rack_id: Option<Uuid>,
        pub virtual_machine_id: Option<Uuid>,
        pub r#type: PortType,
        /// The connector in free text, such as `10gbase-x-sfpp`, `lc-apc` or `iec-60320-c14`.
        pub connector: Option<String>,
        /// The speed in bits per second.
        pub speed_bps: Option<i64>,
        /// The maximum transmission unit in bytes.
        pub mtu: Option<i32>,
        /// The MAC address in lower case with colons.
        pub mac: Option<String>,
        /// IP addresses with prefix length.
        pub addresses: Texts,
        /// The LAG of which the port is a member. It is on the same device or in the same stack.
        pub lag_id: Option<Uuid>,
        /// A port of the same device, rack or virtual machine.
        pub parent_id: Option<Uuid>,
        pub mgmt_only: bool,
        pub enabled: bool,
        /// True if the port is connected to something outside the inventory.
        pub mark_connected: bool,
        /// The number of lanes or fibres that the port carries.
        pub positions: i32,
        /// The power sources of an outlet: inlets of the same device or, on a rack, power feeds.
        pub fed_by: PowerSources,
        /// The rear ports to which a front port is connected.
        pub pass_through: Mappings,
        /// The power that an inlet draws.
        pub draw_w: Option<PowerDraw>,
    }
}

/// The power that a port of the type POWER_INLET draws, in watts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "PowerDrawInput")]
pub struct PowerDraw {
    /// The most that the inlet draws, as the nameplate says. Null if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<i32>,
    /// The power that is planned for the inlet: at most the maximum. Null if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated: Option<i32>,
}

crate::choice::choice! {
    /// The type of a port.
    pub enum PortType {
        /// Copper Ethernet, or a cage for a pluggable module.
        Ethernet,
        /// An optical line interface.
        Optical,
        /// A radio interface.
        Wireless,
        /// A link aggregation group. It takes no cable.
        Lag,
        /// A logical interface: a VLAN, a loopback, a bridge, or the interface of a virtual machine. It takes no cable.
        Virtual,
        /// A serial console.
        Serial,
        /// The connector through which a device takes power.
        PowerInlet,
        /// The connector through which a device or rack supplies power.
        PowerOutlet,
        /// The front of a patch panel.
        PatchFront,
        /// The rear of a patch panel.
        PatchRear,
    }
}

impl PortType {
    /// Returns the family. A port's name is unique within its family on its device, rack or virtual machine.
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

/// A group of port types that share one set of names. The names of ports are unique within their family on a device,
/// rack or virtual machine. A front port and a rear port can therefore have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "PortFamily")]
pub enum PortFamily {
    /// The types ETHERNET, OPTICAL, WIRELESS, LAG and VIRTUAL.
    Data,
    /// The type SERIAL: serial consoles.
    Serial,
    /// The type POWER_INLET: connectors that take power.
    Inlet,
    /// The type POWER_OUTLET: connectors that supply power.
    Outlet,
    /// The type PATCH_FRONT: the fronts of patch panels.
    Front,
    /// The type PATCH_REAR: the rears of patch panels.
    Rear,
}

/// One connection through a patch panel, seen from its front port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// The position on the front port itself, from 1. Defaults to 1.
    #[serde(default = "first_position")]
    pub position: i32,
    /// The rear port, on the same device or rack.
    pub rear: Uuid,
    /// The position on the rear port, from 1.
    pub rear_position: i32,
}

fn first_position() -> i32 {
    1
}

/// All connections through a front port. They are one to one between positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Mappings(pub Box<[Mapping]>);

impl Targets for Mappings {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        self.0.iter().for_each(|mapping| visit(mapping.rear));
    }
}
