//! The parts of a machine as they are reported, in the API.

use async_graphql::{Enum, Object};
use underlay_entity::long::Long;
use underlay_facts::{Disk, Interface, Memory, MemoryModule, Processor, System};

/// The machine as a whole.
#[derive(Clone, Debug)]
pub struct FactsSystem(pub System);

/// The machine as a whole.
#[Object]
impl FactsSystem {
    /// The UUID of the firmware (SMBIOS type 1), in lower case.
    async fn uuid(&self) -> Option<&str> {
        self.0.uuid.as_deref()
    }

    /// The maker of the machine.
    async fn manufacturer(&self) -> Option<&str> {
        self.0.manufacturer.as_deref()
    }

    /// The model of the machine.
    async fn model(&self) -> Option<&str> {
        self.0.model.as_deref()
    }

    /// The serial number of the machine.
    async fn serial(&self) -> Option<&str> {
        self.0.serial.as_deref()
    }

    /// The maker of the mainboard.
    async fn board_manufacturer(&self) -> Option<&str> {
        self.0.board_manufacturer.as_deref()
    }

    /// The model of the mainboard.
    async fn board_model(&self) -> Option<&str> {
        self.0.board_model.as_deref()
    }

    /// The serial number of the mainboard.
    async fn board_serial(&self) -> Option<&str> {
        self.0.board_serial.as_deref()
    }

    /// The serial number of the chassis. The machines of a chassis with several nodes share it.
    async fn chassis_serial(&self) -> Option<&str> {
        self.0.chassis_serial.as_deref()
    }

    /// The asset tag of the chassis.
    async fn asset_tag(&self) -> Option<&str> {
        self.0.asset_tag.as_deref()
    }

    /// The maker of the firmware.
    async fn firmware_vendor(&self) -> Option<&str> {
        self.0.firmware_vendor.as_deref()
    }

    /// The version of the firmware.
    async fn firmware_version(&self) -> Option<&str> {
        self.0.firmware_version.as_deref()
    }

    /// The date of the firmware, as the maker writes it.
    async fn firmware_date(&self) -> Option<&str> {
        self.0.firmware_date.as_deref()
    }

    /// The way in which the system that runs was booted.
    async fn boot_mode(&self) -> Option<FactsBootMode> {
        self.0.boot_mode.map(Into::into)
    }

    /// True if Secure Boot is on. Absent for a machine without UEFI, and if it could not be read.
    async fn secure_boot(&self) -> Option<bool> {
        self.0.secure_boot
    }

    /// The authorities whose signatures Secure Boot accepts, by the common names of their certificates, in order. Null for
    /// a machine without UEFI, and if they could not be read.
    async fn secure_boot_authorities(&self) -> Option<&[String]> {
        self.0.secure_boot_authorities.as_deref()
    }

    /// The id of the boot (`/proc/sys/kernel/random/boot_id`): counters of errors begin anew with it.
    async fn boot_id(&self) -> Option<&str> {
        self.0.boot_id.as_deref()
    }
}

/// The memory of a machine.
#[derive(Clone, Debug)]
pub struct FactsMemory(pub Memory);

/// The memory of a machine.
#[Object]
impl FactsMemory {
    /// The modules, in the order of the firmware's table (SMBIOS type 17). Empty slots are left out.
    async fn modules(&self) -> Vec<FactsMemoryModule> {
        self.0.modules.iter().cloned().map(FactsMemoryModule).collect()
    }

    /// The number of slots, with the empty ones.
    async fn slots(&self) -> Option<i32> {
        self.0.slots.map(int)
    }

    /// The errors since the boot, where the kernel counts them (EDAC).
    async fn errors(&self) -> Option<FactsMemoryErrors> {
        self.0.errors.map(FactsMemoryErrors)
    }
}

/// The errors of memory since the boot.
#[derive(Clone, Debug)]
pub struct FactsMemoryErrors(pub underlay_facts::MemoryErrors);

/// The errors of memory since the boot.
#[Object]
impl FactsMemoryErrors {
    /// The errors that were corrected.
    async fn corrected(&self) -> Long {
        long(self.0.corrected)
    }

    /// The errors that could not be corrected.
    async fn uncorrected(&self) -> Long {
        long(self.0.uncorrected)
    }
}

/// A memory module.
#[derive(Clone, Debug)]
pub struct FactsMemoryModule(pub MemoryModule);

/// A memory module.
#[Object]
impl FactsMemoryModule {
    /// The slot, such as `P0_Node0_Channel0_Dimm0 DIMM_A1`. Unique in a report.
    async fn slot(&self) -> &str {
        &self.0.slot
    }

    /// The size in bytes.
    async fn size_bytes(&self) -> Option<Long> {
        self.0.size_bytes.map(long)
    }

    /// The type, such as `DDR4`.
    async fn r#type(&self) -> Option<&str> {
        self.0.r#type.as_deref()
    }

    /// The speed at which it works, in million transfers a second.
    async fn speed_mts(&self) -> Option<i32> {
        self.0.speed_mts.map(int)
    }

    /// The maker.
    async fn manufacturer(&self) -> Option<&str> {
        self.0.manufacturer.as_deref()
    }

    /// The maker's part number.
    async fn part_number(&self) -> Option<&str> {
        self.0.part_number.as_deref()
    }

    /// The serial number.
    async fn serial(&self) -> Option<&str> {
        self.0.serial.as_deref()
    }
}

/// A processor in a socket.
#[derive(Clone, Debug)]
pub struct FactsProcessor(pub Processor);

/// A processor in a socket.
#[Object]
impl FactsProcessor {
    /// The number of the socket, from 0.
    async fn socket(&self) -> i32 {
        int(self.0.socket)
    }

    /// The model, such as `AMD EPYC 9654 96-Core Processor`.
    async fn model(&self) -> Option<&str> {
        self.0.model.as_deref()
    }

    /// The number of cores that are on.
    async fn cores(&self) -> i32 {
        int(self.0.cores)
    }

    /// The number of threads that are on.
    async fn threads(&self) -> i32 {
        int(self.0.threads)
    }

    /// The version of the microcode, as the kernel writes it.
    async fn microcode(&self) -> Option<&str> {
        self.0.microcode.as_deref()
    }
}

/// A disk. Virtual, removable, hidden and empty devices are none.
#[derive(Clone, Debug)]
pub struct FactsDisk(pub Disk);

/// A disk. Virtual, removable, hidden and empty devices are none.
#[Object]
impl FactsDisk {
    /// The name at this boot, such as `nvme0n1`, or behind a RAID adapter the way to it, such as `bus/0/megaraid,8`.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// The maker.
    async fn manufacturer(&self) -> Option<&str> {
        self.0.manufacturer.as_deref()
    }

    /// The model.
    async fn model(&self) -> Option<&str> {
        self.0.model.as_deref()
    }

    /// The serial number.
    async fn serial(&self) -> Option<&str> {
        self.0.serial.as_deref()
    }

    /// The name that is unique in the world: WWN, EUI-64 or NGUID.
    async fn wwn(&self) -> Option<&str> {
        self.0.wwn.as_deref()
    }

    /// The place: the name of the bus and the address, such as `pci-0000:01:00.0-nvme-1`.
    async fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// The size in bytes.
    async fn size_bytes(&self) -> Option<Long> {
        self.0.size_bytes.map(long)
    }

    /// The medium.
    async fn medium(&self) -> Option<FactsDiskMedium> {
        self.0.medium.map(Into::into)
    }

    /// The version of the firmware.
    async fn firmware_version(&self) -> Option<&str> {
        self.0.firmware_version.as_deref()
    }

    /// The health that the disk says of itself, where `smartctl` is installed.
    async fn health(&self) -> Option<FactsDiskHealth> {
        self.0.health.map(Into::into)
    }
}

/// A network interface of the hardware. Virtual ones are none.
#[derive(Clone, Debug)]
pub struct FactsInterface(pub Interface);

/// A network interface of the hardware. Virtual ones are none.
#[Object]
impl FactsInterface {
    /// The name that the system gives it, such as `eno1np0`.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// The permanent MAC address, in lower case with colons: a bond changes the other one.
    async fn permanent_mac(&self) -> Option<&str> {
        self.0.permanent_mac.as_deref()
    }

    /// The MAC address that it has now, if it is another one.
    async fn mac(&self) -> Option<&str> {
        self.0.mac.as_deref()
    }

    /// The kind of link.
    async fn kind(&self) -> Option<FactsInterfaceKind> {
        self.0.kind.map(Into::into)
    }

    /// The place: the PCI address, with the number of the port where a card has several, such as `0000:41:00.0/1`.
    async fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// The driver.
    async fn driver(&self) -> Option<&str> {
        self.0.driver.as_deref()
    }

    /// The version of the card's firmware.
    async fn firmware_version(&self) -> Option<&str> {
        self.0.firmware_version.as_deref()
    }

    /// True if there is a carrier. Absent while the interface is switched off.
    async fn carrier(&self) -> Option<bool> {
        self.0.carrier
    }

    /// The number of times that the carrier came or went since the boot.
    async fn carrier_changes(&self) -> Option<Long> {
        self.0.carrier_changes.map(long)
    }

    /// The speed in Mbit/s. Absent without a carrier.
    async fn speed_mbps(&self) -> Option<i32> {
        self.0.speed_mbps.map(int)
    }
}

/// The way in which a system was booted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "underlay_facts::BootMode")]
pub enum FactsBootMode {
    /// By UEFI.
    Uefi,
    /// By a BIOS, or a firmware that emulates one.
    Bios,
}

/// The medium of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "underlay_facts::DiskMedium")]
pub enum FactsDiskMedium {
    /// A solid-state disk at NVMe.
    Nvme,
    /// Another solid-state disk.
    Ssd,
    /// A disk that rotates.
    Hdd,
}

/// The health of a disk, as it says itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "underlay_facts::DiskHealth")]
pub enum FactsDiskHealth {
    /// It expects to go on.
    Passed,
    /// It expects to fail.
    Failing,
}

/// The kind of an interface's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "underlay_facts::InterfaceKind")]
pub enum FactsInterfaceKind {
    /// Ethernet.
    Ethernet,
    /// InfiniBand, whose addresses have 20 bytes.
    Infiniband,
}

/// Returns a number of the API. No machine has so many bytes or errors that it is shortened.
pub(super) fn long(number: u64) -> Long {
    Long(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Returns a number of the API. No machine has so many parts that it is shortened.
pub(super) fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
