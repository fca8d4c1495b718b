//! The memory modules, from the firmware's table, and the errors that the kernel counts.

use std::collections::HashMap;

use underlay_facts::{Memory, MemoryErrors, MemoryModule};

use super::smbios::{MEMORY_DEVICE, Structure, structures};
use crate::reader::{NO_FILE, Reader};
use crate::value;

/// The table of the firmware.
pub const TABLE: &str = "/sys/firmware/dmi/tables/DMI";
/// The offset of the number of the serial number's string in a memory device.
pub const SERIAL: usize = 0x18;
const EDAC: &str = "/sys/devices/system/edac/mc";
/// The most that is read of the table.
const BOUND: u64 = 1024 * 1024;
/// The type of memory devices that are flash: the chip of the firmware, which is no memory of the machine.
const FLASH: u8 = 0x09;

/// Reads the memory.
pub fn read(reader: &mut Reader) -> Memory {
    let mut memory = match reader.bytes(TABLE, BOUND) {
        Some(table) => modules(reader, &table),
        None => without_table(reader),
    };
    memory.errors = errors(reader);
    memory
}

/// Machines with a device tree have no table. On others it may be hidden, and modules may be there all the same.
fn without_table(reader: &mut Reader) -> Memory {
    if !reader.has_device_tree() && reader.is_complete() {
        reader.lacks(TABLE, NO_FILE);
    }
    Memory::default()
}

fn modules(reader: &mut Reader, table: &[u8]) -> Memory {
    let (structures, is_whole) = structures(table);
    if !is_whole {
        reader.lacks(TABLE, "is cut off or broken");
    }
    let mut memory = Memory::default();
    let mut slots = 0;
    let mut names: HashMap<String, u32> = HashMap::new();
    for device in structures.iter().filter(|it| it.kind == MEMORY_DEVICE && it.byte(0x12) != Some(FLASH)) {
        slots += 1;
        // Some boards give several slots one name. Empty ones count, so that the others keep theirs.
        let name = name_of(device);
        let count = names.entry(name.clone()).or_default();
        *count += 1;
        let slot = if *count == 1 { name } else { format!("{name} #{count}") };
        memory.modules.extend(module(device, slot));
    }
    memory.slots = Some(slots);
    memory
}

fn name_of(device: &Structure<'_>) -> String {
    let [bank, locator] = [0x11, 0x10].map(|offset| device.string(offset).and_then(value::real));
    let name = [bank, locator].into_iter().flatten().collect::<Vec<_>>().join(" ");
    if name.is_empty() { "slot".to_owned() } else { name }
}

/// Returns the module in a slot, unless it is empty.
fn module(device: &Structure<'_>, slot: String) -> Option<MemoryModule> {
    let size_bytes = match device.word(0x0c)? {
        0 => return None,
        0xffff => None,
        0x7fff => device.double_word(0x1c).map(|megabytes| u64::from(megabytes & 0x7fff_ffff) << 20),
        size if size & 0x8000 != 0 => Some(u64::from(size & 0x7fff) << 10),
        size => Some(u64::from(size) << 20),
    };
    let text = |offset| device.string(offset).and_then(value::real);
    Some(MemoryModule {
        slot,
        size_bytes,
        r#type: device.byte(0x12).and_then(type_of).map(str::to_owned),
        speed_mts: speed(device),
        manufacturer: text(0x17),
        part_number: text(0x1a),
        serial: text(SERIAL),
        ..MemoryModule::default()
    })
}

/// Returns the speed to which the firmware set the module.
fn speed(device: &Structure<'_>) -> Option<u32> {
    match device.word(0x20)? {
        0 => None,
        0xffff => device.double_word(0x58).map(|speed| speed & 0x7fff_ffff).filter(|speed| *speed > 0),
        speed => Some(u32::from(speed)),
    }
}

/// Returns the name of a type, of those that are in use.
fn type_of(number: u8) -> Option<&'static str> {
    Some(match number {
        0x12 => "DDR",
        0x13 => "DDR2",
        0x18 => "DDR3",
        0x1a => "DDR4",
        0x1b => "LPDDR",
        0x1c => "LPDDR2",
        0x1d => "LPDDR3",
        0x1e => "LPDDR4",
        0x1f => "NVDIMM",
        0x20 => "HBM",
        0x21 => "HBM2",
        0x22 => "DDR5",
        0x23 => "LPDDR5",
        0x24 => "HBM3",
        _ => return None,
    })
}

/// Returns the errors of all controllers, if the kernel counts them.
fn errors(reader: &mut Reader) -> Option<MemoryErrors> {
    let names = reader.names(EDAC)?;
    let mut errors = None;
    for controller in names.iter().filter(|name| is_controller(name)) {
        let [corrected, uncorrected] =
            ["ce_count", "ue_count"].map(|count| reader.number::<u64>(&format!("{EDAC}/{controller}/{count}")));
        if corrected.is_some() || uncorrected.is_some() {
            let sum: &mut MemoryErrors = errors.get_or_insert_default();
            sum.corrected = sum.corrected.saturating_add(corrected.unwrap_or(0));
            sum.uncorrected = sum.uncorrected.saturating_add(uncorrected.unwrap_or(0));
        }
    }
    errors
}

fn is_controller(name: &str) -> bool {
    name.strip_prefix("mc").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}
