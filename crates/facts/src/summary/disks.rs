//! The disks of a machine, as an inventory records them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::compare::MissingParts;
use crate::parts::{Disk, DiskMedium};
use crate::report::Sections;
use crate::value::clean;

/// The greatest number of disks. Only a machine that makes up parts has more.
const MAX_DISKS: usize = 256;
/// The greatest length of a name, in characters.
const MAX_CHARACTERS: usize = 200;

/// A disk of a machine, as an inventory records it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SummaryDisk {
    /// The name at this boot.
    pub name: String,
    /// The size in bytes, at least 1.
    pub size_bytes: u64,
    /// The technology.
    pub medium: DiskMedium,
}

/// Returns the disks of a report, in the order of their names. A disk that only the last report lacks counts as if it were
/// there. Returns `None` if they are not known: the section was not read as a whole, or a disk does not tell its size or
/// technology, or has no name of its own.
pub(super) fn of(sections: &Sections, missing: &MissingParts) -> Option<Vec<SummaryDisk>> {
    let section = sections.disks.as_ref().filter(|section| section.complete)?;
    let lacked = &missing.disks.lacked;
    if section.found.len().saturating_add(lacked.len()) > MAX_DISKS {
        return None;
    }
    let mut disks = section.found.iter().chain(lacked).map(known).collect::<Option<Vec<_>>>()?;
    disks.sort_by(|one, other| one.name.cmp(&other.name));
    let names: BTreeSet<&str> = disks.iter().map(|disk| disk.name.as_str()).collect();
    (names.len() == disks.len()).then_some(disks)
}

fn known(disk: &Disk) -> Option<SummaryDisk> {
    let name = clean(disk.name.as_bytes());
    let is_name = !name.is_empty() && name.chars().count() <= MAX_CHARACTERS;
    let (size_bytes, medium) = (disk.size_bytes.filter(|size| *size > 0)?, disk.medium?);
    is_name.then_some(SummaryDisk { name, size_bytes, medium })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn disks_are_known_if_each_tells_all_of_itself() {
        let disk = |name: &str, size: Value| json!({"name": name, "sizeBytes": size, "medium": "NVME"});
        let (a, b) = (disk("a", json!(5)), disk("b", json!(7)));
        let lacked = |found: Value| json!({"disks": {"lacked": found}});
        let table = [
            (json!({}), json!({}), None),
            (json!({"disks": {"complete": true, "found": []}}), json!({}), Some(vec![])),
            (json!({"disks": {"complete": true, "found": [b, a]}}), json!({}), Some(vec!["a", "b"])),
            (json!({"disks": {"complete": false, "found": [a, b]}}), json!({}), None),
            (json!({"disks": {"complete": true, "found": [a]}}), lacked(json!([b])), Some(vec!["a", "b"])),
            // The kernel gave the name of the disk that is gone to another one.
            (json!({"disks": {"complete": true, "found": [a]}}), lacked(json!([disk("a", json!(9))])), None),
            (json!({"disks": {"complete": true, "found": [a, disk("c", json!(0))]}}), json!({}), None),
            (json!({"disks": {"complete": true, "found": [a, disk("c", Value::Null)]}}), json!({}), None),
            (json!({"disks": {"complete": true, "found": [{"name": "a", "sizeBytes": 5}]}}), json!({}), None),
            (json!({"disks": {"complete": true, "found": [disk(" ", json!(5))]}}), json!({}), None),
        ];
        for (sections, missing, expected) in table {
            let read: Sections = serde_json::from_value(sections.clone()).expect("sections");
            let found = of(&read, &serde_json::from_value(missing).expect("missing parts"));
            let names = found.as_ref().map(|disks| disks.iter().map(|disk| disk.name.as_str()).collect::<Vec<_>>());
            assert_eq!(names, expected, "{sections}");
        }
    }

    #[test]
    fn more_disks_than_a_machine_has_are_not_known() {
        let disk = |at: usize| json!({"name": format!("d{at}"), "sizeBytes": 5, "medium": "HDD"});
        let sections = |count: usize| -> Sections {
            let found: Vec<_> = (0..count).map(disk).collect();
            serde_json::from_value(json!({"disks": {"complete": true, "found": found}})).expect("sections")
        };
        let count = |found| of(&sections(found), &MissingParts::default()).map(|disks| disks.len());
        assert_eq!((count(MAX_DISKS), count(MAX_DISKS + 1)), (Some(MAX_DISKS), None));
    }
}
