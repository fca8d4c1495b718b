//! The devices at PCI, as the kernel describes them.

use crate::reader::{NO_FOLDER, Reader, last};

const DEVICES: &str = "/sys/bus/pci/devices";
/// The greatest number of devices that are looked at. Servers refuse larger sections.
const MOST: usize = 4096;
/// The class of displays.
const DISPLAY: &str = "03";
/// The class of accelerators, which some GPUs without a display have.
const ACCELERATOR: &str = "12";
/// The makers of GPUs: AMD, NVIDIA and Intel.
const MAKERS_OF_GPUS: [&str; 3] = ["1002", "10de", "8086"];
/// The makers of displays that are no GPUs: those of BMCs (Matrox, ASPEED), and those of hypervisors (Hyper-V, VMware,
/// VirtualBox, and three of QEMU).
const MAKERS_OF_OTHER_DISPLAYS: [&str; 8] = ["102b", "1a03", "1414", "15ad", "80ee", "1234", "1af4", "1b36"];

/// A device at PCI.
#[derive(Debug)]
pub struct PciDevice {
    /// The PCI address.
    pub place: String,
    /// The number of the vendor.
    pub vendor: Option<String>,
    /// The number of the device among those of the vendor.
    pub device: Option<String>,
    /// The class.
    pub class: Option<String>,
    /// The driver.
    pub driver: Option<String>,
    /// True while the kernel has put the device to sleep. What it says itself is not read then, because that wakes it.
    pub is_asleep: bool,
    /// The number of lanes of the link at present.
    pub link_width: Option<u32>,
    /// The highest number of lanes.
    pub max_link_width: Option<u32>,
    /// The number of the NUMA node.
    pub numa_node: Option<u32>,
}

/// Returns the devices of the hardware, without virtual functions.
pub fn devices(reader: &mut Reader) -> Vec<PciDevice> {
    let Some(mut places) = reader.names(DEVICES) else {
        // Small machines have no PCI. What has no folder of buses at all is not to be seen.
        if reader.is_complete() && !reader.has("/sys/bus") {
            reader.lacks(DEVICES, NO_FOLDER);
        }
        return Vec::new();
    };
    if places.len() > MOST {
        reader.lacks(DEVICES, "has too many devices");
        places.truncate(MOST);
    }
    places.into_iter().filter_map(|place| device(reader, place)).collect()
}

/// Returns a device, unless it is a virtual function.
fn device(reader: &mut Reader, place: String) -> Option<PciDevice> {
    let at = |file: &str| path(&place, file);
    // The link of the driver starts where the device really is.
    reader.link(&format!("{DEVICES}/{place}"))?;
    if reader.has(&at("physfn")) {
        return None;
    }
    let is_asleep = reader.text(&at("power/runtime_status")).is_some_and(|status| status.starts_with("suspend"));
    let mut lanes = |file: &str| if is_asleep { None } else { width(reader, &at(file)) };
    let (link_width, max_link_width) = (lanes("current_link_width"), lanes("max_link_width"));
    Some(PciDevice {
        vendor: number(reader, &at("vendor"), 4),
        device: number(reader, &at("device"), 4),
        class: number(reader, &at("class"), 6),
        driver: reader.link(&at("driver")).map(|target| last(&target).to_owned()),
        is_asleep,
        link_width,
        max_link_width,
        // The kernel has -1 for a machine with one node.
        numa_node: reader.number::<i64>(&at("numa_node")).and_then(|node| u32::try_from(node).ok()),
        place,
    })
}

impl PciDevice {
    /// Returns true for a GPU, and for an accelerator of a maker of GPUs.
    pub fn is_gpu(&self) -> bool {
        let is_of = |makers: &[&str]| self.vendor.as_deref().is_some_and(|vendor| makers.contains(&vendor));
        self.has_class(DISPLAY) && !is_of(&MAKERS_OF_OTHER_DISPLAYS)
            || self.has_class(ACCELERATOR) && is_of(&MAKERS_OF_GPUS)
    }

    /// Returns true if the class begins with some digits.
    pub fn has_class(&self, start: &str) -> bool {
        self.class.as_deref().is_some_and(|class| class.starts_with(start))
    }

    /// Returns the path of a file of the device.
    pub fn at(&self, file: &str) -> String {
        path(&self.place, file)
    }
}

fn path(place: &str, file: &str) -> String {
    format!("{DEVICES}/{place}/{file}")
}

/// Reads a number of so many hexadecimal digits.
pub fn number(reader: &mut Reader, path: &str, digits: usize) -> Option<String> {
    let text = reader.text(path)?.to_lowercase();
    let number = text.strip_prefix("0x").unwrap_or(&text);
    if number.len() == digits && number.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Some(number.to_owned());
    }
    reader.lacks(path, "is not a number in its bounds");
    None
}

/// Reads a number of lanes. Devices without a link have 0, and the kernel does not know that of some.
fn width(reader: &mut Reader, path: &str) -> Option<u32> {
    reader.text(path)?.parse().ok().filter(|lanes| (1..=32).contains(lanes))
}
