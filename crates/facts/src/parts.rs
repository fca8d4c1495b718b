//! The parts of a machine. Texts are as the machine gives them, without spaces at the ends; values that makers leave in
//! place of a serial number, such as `To be filled by O.E.M.`, are absent.

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

/// A processor in a socket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Processor {
    /// The number of the socket, from 0.
    pub socket: u32,
    /// The model, such as `AMD EPYC 9654 96-Core Processor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The number of cores that are on.
    pub cores: u32,
    /// The number of threads that are on.
    pub threads: u32,
    /// The version of the microcode, as the kernel writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microcode: Option<String>,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A disk. Virtual, removable, hidden and empty devices are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disk {
    /// The name that the kernel gives it at this boot, such as `nvme0n1`.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
