//! The disks.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A disk. Virtual, removable, hidden and empty devices are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disk {
    /// The name at this boot, such as `nvme0n1`, or behind a RAID adapter the way to it, such as `bus/0/megaraid,8`.
    pub name: String,
    /// The maker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manufacturer: Option<String>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The serial number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The name that is unique in the world: WWN, EUI-64 or NGUID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wwn: Option<String>,
    /// The place: the name of the bus and the address, such as `pci-0000:01:00.0-nvme-1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// The medium.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub medium: Option<DiskMedium>,
    /// The version of the firmware.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware_version: Option<String>,
    /// The health that the disk says of itself, where `smartctl` is installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<DiskHealth>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The medium of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DiskMedium {
    /// A solid-state disk at NVMe.
    Nvme,
    /// Another solid-state disk.
    Ssd,
    /// A disk that rotates.
    Hdd,
}

/// The health of a disk, as it says itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DiskHealth {
    /// It expects to go on.
    Passed,
    /// It expects to fail.
    Failing,
}
