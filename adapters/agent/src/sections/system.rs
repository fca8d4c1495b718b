//! The machine as a whole: what its firmware says of it, and how it was booted.

use underlay_facts::{BootMode, System};

use super::authorities;
use crate::reader::Reader;
use crate::value;

const DMI: &str = "/sys/class/dmi/id";
const DEVICE_TREE: &str = "/proc/device-tree";
const EFI: &str = "/sys/firmware/efi";
/// The certificates of the authorities whose signatures Secure Boot accepts.
const AUTHORITIES: &str = "/sys/firmware/efi/efivars/db-d719b2cb-3d3a-4596-a3bc-dad00e67656f";
/// The most that is read of them.
const MOST_OF_AUTHORITIES: u64 = 256 * 1024;
/// The bytes of attributes before the value of a variable.
const ATTRIBUTES: usize = 4;
const SECURE_BOOT: &str = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

/// Reads the machine as a whole.
pub fn read(reader: &mut Reader) -> System {
    let has_dmi = reader.has(DMI);
    let mut system = if has_dmi { from_dmi(reader) } else { from_device_tree(reader) };
    (system.boot_mode, system.secure_boot) = boot(reader, has_dmi);
    system.secure_boot_authorities = authorities(reader);
    system.boot_id = reader.text("/proc/sys/kernel/random/boot_id");
    system
}

fn from_dmi(reader: &mut Reader) -> System {
    let [firmware_version, firmware_date] =
        ["bios_version", "bios_date"].map(|name| reader.version(&format!("{DMI}/{name}")));
    let mut value = |name: &str| reader.value(&format!("{DMI}/{name}"));
    System {
        uuid: value("product_uuid").and_then(|text| value::uuid(&text)),
        manufacturer: value("sys_vendor"),
        model: value("product_name"),
        serial: value("product_serial"),
        board_manufacturer: value("board_vendor"),
        board_model: value("board_name"),
        board_serial: value("board_serial"),
        chassis_serial: value("chassis_serial"),
        asset_tag: value("chassis_asset_tag"),
        firmware_vendor: value("bios_vendor"),
        firmware_version,
        firmware_date,
        ..System::default()
    }
}

/// Machines without the tables of a PC's firmware, such as many with Arm processors, have a device tree.
fn from_device_tree(reader: &mut Reader) -> System {
    if !reader.has_device_tree() {
        reader.lacks(DMI, "there is no such folder, and no device tree");
        return System::default();
    }
    System {
        model: reader.value(&format!("{DEVICE_TREE}/model")),
        serial: reader.value(&format!("{DEVICE_TREE}/serial-number")),
        ..System::default()
    }
}

/// Returns how the system was booted, and whether Secure Boot is on. Only a PC without UEFI has a BIOS.
fn boot(reader: &mut Reader, has_dmi: bool) -> (Option<BootMode>, Option<bool>) {
    if !reader.has(EFI) {
        return (has_dmi.then_some(BootMode::Bios), None);
    }
    // Four bytes of attributes come before the value of a variable.
    let is_on = match reader.bytes(SECURE_BOOT, 64).as_deref() {
        Some([_, _, _, _, value]) => Some(*value == 1),
        Some(_) => {
            reader.lacks(SECURE_BOOT, "is not a variable of one byte");
            None
        }
        None => None,
    };
    (Some(BootMode::Uefi), is_on)
}

/// Returns the names of the authorities whose signatures Secure Boot accepts, where there is a list of them.
fn authorities(reader: &mut Reader) -> Option<Vec<String>> {
    let variable = reader.bytes(AUTHORITIES, MOST_OF_AUTHORITIES)?;
    let names = variable.get(ATTRIBUTES..).and_then(authorities::names);
    if names.is_none() {
        reader.lacks(AUTHORITIES, "is no list of certificates");
    }
    names
}
