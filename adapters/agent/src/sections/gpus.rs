//! The GPUs: what the kernel says of them, and where `nvidia-smi` is installed what it says besides.

use std::collections::HashMap;

use underlay_facts::Gpu;

use super::pci::{self, PciDevice};
use crate::programs::{Call, Status};
use crate::reader::Reader;
use crate::value;

/// The path of the recorded output.
pub const RECORDED: &str = "/programs/nvidia-smi";
const PROGRAM: &str = "nvidia-smi";
/// The members that are asked for, in the order of [`Said`].
const MEMBERS: &str = "pci.bus_id,name,serial,uuid,memory.total,vbios_version,driver_version";
/// The numbers of the members that are somebody's: the serial number and the UUID.
const IDENTITIES: [usize; 2] = [2, 3];
const NVIDIA: &str = "10de";
/// The content of the configuration space of a device that does not answer.
const NO_ANSWER: [u8; 4] = [0xff; 4];

/// The words of `nvidia-smi` about a GPU.
#[derive(Debug, Default)]
struct Said {
    model: Option<String>,
    serial: Option<String>,
    uuid: Option<String>,
    memory_bytes: Option<u64>,
    firmware_version: Option<String>,
    driver_version: Option<String>,
}

/// Reads the GPUs.
pub fn read(reader: &mut Reader) -> Vec<Gpu> {
    let found: Vec<PciDevice> = pci::devices(reader).into_iter().filter(PciDevice::is_gpu).collect();
    let is_of_nvidia = |gpu: &PciDevice| gpu.vendor.as_deref() == Some(NVIDIA);
    let mut said = if found.iter().any(is_of_nvidia) { ask(reader) } else { HashMap::new() };
    found.into_iter().map(|gpu| of(reader, gpu, &mut said)).collect()
}

fn of(reader: &mut Reader, found: PciDevice, said: &mut HashMap<String, Said>) -> Gpu {
    let said = said.remove(&found.place).unwrap_or_default();
    Gpu {
        off_bus: is_off_bus(reader, &found),
        place: found.place,
        vendor: found.vendor,
        device: found.device,
        model: said.model,
        serial: said.serial,
        uuid: said.uuid,
        memory_bytes: said.memory_bytes,
        firmware_version: said.firmware_version,
        driver: found.driver,
        driver_version: said.driver_version,
        link_width: found.link_width,
        max_link_width: found.max_link_width,
        numa_node: found.numa_node,
        ..Gpu::default()
    }
}

/// Returns true if the GPU does not answer at its place: all that it says is ones. The kernel keeps the numbers that it
/// had. A GPU that sleeps is not woken by the question.
fn is_off_bus(reader: &mut Reader, gpu: &PciDevice) -> bool {
    if pci::number(reader, &gpu.at("revision"), 2).as_deref() == Some("ff") {
        return true;
    }
    !gpu.is_asleep && reader.head(&gpu.at("config"), NO_ANSWER.len() as u64).is_some_and(|bytes| bytes == NO_ANSWER)
}

/// Asks `nvidia-smi`, and returns what it says by PCI address.
fn ask(reader: &mut Reader) -> HashMap<String, Said> {
    let call = Call {
        program: PROGRAM,
        part: None,
        subject: String::new(),
        arguments: vec![format!("--query-gpu={MEMBERS}"), "--format=csv,noheader,nounits".to_owned()],
        status: Status::Success,
        says: |_| true,
    };
    let Some(bytes) = reader.program(&call) else { return HashMap::new() };
    let text = String::from_utf8_lossy(&bytes);
    let mut all = HashMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match said(line) {
            Some((place, gpu)) => drop(all.insert(place, gpu)),
            None if reader.is_complete() => reader.lacks(&call.title(), "does not write what it should"),
            None => {}
        }
    }
    all
}

/// Returns the PCI address of a line, and what else it says.
fn said(line: &str) -> Option<(String, Said)> {
    let values: Vec<&str> = line.split(',').map(str::trim).collect();
    let [place, name, serial, uuid, memory, firmware, driver] = values[..] else { return None };
    let mebibytes: Option<u64> = memory.parse().ok();
    let said = Said {
        model: real(name),
        serial: real(serial),
        uuid: real(uuid),
        memory_bytes: mebibytes.and_then(|count| count.checked_mul(1 << 20)),
        firmware_version: value::version(firmware.as_bytes()).filter(|text| is_said(text)),
        driver_version: value::version(driver.as_bytes()).filter(|text| is_said(text)),
    };
    Some((address(place)?, said))
}

fn real(text: &str) -> Option<String> {
    value::real(text.as_bytes()).filter(|text| is_said(text))
}

/// Returns whether a text is a value, and not a word such as `[N/A]` or `[Unknown Error]`.
fn is_said(text: &str) -> bool {
    !text.starts_with('[') && text != "ERR!"
}

/// Returns a PCI address such as `00000000:17:00.0` as the kernel writes it.
fn address(text: &str) -> Option<String> {
    let (domain, rest) = text.split_once(':')?;
    let domain = u32::from_str_radix(domain, 16).ok()?;
    Some(format!("{domain:04x}:{}", rest.to_lowercase()))
}

/// Returns an output with other values in place of serial numbers and UUIDs.
pub fn with_other_identities(bytes: &[u8], other: impl Fn(&str) -> String) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    // What is no line about a GPU is kept as a line that cannot be read.
    let line = |line: &str| match said(line) {
        Some(_) => {
            let values = line.split(',').map(str::trim).enumerate();
            let values =
                values.map(|(at, value)| if IDENTITIES.contains(&at) { other(value) } else { value.to_owned() });
            values.collect::<Vec<_>>().join(", ") + "\n"
        }
        None if line.trim().is_empty() => String::new(),
        None => "?\n".to_owned(),
    };
    text.lines().map(line).collect::<String>().into_bytes()
}
