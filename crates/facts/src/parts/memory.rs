//! The memory.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The memory of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// The modules, in the order of the firmware's table (SMBIOS type 17). Empty slots are left out.
    #[serde(default)]
    pub modules: Vec<MemoryModule>,
    /// The number of slots, with the empty ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<u32>,
    /// The errors since the boot, where the kernel counts them (EDAC).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<MemoryErrors>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A memory module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemoryModule {
    /// The slot, such as `P0_Node0_Channel0_Dimm0 DIMM_A1`. Unique in a report.
    pub slot: String,
    /// The size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// The type, such as `DDR4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// The speed at which it works, in million transfers a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_mts: Option<u32>,
    /// The maker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manufacturer: Option<String>,
    /// The maker's part number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_number: Option<String>,
    /// The serial number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The errors of memory since the boot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemoryErrors {
    /// The errors that were corrected.
    pub corrected: u64,
    /// The errors that could not be corrected.
    pub uncorrected: u64,
}
