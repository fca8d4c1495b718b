//! The machine as a whole.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The machine as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct System {
    /// The UUID of the firmware (SMBIOS type 1), in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The maker of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manufacturer: Option<String>,
    /// The model of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The serial number of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The maker of the mainboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_manufacturer: Option<String>,
    /// The model of the mainboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_model: Option<String>,
    /// The serial number of the mainboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board_serial: Option<String>,
    /// The serial number of the chassis. The machines of a chassis with several nodes share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chassis_serial: Option<String>,
    /// The asset tag of the chassis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset_tag: Option<String>,
    /// The maker of the firmware.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware_vendor: Option<String>,
    /// The version of the firmware.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware_version: Option<String>,
    /// The date of the firmware, as the maker writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware_date: Option<String>,
    /// The way in which the system that runs was booted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boot_mode: Option<BootMode>,
    /// True if Secure Boot is on. Absent for a machine without UEFI, and if it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secure_boot: Option<bool>,
    /// The authorities whose signatures Secure Boot accepts, by the common names of their certificates, in order. Absent
    /// for a machine without UEFI, and if they could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secure_boot_authorities: Option<Vec<String>>,
    /// The id of the boot (`/proc/sys/kernel/random/boot_id`): counters of errors begin anew with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boot_id: Option<String>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The way in which a system was booted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum BootMode {
    /// By UEFI.
    Uefi,
    /// By a BIOS, or a firmware that emulates one.
    Bios,
}
