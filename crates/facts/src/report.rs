//! A report, and the digest by which equal ones are recognised.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::parts::{Device, Disk, Fan, Firmware, Gpu, Interface, Memory, Neighbour, PowerSupply, Processor, System};
use crate::section::Section;

/// The number of the form that this version writes. It reads this one and the one before.
pub const FORMAT: u16 = 1;

/// A report of a machine about its hardware.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The number of the form.
    pub format: u16,
    /// The program that made the report.
    pub agent: AgentProgram,
    /// The time at which the report was made, by the clock of the machine.
    pub observed_at: DateTime<Utc>,
    /// The hardware.
    #[serde(flatten)]
    pub sections: Sections,
}

/// The program that made a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentProgram {
    /// The version, such as `0.1.0`.
    pub version: String,
}

/// The hardware of a machine, by sections. An agent that does not know a section leaves it out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sections {
    /// The machine as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<Section<System>>,
    /// The memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Section<Memory>>,
    /// The processors, one for each socket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processors: Option<Section<Vec<Processor>>>,
    /// The disks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disks: Option<Section<Vec<Disk>>>,
    /// The network interfaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<Section<Vec<Interface>>>,
    /// The devices at PCI that are no GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub devices: Option<Section<Vec<Device>>>,
    /// The GPUs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<Section<Vec<Gpu>>>,
    /// The neighbours of the network interfaces. The section is complete once they had the time to say that they are
    /// there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Section<Vec<Neighbour>>>,
    /// The power supplies, which only a BMC tells of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_supplies: Option<Section<Vec<PowerSupply>>>,
    /// The fans, which only a BMC tells of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fans: Option<Section<Vec<Fan>>>,
    /// The firmware of the parts, as a BMC lists it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firmware: Option<Section<Vec<Firmware>>>,
    /// Sections of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Sections {
    /// Removes what identifies the machine, its parts and what is beside it: serial numbers, UUIDs, MAC addresses, names
    /// that are unique in the world, all neighbours, and members of a later format, which may be any of these.
    pub fn erase_identities(&mut self) {
        self.more.clear();
        self.neighbours = None;
        erase(&mut self.system, erase_system);
        erase(&mut self.memory, |memory| {
            memory.more.clear();
            for module in &mut memory.modules {
                module.serial = None;
                module.more.clear();
            }
        });
        erase_all(&mut self.processors, |processor| processor.more.clear());
        erase_all(&mut self.disks, |disk| {
            (disk.serial, disk.wwn) = (None, None);
            disk.more.clear();
        });
        erase_all(&mut self.interfaces, |interface| {
            (interface.permanent_mac, interface.mac) = (None, None);
            interface.more.clear();
        });
        erase_all(&mut self.devices, |device| device.more.clear());
        erase_all(&mut self.gpus, |gpu| {
            (gpu.serial, gpu.uuid) = (None, None);
            gpu.more.clear();
        });
        erase_all(&mut self.power_supplies, |supply| {
            supply.serial = None;
            supply.more.clear();
        });
        erase_all(&mut self.fans, |fan| {
            fan.serial = None;
            fan.more.clear();
        });
        erase_all(&mut self.firmware, |firmware| firmware.more.clear());
    }
}

fn erase_system(system: &mut System) {
    let identities = [
        &mut system.uuid,
        &mut system.serial,
        &mut system.board_serial,
        &mut system.chassis_serial,
        &mut system.asset_tag,
        &mut system.boot_id,
    ];
    identities.into_iter().for_each(|identity| *identity = None);
    system.more.clear();
}

/// Erases the content of a section, and members of a later format.
fn erase<T>(section: &mut Option<Section<T>>, content: impl FnOnce(&mut T)) {
    if let Some(section) = section {
        section.more.clear();
        content(&mut section.found);
    }
}

/// Erases each part of a section, and members of a later format.
fn erase_all<T>(section: &mut Option<Section<Vec<T>>>, part: impl FnMut(&mut T)) {
    erase(section, |parts| parts.iter_mut().for_each(part));
}

impl Report {
    /// Returns the digest of the hardware: SHA-256 of its JSON, in hexadecimal digits. The time of the report and the
    /// version of the agent do not count.
    ///
    /// # Errors
    /// Returns an error if the report cannot be written as JSON.
    pub fn digest(&self) -> serde_json::Result<String> {
        // A value has its members in order, whatever the order in which they were read.
        let hardware = serde_json::to_vec(&serde_json::to_value(&self.sections)?)?;
        Ok(Sha256::digest(&hardware).iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(text: Value) -> Report {
        serde_json::from_value(text).expect("a report")
    }

    fn of(disk: Value, observed_at: &str) -> Value {
        json!({
            "format": 1,
            "agent": {"version": "0.1.0"},
            "observedAt": observed_at,
            "disks": {"complete": true, "found": [disk]},
        })
    }

    #[test]
    fn what_a_later_version_says_is_kept() {
        let mut text = of(json!({"name": "sda", "sizeBytes": 5, "wearPercent": 3}), "2026-11-01T10:00:00Z");
        text["disks"]["since"] = json!("boot");
        text["lamps"] = json!({"complete": true, "found": [{"name": "LAMP1"}]});
        assert_eq!(serde_json::to_value(report(text.clone())).expect("JSON"), text);
    }

    #[test]
    fn identities_are_erased_wherever_they_are() {
        let mut text = of(json!({"name": "sda", "serial": "X1", "wwn": "X2", "later": "X3"}), "2026-11-01T10:00:00Z");
        let section = |found: Value| json!({"complete": true, "found": found, "later": "X0"});
        text["later"] = json!("X4");
        text["system"] = section(json!({
            "uuid": "X5", "serial": "X6", "boardSerial": "X7", "chassisSerial": "X8", "assetTag": "X9", "bootId": "X10",
            "later": "X11", "secureBootAuthorities": ["Microsoft"],
        }));
        text["memory"] = section(json!({"modules": [{"slot": "A1", "serial": "X12", "later": "X13"}], "later": "X14"}));
        text["processors"] = section(json!([{"socket": 0, "cores": 1, "threads": 1, "later": "X15"}]));
        text["interfaces"] = section(json!([{"name": "a", "permanentMac": "X16", "mac": "X17", "later": "X18"}]));
        text["devices"] = section(json!([{"place": "0000:41:00.0", "vendor": "15b3", "later": "X19"}]));
        text["gpus"] = section(json!([{"place": "0000:17:00.0", "serial": "X20", "uuid": "X21", "later": "X22"}]));
        text["neighbours"] = section(json!([{
            "interface": "a", "permanentMac": "X23", "chassisId": "X24", "portId": "X25", "systemName": "X26",
        }]));
        text["powerSupplies"] = section(json!([{"place": "PSU1", "serial": "X27", "later": "X28"}]));
        text["fans"] = section(json!([{"place": "FAN1", "serial": "X29", "later": "X30"}]));
        text["firmware"] = section(json!([{"name": "BIOS", "version": "2.19.1", "later": "X31"}]));
        let mut sections = report(text).sections;
        sections.erase_identities();
        assert!(sections.neighbours.is_none());
        let text = serde_json::to_string(&sections).expect("JSON");
        assert!(!text.contains("\"X"), "{text}");
        for rest in ["Microsoft", "A1", "sda", "15b3", "0000:17:00.0", "PSU1", "FAN1", "2.19.1"] {
            assert!(text.contains(rest), "{text}");
        }
    }

    #[test]
    fn only_the_hardware_is_in_the_digest() {
        let disk = json!({"name": "sda", "serial": "A", "sizeBytes": 5});
        let one = report(of(disk.clone(), "2026-11-01T10:00:00Z"));
        let mut later = report(of(disk, "2026-11-01T10:05:00Z"));
        later.agent.version = "0.2.0".to_owned();
        assert_eq!(one.digest().expect("a digest"), later.digest().expect("a digest"));

        let other = report(of(json!({"name": "sda", "serial": "B", "sizeBytes": 5}), "2026-11-01T10:00:00Z"));
        assert_ne!(one.digest().expect("a digest"), other.digest().expect("a digest"));
        let mut incomplete = one.clone();
        if let Some(disks) = &mut incomplete.sections.disks {
            disks.lacks("/sys/block", "permission denied");
        }
        assert_ne!(one.digest().expect("a digest"), incomplete.digest().expect("a digest"));
    }
}
