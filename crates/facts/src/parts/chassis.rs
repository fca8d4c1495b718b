//! The parts that only a BMC tells of: power supplies, fans, and the firmware of everything that has some.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A power supply. Empty bays are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PowerSupply {
    /// The bay, as the BMC names it. Unique in a report.
    pub place: String,
    /// The maker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manufacturer: Option<String>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The maker's part number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_number: Option<String>,
    /// The serial number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The power that it can give, in watts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity_watts: Option<u32>,
    /// The version of the firmware.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware_version: Option<String>,
    /// The health that the BMC sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<PartHealth>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A fan. Empty places are none, and its speed changes by itself, so it is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fan {
    /// The place, as the BMC names it. Unique in a report.
    pub place: String,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The serial number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The health that the BMC sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<PartHealth>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The firmware of a part, as the BMC lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Firmware {
    /// The part, as the BMC names it, such as `BIOS`. Unique in a report.
    pub name: String,
    /// The version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The health of a part, as a BMC sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PartHealth {
    /// It works.
    Ok,
    /// It needs attention.
    Warning,
    /// It failed, or is about to.
    Critical,
}
