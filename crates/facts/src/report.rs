//! A report, and the digest by which equal ones are recognised.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::parts::{Disk, Interface, Memory, Processor, System};
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
    /// Sections of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Sections {
    /// Removes what identifies the machine and its parts: serial numbers, UUIDs, MAC addresses, names that are unique in
    /// the world, and members of a later format, which may be any of these.
    pub fn erase_identities(&mut self) {
        self.more.clear();
        if let Some(section) = &mut self.system {
            section.more.clear();
            let system = &mut section.found;
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
        if let Some(section) = &mut self.memory {
            section.more.clear();
            section.found.more.clear();
            for module in &mut section.found.modules {
                module.serial = None;
                module.more.clear();
            }
        }
        if let Some(section) = &mut self.processors {
            section.more.clear();
            section.found.iter_mut().for_each(|processor| processor.more.clear());
        }
        if let Some(section) = &mut self.disks {
            section.more.clear();
            for disk in &mut section.found {
                (disk.serial, disk.wwn) = (None, None);
                disk.more.clear();
            }
        }
        if let Some(section) = &mut self.interfaces {
            section.more.clear();
            for interface in &mut section.found {
                (interface.permanent_mac, interface.mac) = (None, None);
                interface.more.clear();
            }
        }
    }
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
        text["fans"] = json!({"complete": true, "found": [{"name": "FAN1"}]});
        assert_eq!(serde_json::to_value(report(text.clone())).expect("JSON"), text);
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
