//! The GPUs.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A GPU, or another accelerator of a maker of GPUs. The displays of BMCs and of hypervisors are none. The speed of its
/// link is left out, because drivers lower it while the GPU is idle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gpu {
    /// The PCI address, such as `0000:17:00.0`. Unique in a report.
    pub place: String,
    /// The number of the vendor, of four hexadecimal digits in lower case, such as `10de`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// The number of the device among those of the vendor, of four hexadecimal digits in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The model, such as `NVIDIA H100 80GB HBM3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The serial number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The UUID, as the driver writes it, such as `GPU-8a3c5e1f-…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The size of its memory in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The version of its firmware (VBIOS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware_version: Option<String>,
    /// The driver that works with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The version of the driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver_version: Option<String>,
    /// The number of lanes of the link at present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_width: Option<u32>,
    /// The highest number of lanes that the GPU can use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_link_width: Option<u32>,
    /// The number of the NUMA node to which it is connected, on machines that have several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numa_node: Option<u32>,
    /// True if it fell off the bus: its place is known, but it does not answer there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off_bus: bool,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}
