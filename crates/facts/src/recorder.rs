//! The body that OpenStack's recorder (ironic-python-agent) posts about the machine on which it runs, as a report.
//!
//! Guarantees: whatever a body says of a part, the rest is read, and the section of the part says what could not be. What
//! this recorder never tells, such as memory modules, is named as not read, so nothing is taken to be gone. Members that
//! identify the machine and have no place in a report are kept where tenants do not see them.

mod neighbours;
#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::parts::{BootMode, Disk, DiskMedium, Interface, InterfaceKind, Memory, Processor, System};
use crate::report::{AgentProgram, FORMAT, Report, Sections};
use crate::section::{Note, Section};
use crate::value::{clean, is_junk, is_placeholder};

/// The program of these reports: the body does not say its version. The number is that of the way in which this module
/// reads a body. Raise it with each change of that way, so that the change is not told as one of the hardware.
const PROGRAM: &str = "ironic-python-agent/1";
/// The folder of devices, which is no part of their names.
const DEVICES: &str = "/dev/";
/// The folder of the places of disks.
const PLACES: &str = "/dev/disk/by-path/";
/// The members of the inventory that a report keeps as they are.
const KEPT: [&str; 4] = ["hostname", "bmc_address", "bmc_v6address", "bmc_mac"];

/// The body that a recorder posts.
#[derive(Clone, Debug, Deserialize)]
pub struct Recording {
    inventory: Map<String, Value>,
    /// The data of its plug-ins, such as the raw values of LLDP.
    #[serde(default)]
    plugin_data: Value,
    /// The failures of its plug-ins.
    #[serde(default)]
    error: Value,
}

impl Recording {
    /// Reads a body from JSON.
    ///
    /// # Errors
    /// Returns an error if the text is no JSON, or has no inventory.
    pub fn read(text: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(text)
    }

    /// Returns the report that was made at a time. A body has no time of its own.
    #[must_use]
    pub fn report(&self, observed_at: DateTime<Utc>) -> Report {
        let interfaces = self.interfaces();
        let sections = Sections {
            system: Some(self.system()),
            memory: Some(self.memory()),
            processors: Some(self.processors()),
            disks: Some(self.list("disks", "disk", disk)),
            neighbours: neighbours::read(&self.inventory, &self.plugin_data, &interfaces.found),
            interfaces: Some(interfaces),
            ..Sections::default()
        };
        let agent = AgentProgram { version: PROGRAM.to_owned() };
        Report { format: FORMAT, agent, observed_at, sections }
    }

    fn system(&self) -> Section<System> {
        let nothing = Map::new();
        let vendor = object(&self.inventory, "system_vendor");
        let of_vendor = vendor.unwrap_or(&nothing);
        let firmware = object(of_vendor, "firmware").unwrap_or(&nothing);
        let boot_mode = match object(&self.inventory, "boot").and_then(|boot| boot.get("current_boot_mode")) {
            Some(Value::String(mode)) if mode.eq_ignore_ascii_case("uefi") => Some(BootMode::Uefi),
            Some(Value::String(mode)) if mode.eq_ignore_ascii_case("bios") => Some(BootMode::Bios),
            _ => None,
        };
        let kept =
            KEPT.into_iter().filter_map(|name| Some((name.to_owned(), Value::from(real(&self.inventory, name)?))));
        let mut section = Section::complete(System {
            uuid: real(of_vendor, "system_uuid").map(|uuid| uuid.to_lowercase()),
            manufacturer: real(of_vendor, "manufacturer"),
            model: real(of_vendor, "product_name"),
            serial: real(of_vendor, "serial_number"),
            firmware_vendor: real(firmware, "vendor"),
            firmware_version: version(firmware, "version"),
            firmware_date: version(firmware, "build_date"),
            boot_mode,
            more: kept.collect(),
            ..System::default()
        });
        if vendor.is_none() {
            section.lacks("system_vendor", "the recorder did not send it");
        }
        if !matches!(&self.error, Value::Null) {
            section.lacks("plug-ins", "the recorder says that some of them failed");
        }
        section.lacks("mainboard, chassis and Secure Boot", "this recorder does not tell them");
        section
    }

    fn memory(&self) -> Section<Memory> {
        let mut section = Section::complete(Memory::default());
        let mib = object(&self.inventory, "memory").and_then(|memory| number(memory, "physical_mb"));
        section.notes.extend(mib.map(|mib| note("memory", format!("{mib} MiB in all"))));
        section.lacks("memory modules", "this recorder does not tell them");
        section
    }

    fn processors(&self) -> Section<Vec<Processor>> {
        let mut section = Section::complete(Vec::new());
        let nothing = Map::new();
        let cpu = object(&self.inventory, "cpu").unwrap_or(&nothing);
        let threads = number(cpu, "count").map(|count| format!("{count} threads"));
        let sockets = number(cpu, "socket_count").filter(|count| *count > 0).map(|count| format!("in {count} sockets"));
        let model = real(cpu, "model_name").map(|model| format!("of {model}"));
        let text = [threads, model, sockets].into_iter().flatten().collect::<Vec<_>>().join(" ");
        section.notes.extend((!text.is_empty()).then(|| note("processors", text)));
        section.lacks("cores and threads of each processor", "this recorder does not tell them");
        section
    }

    fn interfaces(&self) -> Section<Vec<Interface>> {
        let mut section = self.list("interfaces", "interface", interface);
        let names: Vec<String> = section.found.iter().map(|it| it.name.clone()).collect();
        // The recorder makes interfaces for VLANs, to hear what is there.
        section.found.retain(|it| !it.name.split_once('.').is_some_and(|(of, _)| names.iter().any(|name| name == of)));
        section
    }

    /// Reads a list of parts. A part that cannot be read is named by its number.
    fn list<T>(&self, name: &str, what: &str, read: fn(&Map<String, Value>) -> Option<T>) -> Section<Vec<T>> {
        let mut section = Section::complete(Vec::new());
        let Some(Value::Array(list)) = self.inventory.get(name) else {
            section.lacks(name, "the recorder did not send them");
            return section;
        };
        for (index, part) in list.iter().enumerate() {
            match part.as_object().and_then(read) {
                Some(part) => section.found.push(part),
                None => section.lacks(format!("{what} {}", index + 1), "the recorder sent something else"),
            }
        }
        section
    }
}

fn disk(disk: &Map<String, Value>) -> Option<Disk> {
    let name = real(disk, "name")?;
    let name = name.strip_prefix(DEVICES).unwrap_or(&name).to_owned();
    let medium = match disk.get("rotational") {
        _ if name.starts_with("nvme") => Some(DiskMedium::Nvme),
        Some(Value::Bool(true)) => Some(DiskMedium::Hdd),
        Some(Value::Bool(false)) => Some(DiskMedium::Ssd),
        _ => None,
    };
    let place = real(disk, "by_path").map(|path| path.strip_prefix(PLACES).unwrap_or(&path).to_owned());
    Some(Disk {
        name,
        manufacturer: real(disk, "vendor"),
        model: real(disk, "model"),
        serial: real(disk, "serial"),
        wwn: real(disk, "wwn_with_extension").or_else(|| real(disk, "wwn")),
        place,
        size_bytes: number(disk, "size").filter(|size| *size > 0),
        medium,
        ..Disk::default()
    })
}

fn interface(interface: &Map<String, Value>) -> Option<Interface> {
    let carrier = interface.get("has_carrier").and_then(Value::as_bool);
    let speed = number(interface, "speed_mbps").and_then(|speed| u32::try_from(speed).ok());
    // Only interfaces of InfiniBand have one.
    let is_infiniband = real(interface, "client_id").is_some();
    Some(Interface {
        name: real(interface, "name")?,
        permanent_mac: real(interface, "mac_address").map(|mac| mac.to_lowercase()),
        kind: Some(if is_infiniband { InterfaceKind::Infiniband } else { InterfaceKind::Ethernet }),
        place: real(interface, "pci_address"),
        driver: real(interface, "driver"),
        firmware_version: version(interface, "firmware_version"),
        carrier,
        speed_mbps: speed.filter(|speed| carrier == Some(true) && *speed > 0),
        ..Interface::default()
    })
}

fn note(about: &str, text: String) -> Note {
    Note { about: about.to_owned(), text }
}

fn object<'a>(of: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
    of.get(name)?.as_object()
}

/// Returns a text that says something.
fn real(of: &Map<String, Value>, name: &str) -> Option<String> {
    Some(clean(of.get(name)?.as_str()?.as_bytes())).filter(|text| !is_junk(text))
}

fn version(of: &Map<String, Value>, name: &str) -> Option<String> {
    Some(clean(of.get(name)?.as_str()?.as_bytes())).filter(|text| !is_placeholder(text))
}

fn number(of: &Map<String, Value>, name: &str) -> Option<u64> {
    of.get(name)?.as_u64()
}
