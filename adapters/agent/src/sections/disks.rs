//! The disks. What is virtual, removable, hidden or empty is none, several paths to a disk are one, and the namespaces
//! of an NVMe drive are one. A disk behind a RAID adapter is one whether or not the kernel shows it too.

use std::collections::HashMap;

use underlay_facts::{Disk, DiskMedium};

use super::{adapters, health};
use crate::reader::{NO_FOLDER, Reader, pci_address};
use crate::value;

const DEVICES: &str = "/sys/block";
/// The names of devices that are no disks, before their numbers.
const NO_DISKS: [&str; 11] = ["ram", "zram", "loop", "dm-", "md", "sr", "fd", "nbd", "rbd", "zd", "bcache"];
/// The members of what udev says that are read.
pub const OF_UDEV: [&str; 8] = [
    "ID_MODEL_ENC",
    "ID_PATH",
    "ID_REVISION",
    "ID_SCSI_SERIAL",
    "ID_SERIAL_SHORT",
    "ID_WWN",
    "ID_WWN_WITH_EXTENSION",
    "SCSI_IDENT_SERIAL",
];
/// The size of a sector in what the kernel says of sizes, whatever that of the disk is.
const SECTOR: u64 = 512;

/// The properties of a device that udev found out.
type Udev = HashMap<String, String>;

/// Reads the disks.
pub fn read(reader: &mut Reader) -> Vec<Disk> {
    let Some(names) = reader.names(DEVICES) else {
        if reader.is_complete() {
            reader.lacks(DEVICES, NO_FOLDER);
        }
        return Vec::new();
    };
    let mut disks = Vec::new();
    for name in names.iter().filter(|name| may_be_disk(name)) {
        if let Some(disk) = disk(reader, name) {
            add(&mut disks, disk);
        }
    }
    for disk in &mut disks {
        disk.health = health::read(reader, disk);
    }

    for disk in adapters::read(reader) {
        match disks.iter_mut().find(|other| is_same(other, &disk)) {
            // Some adapters show a disk as it is, and let only themselves ask for its health.
            Some(other) => other.health = other.health.or(disk.health),
            None => disks.push(disk),
        }
    }
    disks
}

fn may_be_disk(name: &str) -> bool {
    let is_numbered = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_digit());
    let is_other = NO_DISKS.iter().any(|start| name.strip_prefix(start).is_some_and(is_numbered));
    // The parts of an eMMC from which a machine boots.
    let is_part = name.starts_with("mmcblk") && (name.contains("boot") || name.ends_with("rpmb"));
    !is_other && !is_part
}

/// Returns a disk, unless the device is none.
fn disk(reader: &mut Reader, name: &str) -> Option<Disk> {
    let at = |file: &str| format!("{DEVICES}/{name}/{file}");
    let target = reader.link(&format!("{DEVICES}/{name}")).unwrap_or_default();
    // Of what has no device, only an NVMe drive is one: the kernel puts it above its paths.
    let is_virtual = target.contains("/virtual/") && !target.contains("/nvme-subsystem/");
    let is_out = ["removable", "hidden"].into_iter().any(|flag| reader.text(&at(flag)).as_deref() == Some("1"));
    if is_virtual || is_out {
        return None;
    }
    let sectors = reader.number::<u64>(&at("size")).filter(|sectors| *sectors > 0)?;
    let udev = udev(reader, &at("dev"));
    let is_nvme = name.starts_with("nvme");
    let mut disk = if is_nvme { nvme(reader, name) } else { other(reader, name, &udev) };
    name.clone_into(&mut disk.name);
    disk.size_bytes = Some(sectors.saturating_mul(SECTOR));
    let path = udev.get("ID_PATH").cloned();
    disk.place = path.or_else(|| pci_address(&target).map(|address| format!("pci-{address}")));
    Some(disk)
}

fn nvme(reader: &mut Reader, name: &str) -> Disk {
    let wwn = reader.text(&format!("{DEVICES}/{name}/wwid"));
    let firmware_version = reader.version(&format!("{DEVICES}/{name}/device/firmware_rev"));
    let mut value = |file: &str| reader.value(&format!("{DEVICES}/{name}/device/{file}"));
    Disk {
        model: value("model"),
        serial: value("serial"),
        firmware_version,
        // Drives without such a name have one that the kernel makes of the serial number.
        wwn: wwn.and_then(|text| world_wide(&text)),
        medium: Some(DiskMedium::Nvme),
        ..Disk::default()
    }
}

fn other(reader: &mut Reader, name: &str, udev: &Udev) -> Disk {
    let at = |file: &str| format!("{DEVICES}/{name}/{file}");
    let said = |keys: &[&str]| keys.iter().find_map(|key| value::real(udev.get(*key)?.as_bytes()));
    // The short one of a SCSI disk is its WWN.
    let serial = said(&["SCSI_IDENT_SERIAL", "ID_SCSI_SERIAL", "ID_SERIAL_SHORT"])
        .or_else(|| page_of_serial(reader, &at("device/vpd_pg80")))
        .or_else(|| reader.value(&at("device/serial")))
        .or_else(|| reader.value(&at("serial")));
    let wwn = said(&["ID_WWN_WITH_EXTENSION", "ID_WWN"]).or_else(|| reader.text(&at("device/wwid")));
    let firmware_version = udev.get("ID_REVISION").and_then(|text| value::version(text.as_bytes()));
    // The kernel has only the first letters of the names of SATA disks.
    let model = udev.get("ID_MODEL_ENC").and_then(|text| value::real(&decoded(text)));
    let vendor = reader.value(&at("device/vendor")).filter(|text| text != "ATA" && !text.starts_with("0x"));
    Disk {
        manufacturer: vendor,
        model: model.or_else(|| reader.value(&at("device/model"))).or_else(|| reader.value(&at("device/name"))),
        serial,
        wwn: wwn.and_then(|text| world_wide(&text)),
        medium: medium(reader, name),
        firmware_version: firmware_version.or_else(|| reader.version(&at("device/rev"))),
        ..Disk::default()
    }
}

/// Returns the medium. What a hypervisor says of its disks is no matter of hardware.
fn medium(reader: &mut Reader, name: &str) -> Option<DiskMedium> {
    if name.starts_with("vd") || name.starts_with("xvd") {
        return None;
    }
    match reader.text(&format!("{DEVICES}/{name}/queue/rotational"))?.as_str() {
        "0" => Some(DiskMedium::Ssd),
        "1" => Some(DiskMedium::Hdd),
        _ => None,
    }
}

/// Returns the serial number of the SCSI page of serial numbers, which has four bytes before it.
fn page_of_serial(reader: &mut Reader, path: &str) -> Option<String> {
    let page = reader.bytes(path, 4096)?;
    page.get(4..).and_then(value::real)
}

/// Returns a WWN as `0x…`, an EUI-64 or NGUID as `eui.…`, whoever says it. Other names are made of the serial number.
pub fn world_wide(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let (form, digits) = ["0x", "naa.", "eui."].iter().find_map(|form| Some((*form, lower.strip_prefix(form)?)))?;
    let is_name =
        digits.len() >= 16 && digits.chars().all(|digit| digit.is_ascii_hexdigit()) && !value::is_junk(digits);
    is_name.then(|| format!("{}{digits}", if form == "eui." { "eui." } else { "0x" }))
}

/// Reads what udev found out about the device whose numbers a file has.
fn udev(reader: &mut Reader, numbers: &str) -> Udev {
    let Some(numbers) = reader.text(numbers) else { return Udev::new() };
    let lines = reader.lines(&format!("/run/udev/data/b{numbers}")).unwrap_or_default();
    let member = |line: &String| {
        let (key, value) = line.strip_prefix("E:")?.split_once('=')?;
        Some((key.to_owned(), value.to_owned()))
    };
    lines.iter().filter_map(member).collect()
}

/// Returns a text of udev with its `\x20` as the bytes that they stand for.
fn decoded(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(part.bytes().skip(2));
            }
            None => bytes.extend(part.bytes()),
        }
    }
    bytes
}

/// Returns whether two are one disk, of which one was found behind an adapter.
fn is_same(one: &Disk, other: &Disk) -> bool {
    match (&one.serial, &other.serial) {
        // Cheap disks share a WWN, but not a serial number.
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => one.wwn.is_some() && one.wwn == other.wwn,
    }
}

/// Adds a disk, unless it is another path to one that is there, or another namespace of it.
fn add(disks: &mut Vec<Disk>, disk: Disk) {
    let is_same_name = |other: &Disk| disk.wwn.is_some() && disk.wwn == other.wwn;
    // Cheap disks share a WWN, but not a serial number.
    let may_be_same = |other: &Disk| disk.serial.is_none() || other.serial.is_none() || disk.serial == other.serial;
    if disks.iter().any(|other| is_same_name(other) && may_be_same(other)) {
        return;
    }
    let is_drive = |other: &Disk| {
        disk.medium == Some(DiskMedium::Nvme)
            && other.medium == disk.medium
            && disk.serial.is_some()
            && (&disk.serial, &disk.model) == (&other.serial, &other.model)
    };
    if let Some(drive) = disks.iter_mut().find(|other| is_drive(other)) {
        drive.size_bytes = drive.size_bytes.zip(disk.size_bytes).map(|(one, other)| one.saturating_add(other));
        return;
    }
    disks.push(disk);
}
