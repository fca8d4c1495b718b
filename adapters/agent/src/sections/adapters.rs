//! The disks behind RAID adapters, of which the kernel shows only the volumes that an adapter makes of them.
//!
//! `smartctl` lists them, and asks each through its adapter. Guarantees: only those ways to disks are asked that lead
//! through a known kind of adapter. A disk that is listed and does not say which it is makes the section incomplete.

use serde::Deserialize;
use serde_json::json;
use underlay_facts::{Disk, DiskMedium};

use super::disks::world_wide;
use super::health::{PROGRAM, SmartStatus, arguments};
use crate::programs::{Call, Status};
use crate::reader::{Reader, pci_address};
use crate::value;

/// The call that lists the disks, and the name of its recorded output.
pub const SCAN: &str = "--scan-open";
/// The kinds of adapters, as the types of `smartctl` name them. The other types with a number are bridges at USB.
const KINDS: [&str; 7] = ["3ware", "aacraid", "areca", "cciss", "hpt", "megaraid", "sssraid"];
/// The greatest number of disks that are read. No adapter has as many.
const MOST: usize = 256;
/// The word of `smartctl` for each mode in which it does not ask a disk.
const ASLEEP: [&str; 2] = ["STANDBY", "SLEEP"];
const NO_ANSWER: &str = "does not write what it should";

/// The part that is read of a list.
#[derive(Debug, Deserialize)]
struct Scan {
    /// Absent where there is nothing.
    #[serde(default)]
    devices: Vec<Way>,
}

/// A way to a disk: a device, and how to reach the disk through it.
#[derive(Debug, PartialEq, Deserialize)]
struct Way {
    name: String,
    #[serde(rename = "type")]
    kind: String,
}

/// The part that is read of what is said about a disk. The names for SCSI depend on the version.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Said {
    smartctl: Run,
    device: Protocol,
    serial_number: Option<String>,
    vendor: Option<String>,
    scsi_vendor: Option<String>,
    product: Option<String>,
    scsi_product: Option<String>,
    model_name: Option<String>,
    scsi_model_name: Option<String>,
    logical_unit_id: Option<String>,
    wwn: Option<Wwn>,
    firmware_version: Option<String>,
    revision: Option<String>,
    scsi_revision: Option<String>,
    user_capacity: Capacity,
    rotation_rate: Option<u64>,
    smart_status: Option<SmartStatus>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Run {
    messages: Vec<Message>,
}

#[derive(Debug, Deserialize)]
struct Message {
    string: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Protocol {
    protocol: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Capacity {
    bytes: Option<u64>,
}

/// A WWN of an ATA disk, in its three numbers.
#[derive(Debug, Deserialize)]
struct Wwn {
    naa: u64,
    oui: u64,
    id: u64,
}

/// Reads the disks behind adapters. Several ways can lead to one disk, and the kernel can show it as well.
pub fn read(reader: &mut Reader) -> Vec<Disk> {
    let call = scan();
    let Some(bytes) = reader.program(&call) else { return Vec::new() };
    let Some(mut ways) = Way::all(&bytes) else {
        reader.lacks(&call.title(), NO_ANSWER);
        return Vec::new();
    };
    if ways.len() > MOST {
        reader.lacks(&call.title(), &format!("lists more than {MOST} disks behind adapters"));
        ways.truncate(MOST);
    }
    ways.iter().filter_map(|way| disk(reader, way)).collect()
}

/// Returns the call that lists the disks. Where the right to ask an adapter is lost, `smartctl` just lists none. So a
/// list that had some counts until another one has: each of its disks then is one that does not answer.
fn scan() -> Call {
    Call {
        program: PROGRAM,
        part: Some(SCAN.to_owned()),
        subject: String::new(),
        arguments: [SCAN, "-j"].map(str::to_owned).into(),
        status: Status::Anything,
        says: |bytes| Way::all(bytes).is_some_and(|ways| !ways.is_empty()),
    }
}

fn disk(reader: &mut Reader, way: &Way) -> Option<Disk> {
    let call = way.call();
    let bytes = reader.program(&call)?;
    let Some(said) = Said::read(&bytes) else {
        reader.lacks(&call.title(), NO_ANSWER);
        return None;
    };
    if !said.says_which() {
        let asleep = if said.is_asleep() { "sleeps, and " } else { "" };
        reader.lacks(&call.title(), &format!("{asleep}does not say which disk it is"));
        return None;
    }
    let place = way.place(reader);
    Some(said.disk(way.title(), place))
}

impl Way {
    /// Returns the ways that lead through adapters, each once, or none if the bytes are no list.
    fn all(bytes: &[u8]) -> Option<Vec<Self>> {
        let scan: Scan = serde_json::from_slice(bytes).ok()?;
        let mut ways = Vec::new();
        for way in scan.devices {
            if way.is_through_adapter() && !ways.contains(&way) {
                ways.push(way);
            }
        }
        Some(ways)
    }

    /// Returns whether the way leads through an adapter. What it says is given to the program again as it is.
    fn is_through_adapter(&self) -> bool {
        let is_plain = |text: &str, others: &str| {
            text.chars().all(|letter| letter.is_ascii_alphanumeric() || others.contains(letter))
        };
        let is_device = self.name.strip_prefix("/dev/").is_some_and(|rest| !rest.is_empty() && is_plain(rest, "/_-"));
        let is_known = self.number().split_once(',').is_some_and(|(kind, _)| KINDS.contains(&kind));
        is_device && is_known && is_plain(&self.kind, "+,/")
    }

    /// Returns the kind of adapter and the number of the disk at it, such as `megaraid,8`. Before them stands how the
    /// adapter passes commands on, once that is found out.
    fn number(&self) -> &str {
        self.kind.rsplit('+').next().unwrap_or_default()
    }

    /// Returns the name of the device without its folder, such as `bus/0`.
    fn device(&self) -> &str {
        self.name.strip_prefix("/dev/").unwrap_or(&self.name)
    }

    /// Returns the name of the disk: it has none of the kernel.
    fn title(&self) -> String {
        format!("{}/{}", self.device(), self.number())
    }

    /// Returns the place: the PCI address of the adapter, and the number of the disk at it.
    fn place(&self, reader: &mut Reader) -> Option<String> {
        let device = self.device();
        let link = match device.strip_prefix("bus/") {
            Some(number) => format!("/sys/class/scsi_host/host{number}"),
            None if device.starts_with("sg") => format!("/sys/class/scsi_generic/{device}"),
            None => format!("/sys/block/{device}"),
        };
        let target = reader.link(&link)?;
        pci_address(&target).map(|address| format!("pci-{address}-{}", self.number()))
    }

    fn call(&self) -> Call {
        Call {
            program: PROGRAM,
            part: Some(self.title()),
            subject: String::new(),
            arguments: arguments(&["-d", &self.kind], &self.name),
            status: Status::Anything,
            // What a disk said counts while it sleeps, and not when it cannot be asked.
            says: |bytes| Said::read(bytes).is_some_and(|said| !said.is_asleep()),
        }
    }
}

impl Said {
    fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    fn is_asleep(&self) -> bool {
        self.smartctl.messages.iter().any(|it| ASLEEP.iter().any(|word| it.string.contains(word)))
    }

    fn says_which(&self) -> bool {
        self.serial().is_some() || self.world_wide().is_some()
    }

    fn serial(&self) -> Option<String> {
        real(&[&self.serial_number])
    }

    fn world_wide(&self) -> Option<String> {
        let of_ata = self.wwn.as_ref().map(|wwn| format!("0x{:x}{:06x}{:09x}", wwn.naa, wwn.oui, wwn.id));
        self.logical_unit_id.clone().or(of_ata).and_then(|text| world_wide(&text))
    }

    fn manufacturer(&self) -> Option<String> {
        real(&[&self.scsi_vendor, &self.vendor]).filter(|text| text != "ATA")
    }

    fn model(&self) -> Option<String> {
        real(&[&self.scsi_product, &self.product, &self.model_name, &self.scsi_model_name])
    }

    fn firmware(&self) -> Option<String> {
        let mut all = [&self.firmware_version, &self.scsi_revision, &self.revision].into_iter().flatten();
        all.find_map(|text| value::version(text.as_bytes()))
    }

    fn medium(&self) -> Option<DiskMedium> {
        match (self.device.protocol.as_deref(), self.rotation_rate) {
            (Some("NVMe"), _) => Some(DiskMedium::Nvme),
            (_, Some(0)) => Some(DiskMedium::Ssd),
            (_, Some(_)) => Some(DiskMedium::Hdd),
            (_, None) => None,
        }
    }

    fn disk(&self, name: String, place: Option<String>) -> Disk {
        Disk {
            name,
            manufacturer: self.manufacturer(),
            model: self.model(),
            serial: self.serial(),
            wwn: self.world_wide(),
            place,
            size_bytes: self.user_capacity.bytes.filter(|bytes| *bytes > 0),
            medium: self.medium(),
            firmware_version: self.firmware(),
            health: self.smart_status.as_ref().map(SmartStatus::health),
            ..Disk::default()
        }
    }
}

/// Returns the first text that somebody filled in.
fn real(texts: &[&Option<String>]) -> Option<String> {
    texts.iter().copied().flatten().find_map(|text| value::real(text.as_bytes()))
}

/// Returns whether an output of this name is about a disk behind an adapter.
pub fn is_about_disk(name: &str) -> bool {
    name.contains(',')
}

/// Returns what is read of a list, and nothing else of it.
pub fn list_without_rest(bytes: &[u8]) -> Vec<u8> {
    let Some(ways) = Way::all(bytes) else { return Vec::new() };
    let devices: Vec<_> = ways.iter().map(|way| json!({"name": way.name, "type": way.kind})).collect();
    json!({"devices": devices}).to_string().into_bytes()
}

/// Returns what is read of the words about a disk, with other values in place of its serial number and WWN.
pub fn with_other_identities(bytes: &[u8], other: impl Fn(&str) -> String) -> Vec<u8> {
    let Some(said) = Said::read(bytes) else { return Vec::new() };
    let messages: Vec<_> = said.is_asleep().then(|| json!({"string": ASLEEP[0]})).into_iter().collect();
    let kept = json!({
        "smartctl": {"messages": messages},
        "device": {"protocol": said.device.protocol},
        "serial_number": said.serial().map(|text| other(&text)),
        "vendor": said.manufacturer(),
        "model_name": said.model(),
        "logical_unit_id": said.world_wide().map(|text| other(&text)),
        "firmware_version": said.firmware(),
        "user_capacity": {"bytes": said.user_capacity.bytes},
        "rotation_rate": said.rotation_rate,
        "smart_status": said.smart_status.map(|status| json!({"passed": status.passed})),
    });
    kept.to_string().into_bytes()
}
