//! The class of a host that is discovered: the only class whose conditions the host meets.

use underlay_entity::common::Labels;
use underlay_entity::host_class::{DiskMatch, HostMatch, Model};
use underlay_entity::machine::{Disk, Hardware};
use uuid::Uuid;

/// The answer of [`class_for`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Classified {
    /// The host meets the conditions of no class.
    None,
    /// The host meets the conditions of this class alone.
    One(Uuid),
    /// The host meets the conditions of these classes, in the order in which they were passed. None of them is chosen.
    Ambiguous(Vec<Uuid>),
}

/// Finds the class of a host that is discovered, by its hardware and labels. A class without conditions is never found.
pub fn class_for<'a>(classes: impl IntoIterator<Item = &'a Model>, hardware: &Hardware, labels: &Labels) -> Classified {
    let fitting = classes.into_iter().filter(|class| {
        class.criteria.as_ref().is_some_and(|criteria| !is_empty(criteria) && meets(criteria, hardware, labels))
    });
    let mut found: Vec<Uuid> = fitting.map(|class| class.id).collect();
    match found.len() {
        0 => Classified::None,
        1 => Classified::One(found.remove(0)),
        _ => Classified::Ambiguous(found),
    }
}

fn is_empty(criteria: &HostMatch) -> bool {
    *criteria == HostMatch::default()
}

/// Returns true if a machine meets all conditions. Hardware that is not known meets no condition on it.
pub fn meets(criteria: &HostMatch, hardware: &Hardware, labels: &Labels) -> bool {
    let mut wanted = criteria.labels.iter().flat_map(|wanted| &wanted.0);
    let has_labels = wanted.all(|(key, value)| labels.0.get(key) == Some(value));
    let has_cores = criteria.cpu_cores.is_none_or(|least| hardware.cpu_cores.is_some_and(|cores| cores >= least));
    let has_memory = criteria
        .memory_bytes
        .as_ref()
        .is_none_or(|least| hardware.memory_bytes.as_ref().is_some_and(|memory| memory.0 >= least.0));
    has_labels && has_cores && has_memory && has_disks(&criteria.disks, &hardware.disks)
}

/// Returns true if each condition can be given disks of its own.
fn has_disks(conditions: &[DiskMatch], disks: &[Disk]) -> bool {
    let fitting = |disk: &Disk| -> u32 {
        let conditions = conditions.iter().enumerate().filter(|(_, condition)| fits(condition, disk));
        conditions.fold(0, |set, (at, _)| set | 1 << at)
    };
    unmet(conditions, &disks.iter().map(fitting).collect::<Vec<u32>>()).is_none()
}

/// Returns the number of disks that conditions need together, and the lesser number of those that fit any of them; `None` if
/// each condition can be given disks of its own. `disks` has for each disk the set of the conditions that it fits. By
/// Hall's theorem all can be met if every set of conditions together fits at least as many disks as it needs. The number of
/// conditions is bounded where they are written.
pub(super) fn unmet(conditions: &[DiskMatch], disks: &[u32]) -> Option<(u64, u64)> {
    (1..1_u32 << conditions.len()).find_map(|set| {
        let chosen = conditions.iter().enumerate().filter(|(at, _)| set & 1 << at != 0);
        let needed: u64 = chosen.map(|(_, condition)| u64::try_from(condition.count).unwrap_or(0)).sum();
        let fitting = disks.iter().filter(|fitting| *fitting & set != 0).count() as u64;
        (fitting < needed).then_some((needed, fitting))
    })
}

fn fits(condition: &DiskMatch, disk: &Disk) -> bool {
    condition.size_bytes.as_ref().is_none_or(|least| disk.size_bytes.0 >= least.0)
        && condition.r#type.is_none_or(|ty| disk.r#type == ty)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};
    use underlay_inventory::cast;

    use super::*;

    fn hardware(value: Value) -> Hardware {
        from_value(value).expect("hardware")
    }

    fn labels(value: Value) -> Labels {
        from_value(value).expect("labels")
    }

    #[test]
    fn a_machine_meets_conditions_by_all_of_its_parts() {
        let nvme = |size: i64| json!({"name": format!("n{size}"), "type": "NVME", "sizeBytes": size});
        let hdd = |size: i64| json!({"name": format!("h{size}"), "type": "HDD", "sizeBytes": size});
        let table = [
            ("nothing is asked", json!({}), true),
            ("cores", json!({"cpuCores": 64}), true),
            ("more cores", json!({"cpuCores": 65}), false),
            ("memory", json!({"memoryBytes": 1024}), true),
            ("more memory", json!({"memoryBytes": 1025}), false),
            ("a label", json!({"labels": {"row": "a"}}), true),
            ("another value", json!({"labels": {"row": "b"}}), false),
            ("another label", json!({"labels": {"rack": "a"}}), false),
            ("any disks", json!({"disks": [{"count": 4}]}), true),
            ("more disks", json!({"disks": [{"count": 5}]}), false),
            ("a type", json!({"disks": [{"count": 2, "type": "NVME"}]}), true),
            ("more of a type", json!({"disks": [{"count": 3, "type": "NVME"}]}), false),
            ("a size", json!({"disks": [{"count": 2, "sizeBytes": 1000}]}), true),
            ("more of a size", json!({"disks": [{"count": 3, "sizeBytes": 1000}]}), false),
            ("disks of their own", json!({"disks": [{"type": "NVME"}, {"count": 3}]}), true),
            ("not enough for both", json!({"disks": [{"type": "NVME"}, {"count": 4}]}), false),
            // The wide condition must leave the only large flash disk to the narrow one.
            ("the wide one first", json!({"disks": [{"type": "NVME"}, {"type": "NVME", "sizeBytes": 1000}]}), true),
            ("twice the large one", json!({"disks": [{"type": "NVME", "sizeBytes": 1000, "count": 2}]}), false),
        ];
        let machine = hardware(json!({"cpuCores": 64, "memoryBytes": 1024,
            "disks": [nvme(1000), nvme(10), hdd(1000), hdd(10)]}));
        for (what, criteria, answer) in table {
            let criteria: HostMatch = from_value(criteria).expect("conditions");
            assert_eq!(meets(&criteria, &machine, &labels(json!({"row": "a", "x": ""}))), answer, "{what}");
        }
        let unknown = hardware(json!({}));
        let cores: HostMatch = from_value(json!({"cpuCores": 1})).expect("conditions");
        assert!(!meets(&cores, &unknown, &labels(json!({}))), "unknown hardware meets nothing");
    }

    #[test]
    fn only_a_single_class_is_found() {
        let class = |id: u128, criteria: Option<Value>| {
            let mut class = cast::<Model>((super::super::DESCRIPTION.blank)().as_ref()).clone();
            class.id = Uuid::from_u128(id);
            class.criteria = criteria.map(|it| from_value(it).expect("conditions"));
            class
        };
        let small = class(1, Some(json!({"cpuCores": 8})));
        let large = class(2, Some(json!({"cpuCores": 64})));
        let manual = class(3, None);
        let empty = class(4, Some(json!({})));
        let found = |classes: &[&Model], cores: i32| {
            class_for(classes.iter().copied(), &hardware(json!({"cpuCores": cores})), &Labels::default())
        };
        let id = Uuid::from_u128;
        let table = [
            (&[&small, &large, &manual, &empty][..], 4, Classified::None),
            (&[&small, &large, &manual, &empty], 8, Classified::One(id(1))),
            (&[&small, &large, &manual, &empty], 64, Classified::Ambiguous(vec![id(1), id(2)])),
            (&[&manual, &empty], 64, Classified::None),
            (&[], 64, Classified::None),
        ];
        for (classes, cores, answer) in table {
            assert_eq!(found(classes, cores), answer, "{cores} cores, {} classes", classes.len());
        }
    }
}
