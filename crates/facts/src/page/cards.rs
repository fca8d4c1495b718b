//! The lines of devices and GPUs.

use super::values::{gibibytes, known};
use crate::parts::{Device, Gpu};

/// The classes of PCI that have a short name, by the digits with which they begin. The first one that fits counts.
const CLASSES: [(&str, &str); 18] = [
    ("0104", "RAID"),
    ("0106", "SATA"),
    ("0107", "SAS"),
    ("0108", "NVMe"),
    ("01", "storage"),
    ("0200", "Ethernet"),
    ("0207", "InfiniBand"),
    ("02", "network"),
    ("03", "display"),
    ("0502", "CXL memory"),
    ("0b", "processor"),
    ("0c04", "Fibre Channel"),
    ("0c06", "InfiniBand"),
    ("0c", "serial bus"),
    ("0d", "wireless"),
    ("0e", "intelligent controller"),
    ("10", "encryption"),
    ("12", "accelerator"),
];

pub(super) fn device(device: &Device) -> Vec<String> {
    let speed = part_of(device.link_speed_mts, device.max_link_speed_mts, transfers);
    let width = part_of(device.link_width, device.max_link_width, lanes);
    vec![
        device.place.clone(),
        device.class.as_deref().map(class).unwrap_or_default(),
        known(numbers(device.vendor.as_ref(), device.device.as_ref()).as_ref()),
        [width, speed].into_iter().flatten().collect::<Vec<_>>().join(", "),
        device.driver.clone().unwrap_or_default(),
        device.numa_node.map(node).unwrap_or_default(),
    ]
}

pub(super) fn gpu(gpu: &Gpu) -> Vec<String> {
    let numbers = || numbers(gpu.vendor.as_ref(), gpu.device.as_ref());
    let driver = [gpu.driver.as_deref(), gpu.driver_version.as_deref()];
    vec![
        gpu.place.clone(),
        known(gpu.model.clone().or_else(numbers).as_ref()),
        gpu.memory_bytes.map(gibibytes).unwrap_or_default(),
        gpu.serial.as_ref().map(|serial| format!("serial {serial}")).unwrap_or_default(),
        gpu.firmware_version.as_ref().map(|version| format!("firmware {version}")).unwrap_or_default(),
        driver.into_iter().flatten().collect::<Vec<_>>().join(" "),
        part_of(gpu.link_width, gpu.max_link_width, lanes).unwrap_or_default(),
        gpu.numa_node.map(node).unwrap_or_default(),
        if gpu.off_bus { "fell off the bus".to_owned() } else { String::new() },
    ]
}

/// Returns the name of a class, or its digits.
fn class(digits: &str) -> String {
    let named = CLASSES.iter().find(|(start, _)| digits.starts_with(start));
    named.map_or_else(|| format!("class {digits}"), |(_, name)| (*name).to_owned())
}

/// Returns the numbers of a device as people write them, such as `15b3:1017`.
fn numbers(vendor: Option<&String>, device: Option<&String>) -> Option<String> {
    Some(format!("{}:{}", vendor?, device?))
}

/// Returns a value, with the highest one if it is less than that.
fn part_of(now: Option<u32>, most: Option<u32>, say: fn(u32) -> String) -> Option<String> {
    let now = now?;
    Some(match most {
        Some(most) if most > now => format!("{} of {}", say(now), say(most)),
        _ => say(now),
    })
}

fn lanes(count: u32) -> String {
    format!("x{count}")
}

fn transfers(mts: u32) -> String {
    format!("{} GT/s", f64::from(mts) / 1000.0)
}

fn node(number: u32) -> String {
    format!("node {number}")
}
