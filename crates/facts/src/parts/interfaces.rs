//! The network interfaces.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A network interface of the hardware. Virtual ones are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Interface {
    /// The name that the system gives it, such as `eno1np0`.
    pub name: String,
    /// The permanent MAC address, in lower case with colons: a bond changes the other one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permanent_mac: Option<String>,
    /// The MAC address that it has now, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mac: Option<String>,
    /// The kind of link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<InterfaceKind>,
    /// The place: the PCI address, with the number of the port where a card has several, such as `0000:41:00.0/1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The version of the card's firmware.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware_version: Option<String>,
    /// True if there is a carrier. Absent while the interface is switched off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier: Option<bool>,
    /// The number of times that the carrier came or went since the boot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier_changes: Option<u64>,
    /// The speed in Mbit/s. Absent without a carrier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_mbps: Option<u32>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The kind of an interface's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum InterfaceKind {
    /// Ethernet.
    Ethernet,
    /// InfiniBand, whose addresses have 20 bytes.
    Infiniband,
}
