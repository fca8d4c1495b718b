//! The hardware that is recorded of a device, from the last report of the agent of its host.

use std::collections::BTreeMap;

use underlay_engine::facts::HostSummary;
use underlay_entity::long::Long;
use underlay_entity::machine::{Disk, DiskType, Hardware};
use underlay_facts::{DiskMedium, SummaryDisk};

/// Hardware of which nothing is known.
const UNKNOWN: Hardware = Hardware { cpu_cores: None, cpu_architecture: None, memory_bytes: None, disks: Vec::new() };

/// Returns the hardware to record of a device; `None` if it is recorded already. What the report does not know stays as it
/// is recorded, and so do the names of disks of which the size and the technology are those that are recorded: the kernel
/// gives names anew at each boot.
pub fn to_record(recorded: Option<&Hardware>, summary: &HostSummary) -> Option<Hardware> {
    let mut hardware = recorded.cloned().unwrap_or(UNKNOWN);
    let cores = summary.amounts.cores.and_then(|cores| i32::try_from(cores).ok()).filter(|cores| *cores > 0);
    let memory = summary.amounts.memory_bytes.and_then(long);

    hardware.cpu_cores = cores.or(hardware.cpu_cores);
    hardware.memory_bytes = memory.or(hardware.memory_bytes);
    if let Some(disks) = summary.disks.as_deref().and_then(disks)
        && sizes(&disks) != sizes(&hardware.disks)
    {
        hardware.disks = disks;
    }
    (hardware != *recorded.unwrap_or(&UNKNOWN)).then_some(hardware)
}

fn disks(found: &[SummaryDisk]) -> Option<Vec<Disk>> {
    let disk = |found: &SummaryDisk| {
        let r#type = match found.medium {
            DiskMedium::Nvme => DiskType::Nvme,
            DiskMedium::Ssd => DiskType::Ssd,
            DiskMedium::Hdd => DiskType::Hdd,
        };
        Some(Disk { name: found.name.clone(), size_bytes: long(found.size_bytes)?, r#type })
    };
    found.iter().map(disk).collect()
}

/// Returns an amount as it is recorded; `None` for one that cannot be.
fn long(amount: u64) -> Option<Long> {
    i64::try_from(amount).ok().filter(|amount| *amount > 0).map(Long)
}

/// Returns the number of disks of each size and technology.
fn sizes(disks: &[Disk]) -> BTreeMap<(i64, DiskType), usize> {
    let mut sizes = BTreeMap::new();
    for disk in disks {
        *sizes.entry((disk.size_bytes.0, disk.r#type)).or_default() += 1;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, from_value, json};
    use underlay_facts::Amounts;

    use super::*;

    fn summary(amounts: Value, disks: Option<Value>) -> HostSummary {
        let amounts: Amounts = from_value(amounts).expect("amounts");
        let disks = disks.map(|disks| from_value::<Vec<SummaryDisk>>(disks).expect("disks").into());
        HostSummary { amounts, models: Arc::default(), disks, gpu_lost: false, heard: None }
    }

    #[test]
    fn what_a_report_knows_is_recorded_and_the_rest_stays() {
        let disk = |name: &str, size: u64| json!({"name": name, "sizeBytes": size, "medium": "NVME"});
        let recorded = |name: &str, size: u64| json!({"name": name, "sizeBytes": size, "type": "NVME"});
        let machine =
            json!({"cpuCores": 8, "cpuArchitecture": "AMD64", "memoryBytes": 64, "disks": [recorded("a", 5)]});
        let with = |field: &str, value: Value| {
            let mut changed = machine.clone();
            changed[field] = value;
            Some(changed)
        };
        let all = json!({"cores": 8, "memoryBytes": 64});
        let table = [
            ("nothing is known", None, json!({}), None, None),
            ("all is new", None, all.clone(), Some(json!([disk("a", 5)])), {
                Some(json!({"cpuCores": 8, "memoryBytes": 64, "disks": [recorded("a", 5)]}))
            }),
            ("no disk is known", None, json!({}), Some(json!([])), None),
            ("equal", Some(&machine), all.clone(), Some(json!([disk("a", 5)])), None),
            ("another name", Some(&machine), all.clone(), Some(json!([disk("b", 5)])), None),
            ("unknown disks", Some(&machine), all.clone(), None, None),
            ("unknown amounts", Some(&machine), json!({}), Some(json!([disk("a", 5)])), None),
            ("more cores", Some(&machine), json!({"cores": 9}), None, with("cpuCores", json!(9))),
            ("no cores", Some(&machine), json!({"cores": 0}), None, None),
            ("cores without end", Some(&machine), json!({"cores": u64::MAX}), None, None),
            ("less memory", Some(&machine), json!({"memoryBytes": 32}), None, with("memoryBytes", json!(32))),
            ("memory without end", Some(&machine), json!({"memoryBytes": u64::MAX}), None, None),
            ("a disk without end", Some(&machine), all.clone(), Some(json!([disk("a", u64::MAX)])), None),
            ("no disk", Some(&machine), all.clone(), Some(json!([])), with("disks", json!([]))),
            (
                "another disk",
                Some(&machine),
                all,
                Some(json!([disk("b", 5), disk("c", 5)])),
                with("disks", json!([recorded("b", 5), recorded("c", 5)])),
            ),
        ];
        for (case, recorded, amounts, disks, expected) in table {
            let recorded = recorded.map(|it| from_value::<Hardware>(it.clone()).expect("hardware"));
            let expected = expected.map(|it| from_value::<Hardware>(it).expect("hardware"));
            let summary = summary(amounts, disks);
            let found = to_record(recorded.as_ref(), &summary);
            assert_eq!(found, expected, "{case}");
            if let Some(found) = found {
                assert_eq!(to_record(Some(&found), &summary), None, "{case}: what is recorded is recorded once");
            }
        }
    }
}
