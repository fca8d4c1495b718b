//! One part of a machine, of the members by which a BMC describes it. BMCs leave out and misspell much, so each member
//! counts for itself.

use serde_json::{Map, Value};
use underlay_facts::{
    Disk, DiskHealth, DiskMedium, Fan, Firmware, Interface, InterfaceKind, MemoryModule, PartHealth, PowerSupply,
    Processor, System, clean, is_junk, is_placeholder,
};

use crate::resource::{Resource, member, object};
use crate::system::identity;

/// The names of parts of which BMCs tell nothing else.
const NAMELESS: &str = "part";
/// The beginnings of the ids of firmware that is not installed: Dell lists what was there, and what could be.
const NOT_INSTALLED: [&str; 2] = ["Previous-", "Available-"];

/// The place of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot<T> {
    /// The part is there.
    Filled(T),
    /// Nothing is there, or nothing of this kind.
    Empty,
    /// The BMC does not tell what a report needs, for this reason.
    Unclear(&'static str),
}

pub(super) fn of_system(system: &Resource) -> System {
    let members = &system.members;
    System {
        uuid: identity(system).uuid.filter(|uuid| !is_junk(uuid)),
        manufacturer: real(members, "Manufacturer"),
        model: real(members, "Model"),
        serial: real(members, "SerialNumber"),
        asset_tag: real(members, "AssetTag"),
        firmware_version: version(members, "BiosVersion"),
        ..System::default()
    }
}

pub(super) fn processor(socket: u32, members: &Map<String, Value>) -> Slot<Processor> {
    let is_other = real(members, "ProcessorType").is_some_and(|kind| !kind.eq_ignore_ascii_case("CPU"));
    if is_absent(members) || is_other {
        return Slot::Empty;
    }
    let (Some(cores), Some(threads)) = (number(members, "TotalCores"), number(members, "TotalThreads")) else {
        return Slot::Unclear("the BMC does not tell its cores and threads");
    };
    let id = object(members, "ProcessorId");
    let microcode = id.and_then(|id| version(id, "MicrocodeInfo"));
    Slot::Filled(Processor { socket, model: real(members, "Model"), cores, threads, microcode, ..Processor::default() })
}

pub(super) fn module(members: &Map<String, Value>) -> Slot<MemoryModule> {
    let mib = amount(members, "CapacityMiB");
    if is_absent(members) || mib == Some(0) {
        return Slot::Empty;
    }
    Slot::Filled(MemoryModule {
        slot: first(members, &["DeviceLocator", "Name", "Id"]),
        size_bytes: mib.and_then(|mib| mib.checked_mul(1 << 20)),
        r#type: real(members, "MemoryDeviceType"),
        speed_mts: number(members, "OperatingSpeedMhz").filter(|speed| *speed > 0),
        manufacturer: real(members, "Manufacturer"),
        part_number: real(members, "PartNumber"),
        serial: real(members, "SerialNumber"),
        ..MemoryModule::default()
    })
}

/// Returns a drive of a storage with an id.
pub(super) fn disk(storage: &str, members: &Map<String, Value>) -> Slot<Disk> {
    if is_absent(members) {
        return Slot::Empty;
    }
    let name = first(members, &["Id", "Name"]);
    let is_nvme = real(members, "Protocol").is_some_and(|protocol| protocol.eq_ignore_ascii_case("NVMe"));
    let medium = match real(members, "MediaType").map(|medium| medium.to_ascii_uppercase()).as_deref() {
        _ if is_nvme => Some(DiskMedium::Nvme),
        Some("SSD") => Some(DiskMedium::Ssd),
        Some("HDD") => Some(DiskMedium::Hdd),
        _ => None,
    };
    let health = match (member(members, "FailurePredicted").and_then(Value::as_bool), health(members)) {
        (Some(true), _) | (_, Some(PartHealth::Critical)) => Some(DiskHealth::Failing),
        (Some(false), _) => Some(DiskHealth::Passed),
        (None, _) => None,
    };
    Slot::Filled(Disk {
        manufacturer: real(members, "Manufacturer"),
        model: real(members, "Model"),
        serial: real(members, "SerialNumber"),
        wwn: durable_name(members),
        place: Some(label(members).unwrap_or_else(|| clean(format!("{storage} {name}").as_bytes()))),
        size_bytes: amount(members, "CapacityBytes").filter(|size| *size > 0),
        medium,
        firmware_version: version(members, "Revision").or_else(|| version(members, "FirmwareVersion")),
        health,
        name,
        ..Disk::default()
    })
}

pub(super) fn interface(members: &Map<String, Value>) -> Slot<Interface> {
    if is_absent(members) {
        return Slot::Empty;
    }
    let permanent = real(members, "PermanentMACAddress").or_else(|| real(members, "MACAddress"));
    let carrier = match real(members, "LinkStatus").map(|status| status.to_ascii_lowercase()).as_deref() {
        Some("linkup") => Some(true),
        Some("linkdown" | "nolink") => Some(false),
        _ => None,
    };
    Slot::Filled(Interface {
        name: first(members, &["Id", "Name"]),
        permanent_mac: permanent.map(|mac| mac.to_lowercase().replace('-', ":")),
        kind: Some(InterfaceKind::Ethernet),
        carrier,
        speed_mbps: number(members, "SpeedMbps").filter(|speed| carrier == Some(true) && *speed > 0),
        ..Interface::default()
    })
}

pub(super) fn power_supply(members: &Map<String, Value>) -> Slot<PowerSupply> {
    if is_absent(members) {
        return Slot::Empty;
    }
    Slot::Filled(PowerSupply {
        place: label(members).unwrap_or_else(|| first(members, &["Name", "MemberId", "Id"])),
        manufacturer: real(members, "Manufacturer"),
        model: real(members, "Model"),
        part_number: real(members, "PartNumber"),
        serial: real(members, "SerialNumber"),
        capacity_watts: number(members, "PowerCapacityWatts").filter(|watts| *watts > 0),
        firmware_version: version(members, "FirmwareVersion"),
        health: health(members),
        ..PowerSupply::default()
    })
}

pub(super) fn fan(members: &Map<String, Value>) -> Slot<Fan> {
    if is_absent(members) {
        return Slot::Empty;
    }
    Slot::Filled(Fan {
        place: label(members).unwrap_or_else(|| first(members, &["Name", "FanName", "MemberId", "Id"])),
        model: real(members, "Model"),
        serial: real(members, "SerialNumber"),
        health: health(members),
        ..Fan::default()
    })
}

pub(super) fn firmware(members: &Map<String, Value>) -> Slot<Firmware> {
    let id = real(members, "Id").unwrap_or_default();
    if is_absent(members) || NOT_INSTALLED.iter().any(|beginning| id.starts_with(beginning)) {
        return Slot::Empty;
    }
    let name = first(members, &["Name", "Id"]);
    Slot::Filled(Firmware { name, version: version(members, "Version"), ..Firmware::default() })
}

/// Returns true for a slot or a bay in which nothing is.
fn is_absent(members: &Map<String, Value>) -> bool {
    let state = object(members, "Status").and_then(|status| real(status, "State"));
    state.is_some_and(|state| state.eq_ignore_ascii_case("Absent"))
}

fn health(members: &Map<String, Value>) -> Option<PartHealth> {
    let stated = object(members, "Status").and_then(|status| real(status, "Health"))?;
    match stated.to_ascii_lowercase().as_str() {
        "ok" => Some(PartHealth::Ok),
        "warning" => Some(PartHealth::Warning),
        "critical" => Some(PartHealth::Critical),
        _ => None,
    }
}

/// Returns the label at the part, as it is printed on the machine.
fn label(members: &Map<String, Value>) -> Option<String> {
    let location = object(members, "PhysicalLocation").or_else(|| object(members, "Location"))?;
    real(object(location, "PartLocation")?, "ServiceLabel")
}

/// Returns the name of a drive that is unique in the world.
fn durable_name(members: &Map<String, Value>) -> Option<String> {
    let identifiers = member(members, "Identifiers").and_then(Value::as_array)?;
    identifiers.iter().find_map(|it| real(it.as_object()?, "DurableName")).map(|name| name.to_lowercase())
}

/// Returns the first member that names a part.
fn first(members: &Map<String, Value>, names: &[&str]) -> String {
    names.iter().find_map(|name| version(members, name)).unwrap_or_else(|| NAMELESS.to_owned())
}

fn real(members: &Map<String, Value>, name: &str) -> Option<String> {
    Some(clean(member(members, name)?.as_str()?.as_bytes())).filter(|text| !is_junk(text))
}

/// Returns a text in which short numbers are real too.
fn version(members: &Map<String, Value>, name: &str) -> Option<String> {
    Some(clean(member(members, name)?.as_str()?.as_bytes())).filter(|text| !is_placeholder(text))
}

/// Returns a whole number. Some BMCs write it with a fraction of nothing.
fn amount(members: &Map<String, Value>, name: &str) -> Option<u64> {
    let value = member(members, name)?;
    let of_fraction = |number: f64| (number >= 0.0 && number < 2f64.powi(53)).then_some(number as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(of_fraction))
}

fn number(members: &Map<String, Value>, name: &str) -> Option<u32> {
    amount(members, name).and_then(|number| u32::try_from(number).ok())
}
