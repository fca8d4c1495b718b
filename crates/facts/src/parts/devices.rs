//! The devices at PCI.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A device at PCI. Bridges, what belongs to the chipset, virtual functions, and what is listed as a GPU are none.
/// Vendors and devices are numbers: names are those of the PCI ID database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    /// The PCI address, such as `0000:41:00.0`. Unique in a report.
    pub place: String,
    /// The number of the vendor, of four hexadecimal digits in lower case, such as `15b3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// The number of the device among those of the vendor, of four hexadecimal digits in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The number of the vendor of the card, which may be another one than that of the chip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subsystem_vendor: Option<String>,
    /// The number of the card among those of its vendor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subsystem_device: Option<String>,
    /// The class, of six hexadecimal digits in lower case, such as `010802` for NVMe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The revision, of two hexadecimal digits in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The driver that works with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The speed of a lane of the link at present, in million transfers a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_speed_mts: Option<u32>,
    /// The highest speed of a lane that the device can use, in million transfers a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_link_speed_mts: Option<u32>,
    /// The number of lanes of the link at present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_width: Option<u32>,
    /// The highest number of lanes that the device can use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_link_width: Option<u32>,
    /// The number of the NUMA node to which it is connected, on machines that have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numa_node: Option<u32>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}
