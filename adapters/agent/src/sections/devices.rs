//! The devices at PCI, by numbers. Bridges, what belongs to the chipset, virtual functions and GPUs are none.

use underlay_facts::Device;

use super::pci::{self, PciDevice};
use crate::reader::Reader;

/// The classes of devices that belong to the chipset or to another device and that nobody exchanges, by the digits with
/// which they begin: communication such as serial ports and the management engine, sound, bridges, timers and interrupt
/// controllers, USB, SMBus and their like, counters of signals, and instruments.
const CHIPSET: [&str; 10] = ["04", "06", "07", "08", "0c00", "0c03", "0c05", "0c80", "11", "13"];
/// The class of memory controllers, which belong to the processor.
const MEMORY: &str = "05";
/// The class of memory at CXL, which is a card.
const CXL_MEMORY: &str = "0502";

/// Reads the devices.
pub fn read(reader: &mut Reader) -> Vec<Device> {
    let devices = pci::devices(reader);
    devices.into_iter().filter(is_shown).map(|device| of(reader, device)).collect()
}

fn is_shown(device: &PciDevice) -> bool {
    let is_of_chipset = CHIPSET.iter().any(|start| device.has_class(start));
    let is_of_processor = device.has_class(MEMORY) && !device.has_class(CXL_MEMORY);
    !is_of_chipset && !is_of_processor && !device.is_gpu()
}

fn of(reader: &mut Reader, found: PciDevice) -> Device {
    let mut transfers = |file: &str| if found.is_asleep { None } else { speed(reader, &found.at(file)) };
    let [link_speed_mts, max_link_speed_mts] = ["current_link_speed", "max_link_speed"].map(&mut transfers);
    Device {
        subsystem_vendor: subsystem(reader, &found.at("subsystem_vendor")),
        subsystem_device: subsystem(reader, &found.at("subsystem_device")),
        revision: pci::number(reader, &found.at("revision"), 2),
        link_speed_mts,
        max_link_speed_mts,
        place: found.place,
        vendor: found.vendor,
        device: found.device,
        class: found.class,
        driver: found.driver,
        link_width: found.link_width,
        max_link_width: found.max_link_width,
        numa_node: found.numa_node,
        ..Device::default()
    }
}

/// Reads a number of the card. Chips without one have zeros.
fn subsystem(reader: &mut Reader, path: &str) -> Option<String> {
    pci::number(reader, path, 4).filter(|number| number != "0000")
}

/// Reads a speed such as `16.0 GT/s PCIe`. The kernel does not know that of some.
fn speed(reader: &mut Reader, path: &str) -> Option<u32> {
    let text = reader.text(path)?;
    let (number, _) = text.split_once(" GT/s")?;
    let (whole, tenth) = number.split_once('.').unwrap_or((number, "0"));
    let [whole, tenth] = [whole, tenth].map(|digits| digits.parse::<u32>().ok());
    let (whole, tenth) = whole.zip(tenth.filter(|tenth| *tenth < 10))?;
    whole.checked_mul(1000)?.checked_add(tenth * 100)
}
