//! The hardware that a host of a class lacks, by what was reported of it.

use underlay_entity::host_class::{DiskMatch, HostMatch};
use underlay_entity::machine::DiskType;
use underlay_facts::{Amounts, DiskGroup, DiskMedium, Lack, Measure};

use super::matching::unmet;

/// The greatest number of disks that are looked at. No machine has more.
const MAX_DISKS: u64 = 4_096;

/// Returns what a machine has less of than the criteria of its class demand. What is not known is not less. A thread counts as
/// a core: some provisioners count so when they discover a machine.
pub fn lacking(criteria: &HostMatch, amounts: &Amounts) -> Vec<Lack> {
    let cores = criteria.cpu_cores.and_then(|least| u64::try_from(least).ok());
    let memory = criteria.memory_bytes.as_ref().and_then(|least| u64::try_from(least.0).ok());
    let threads = amounts.threads.max(amounts.cores);

    let cores = cores.zip(threads).map(|(expected, found)| Lack { measure: Measure::Cores, expected, found });
    let memory = memory.zip(amounts.memory_bytes).map(|(expected, found)| Lack {
        measure: Measure::MemoryBytes,
        expected,
        found,
    });
    let disks = amounts.disks.as_ref().and_then(|groups| disks(&criteria.disks, groups));
    [cores, memory, disks].into_iter().flatten().filter(|lack| lack.found < lack.expected).collect()
}

fn disks(conditions: &[DiskMatch], groups: &[DiskGroup]) -> Option<Lack> {
    let fitting = groups.iter().flat_map(|group| {
        let set = conditions.iter().enumerate().filter(|(_, condition)| may_fit(condition, group));
        let set = set.fold(0, |set, (at, _)| set | 1 << at);
        (0..group.count.min(MAX_DISKS)).map(move |_| set)
    });
    let (expected, found) = unmet(conditions, &fitting.collect::<Vec<u32>>())?;
    Some(Lack { measure: Measure::Disks, expected, found })
}

/// Returns true if disks fit a condition, or may fit it because a disk does not say its size or technology.
fn may_fit(condition: &DiskMatch, group: &DiskGroup) -> bool {
    let is_large = |least: i64| group.size_bytes.is_none_or(|size| i128::from(size) >= i128::from(least));
    condition.size_bytes.as_ref().is_none_or(|least| is_large(least.0))
        && condition.r#type.is_none_or(|wanted| group.medium.is_none_or(|medium| is_type(wanted, medium)))
}

const fn is_type(wanted: DiskType, medium: DiskMedium) -> bool {
    matches!(
        (wanted, medium),
        (DiskType::Nvme, DiskMedium::Nvme) | (DiskType::Ssd, DiskMedium::Ssd) | (DiskType::Hdd, DiskMedium::Hdd)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn a_machine_lacks_what_its_class_demands_and_it_is_known_not_to_have() {
        let group = |size: u64, medium, count| DiskGroup { size_bytes: Some(size), medium: Some(medium), count };
        let amounts = Amounts {
            cores: Some(32),
            threads: Some(64),
            memory_bytes: Some(1_024),
            disks: Some(vec![group(10, DiskMedium::Nvme, 2), group(1_000, DiskMedium::Hdd, 1)]),
            ..Amounts::default()
        };
        let lack = |measure, expected, found| vec![Lack { measure, expected, found }];
        for (criteria, expected) in [
            (json!({}), vec![]),
            (json!({"cpuCores": 64, "memoryBytes": 1_024, "disks": [{"count": 3}]}), vec![]),
            (json!({"cpuCores": 65}), lack(Measure::Cores, 65, 64)),
            (json!({"memoryBytes": 1_025}), lack(Measure::MemoryBytes, 1_025, 1_024)),
            (json!({"disks": [{"count": 4}]}), lack(Measure::Disks, 4, 3)),
            (json!({"disks": [{"type": "NVME", "count": 3}]}), lack(Measure::Disks, 3, 2)),
            (json!({"disks": [{"sizeBytes": 1_000}, {"type": "NVME", "count": 2}]}), vec![]),
            (json!({"labels": {"row": "b"}}), vec![]),
        ] {
            let read: HostMatch = from_value(criteria.clone()).expect("criteria");
            assert_eq!(lacking(&read, &amounts), expected, "{criteria}");
            assert_eq!(lacking(&read, &Amounts::default()), [], "nothing is known: {criteria}");
        }
        let silent = DiskGroup { size_bytes: None, medium: None, count: 3 };
        let amounts = Amounts { disks: Some(vec![silent]), ..Amounts::default() };
        let large: HostMatch =
            from_value(json!({"disks": [{"type": "NVME", "sizeBytes": 5, "count": 3}]})).expect("criteria");
        assert_eq!(lacking(&large, &amounts), [], "a disk that says nothing may fit");
    }
}
