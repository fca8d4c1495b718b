//! The neighbours of network interfaces, as they say themselves by LLDP.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A neighbour of a network interface, as it says itself by LLDP (IEEE 802.1AB). An interface may have several. A
/// neighbour is known by the interface, the id of its chassis and the id of its port.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Neighbour {
    /// The name of the interface of this machine.
    pub interface: String,
    /// The permanent MAC address of the interface of this machine, in lower case with colons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permanent_mac: Option<String>,
    /// The id of the chassis. A MAC address is in lower case with colons.
    pub chassis_id: String,
    /// The meaning of the id of the chassis. Absent if the neighbour uses one that is reserved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chassis_id_subtype: Option<NeighbourIdSubtype>,
    /// The id of the port. A MAC address is in lower case with colons.
    pub port_id: String,
    /// The meaning of the id of the port. Absent if the neighbour uses one that is reserved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_id_subtype: Option<NeighbourIdSubtype>,
    /// The description of the port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_description: Option<String>,
    /// The name of the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_name: Option<String>,
    /// The description of the system, on most the software and its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_description: Option<String>,
    /// The addresses by which it is managed, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub management_addresses: Vec<String>,
    /// The capabilities that are enabled, in the order of the standard. Empty if the neighbour does not say them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<NeighbourCapability>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The meaning of the id of a neighbour's chassis or port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NeighbourIdSubtype {
    /// A component of a chassis (`entPhysicalAlias`).
    ChassisComponent,
    /// An interface by its alias (`ifAlias`).
    InterfaceAlias,
    /// A component of a port (`entPhysicalAlias`).
    PortComponent,
    /// A MAC address.
    MacAddress,
    /// An address of a network, such as an IP address.
    NetworkAddress,
    /// An interface by its name (`ifName`).
    InterfaceName,
    /// A circuit id of a DHCP relay agent.
    AgentCircuitId,
    /// A name or number that means something to the neighbour alone.
    Local,
}

/// Something that a neighbour does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NeighbourCapability {
    /// It does something that the standard has no name for.
    Other,
    /// It repeats signals.
    Repeater,
    /// It is a bridge, such as a switch.
    Bridge,
    /// It is an access point of a wireless network.
    WlanAccessPoint,
    /// It is a router.
    Router,
    /// It is a telephone.
    Telephone,
    /// It is a cable modem.
    DocsisCableDevice,
    /// It does nothing but send and receive, such as a server.
    StationOnly,
    /// It handles customer VLANs.
    CVlan,
    /// It handles service VLANs.
    SVlan,
    /// It is a relay with two ports.
    TwoPortMacRelay,
}
