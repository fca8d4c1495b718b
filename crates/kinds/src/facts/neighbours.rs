//! The neighbours of network interfaces as they are reported, in the API.

use async_graphql::{Enum, Object};
use underlay_facts::Neighbour;

/// A neighbour of a network interface, as it says itself by LLDP (IEEE 802.1AB). An interface may have several.
#[derive(Clone, Debug)]
pub struct FactsNeighbour(pub Neighbour);

/// A neighbour of a network interface, as it says itself by LLDP (IEEE 802.1AB). An interface may have several.
#[Object]
impl FactsNeighbour {
    /// The name of the interface of this machine.
    async fn interface(&self) -> &str {
        &self.0.interface
    }

    /// The permanent MAC address of the interface of this machine, in lower case with colons.
    async fn permanent_mac(&self) -> Option<&str> {
        self.0.permanent_mac.as_deref()
    }

    /// The id of the chassis. A MAC address is in lower case with colons.
    async fn chassis_id(&self) -> &str {
        &self.0.chassis_id
    }

    /// The meaning of the id of the chassis. Absent if the neighbour uses one that is reserved.
    async fn chassis_id_subtype(&self) -> Option<FactsNeighbourIdSubtype> {
        self.0.chassis_id_subtype.map(Into::into)
    }

    /// The id of the port. A MAC address is in lower case with colons.
    async fn port_id(&self) -> &str {
        &self.0.port_id
    }

    /// The meaning of the id of the port. Absent if the neighbour uses one that is reserved.
    async fn port_id_subtype(&self) -> Option<FactsNeighbourIdSubtype> {
        self.0.port_id_subtype.map(Into::into)
    }

    /// The description of the port.
    async fn port_description(&self) -> Option<&str> {
        self.0.port_description.as_deref()
    }

    /// The name of the system.
    async fn system_name(&self) -> Option<&str> {
        self.0.system_name.as_deref()
    }

    /// The description of the system, on most the software and its version.
    async fn system_description(&self) -> Option<&str> {
        self.0.system_description.as_deref()
    }

    /// The addresses by which it is managed, in order.
    async fn management_addresses(&self) -> &[String] {
        &self.0.management_addresses
    }

    /// The capabilities that are enabled, in the order of the standard. Empty if the neighbour does not say them.
    async fn capabilities(&self) -> Vec<FactsNeighbourCapability> {
        self.0.capabilities.iter().copied().map(Into::into).collect()
    }
}

/// The meaning of the id of a neighbour's chassis or port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "underlay_facts::NeighbourIdSubtype")]
pub enum FactsNeighbourIdSubtype {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "underlay_facts::NeighbourCapability")]
pub enum FactsNeighbourCapability {
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
