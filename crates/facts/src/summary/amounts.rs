//! The amounts of hardware of a machine, by which less hardware than before, or than somebody wants, is recognised.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::compare::MissingParts;
use crate::parts::{Disk, DiskMedium, MemoryModule, Processor};
use crate::report::Sections;
use crate::section::Section;

/// The amounts of hardware of a machine. An amount is absent if it is not known, because its section was not reported or not
/// read as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Amounts {
    /// The number of processors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processors: Option<u64>,
    /// The number of their cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u64>,
    /// The number of threads that the cores run at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
    /// The number of memory modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_modules: Option<u64>,
    /// The memory in bytes. Absent if a module does not say its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The disks, those that are alike together, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disks: Option<Vec<DiskGroup>>,
    /// The number of GPUs that are on their bus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u64>,
    /// The number of network interfaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<u64>,
    /// The number of other devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub devices: Option<u64>,
}

/// Disks that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiskGroup {
    /// The size of each in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// The technology.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub medium: Option<DiskMedium>,
    /// The number of disks.
    pub count: u64,
}

/// A measure of the hardware of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The number of processors.
    Processors,
    /// The number of cores of all processors.
    Cores,
    /// The number of threads that all cores run at a time.
    Threads,
    /// The number of memory modules.
    MemoryModules,
    /// The memory in bytes.
    MemoryBytes,
    /// The number of disks.
    Disks,
    /// The size of all disks in bytes.
    DiskBytes,
    /// The number of GPUs.
    Gpus,
    /// The number of network interfaces.
    Interfaces,
    /// The number of other devices.
    Devices,
}

/// An amount that is less than the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lack {
    /// The measure.
    pub measure: Measure,
    /// The least amount that is expected.
    pub expected: u64,
    /// The amount that was found.
    pub found: u64,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 10] = [
        Self::Processors,
        Self::Cores,
        Self::Threads,
        Self::MemoryModules,
        Self::MemoryBytes,
        Self::Disks,
        Self::DiskBytes,
        Self::Gpus,
        Self::Interfaces,
        Self::Devices,
    ];
}

impl Amounts {
    /// Returns the amounts of a report. A part that only the last report lacks counts as if it were there.
    pub(super) fn of(sections: &Sections, missing: &MissingParts) -> Self {
        let processors = all_of(sections.processors.as_ref(), &missing.processors.lacked);
        let modules = sections.memory.as_ref().filter(|section| section.complete).map(|section| &section.found.modules);
        let modules = modules.map(|found| found.iter().chain(&missing.modules.lacked).collect::<Vec<_>>());
        // A machine that does not describe its modules has memory nevertheless.
        let modules = modules.filter(|modules| !modules.is_empty());
        let disks = all_of(sections.disks.as_ref(), &missing.disks.lacked);
        let gpus = all_of(sections.gpus.as_ref(), &missing.gpus.lacked);
        let interfaces = all_of(sections.interfaces.as_ref(), &missing.interfaces.lacked);
        let devices = all_of(sections.devices.as_ref(), &missing.devices.lacked);

        let sum = |count: fn(&Processor) -> u32| {
            processors.as_ref().map(|all| all.iter().map(|processor| u64::from(count(processor))).sum())
        };
        Self {
            processors: count(processors.as_ref()),
            cores: sum(|processor| processor.cores),
            threads: sum(|processor| processor.threads),
            memory_modules: count(modules.as_ref()),
            memory_bytes: modules.and_then(|modules| memory_bytes(&modules)),
            disks: disks.map(|disks| groups(&disks)),
            gpus: gpus.map(|gpus| gpus.iter().filter(|gpu| !gpu.off_bus).count() as u64),
            interfaces: count(interfaces.as_ref()),
            devices: count(devices.as_ref()),
        }
    }

    /// Returns an amount, if it is known.
    #[must_use]
    pub fn of_measure(&self, measure: Measure) -> Option<u64> {
        match measure {
            Measure::Processors => self.processors,
            Measure::Cores => self.cores,
            Measure::Threads => self.threads,
            Measure::MemoryModules => self.memory_modules,
            Measure::MemoryBytes => self.memory_bytes,
            Measure::Disks => Some(self.disks.as_ref()?.iter().map(|group| group.count).sum()),
            Measure::DiskBytes => disk_bytes(self.disks.as_ref()?),
            Measure::Gpus => self.gpus,
            Measure::Interfaces => self.interfaces,
            Measure::Devices => self.devices,
        }
    }

    /// Returns what is less than expected. What is not known lacks nothing.
    #[must_use]
    pub fn lacking(&self, expected: impl IntoIterator<Item = (Measure, u64)>) -> Vec<Lack> {
        let lack = |(measure, expected)| {
            let found = self.of_measure(measure).filter(|found| *found < expected)?;
            Some(Lack { measure, expected, found })
        };
        expected.into_iter().filter_map(lack).collect()
    }
}

/// Returns the parts of a section that was read as a whole, with those that only the last report lacks.
fn all_of<'a, T>(section: Option<&'a Section<Vec<T>>>, lacked: &'a [T]) -> Option<Vec<&'a T>> {
    let section = section.filter(|section| section.complete)?;
    Some(section.found.iter().chain(lacked).collect())
}

fn count<T>(parts: Option<&Vec<T>>) -> Option<u64> {
    parts.map(|parts| parts.len() as u64)
}

fn memory_bytes(modules: &[&MemoryModule]) -> Option<u64> {
    modules.iter().try_fold(0_u64, |sum, module| Some(sum.saturating_add(module.size_bytes?)))
}

fn disk_bytes(groups: &[DiskGroup]) -> Option<u64> {
    groups.iter().try_fold(0_u64, |sum, group| Some(sum.saturating_add(group.size_bytes?.saturating_mul(group.count))))
}

fn groups(disks: &[&Disk]) -> Vec<DiskGroup> {
    let mut counts: BTreeMap<(Option<u64>, Option<DiskMedium>), u64> = BTreeMap::new();
    for disk in disks {
        *counts.entry((disk.size_bytes, disk.medium)).or_default() += 1;
    }
    counts.into_iter().map(|((size_bytes, medium), count)| DiskGroup { size_bytes, medium, count }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn sections(value: Value) -> Sections {
        serde_json::from_value(value).expect("sections")
    }

    fn complete(found: Value) -> Value {
        json!({"complete": true, "found": found})
    }

    fn incomplete(found: Value) -> Value {
        json!({"complete": false, "unread": [{"what": "x", "reason": "y"}], "found": found})
    }

    #[test]
    fn amounts_are_those_of_sections_that_were_read_as_a_whole() {
        let disk = |size: Value, medium: &str| json!({"name": "d", "sizeBytes": size, "medium": medium});
        let two = json!([{"slot": "A", "sizeBytes": 8}, {"slot": "B", "sizeBytes": 8}]);
        let table = [
            (json!({}), Measure::Disks, None),
            (json!({"disks": complete(json!([]))}), Measure::Disks, Some(0)),
            (
                json!({"disks": complete(json!([disk(json!(5), "SSD"), disk(json!(5), "SSD")]))}),
                Measure::Disks,
                Some(2),
            ),
            (
                json!({"disks": complete(json!([disk(json!(5), "SSD"), disk(json!(7), "HDD")]))}),
                Measure::DiskBytes,
                Some(12),
            ),
            (json!({"disks": complete(json!([disk(json!(5), "SSD"), {"name": "e"}]))}), Measure::DiskBytes, None),
            (json!({"disks": incomplete(json!([disk(json!(5), "SSD")]))}), Measure::Disks, None),
            (json!({"memory": complete(json!({"modules": two}))}), Measure::MemoryBytes, Some(16)),
            (json!({"memory": complete(json!({"modules": two}))}), Measure::MemoryModules, Some(2)),
            (json!({"memory": complete(json!({"modules": []}))}), Measure::MemoryModules, None),
            (json!({"memory": complete(json!({"modules": [{"slot": "A"}]}))}), Measure::MemoryBytes, None),
            (json!({"memory": incomplete(json!({"modules": two}))}), Measure::MemoryBytes, None),
            (
                json!({"gpus": complete(json!([{"place": "1"}, {"place": "2", "offBus": true}]))}),
                Measure::Gpus,
                Some(1),
            ),
            (
                json!({"processors": complete(json!([{"socket": 0, "cores": 8, "threads": 16}, {"socket": 1, "cores": 8, "threads": 16}]))}),
                Measure::Threads,
                Some(32),
            ),
        ];
        for (value, measure, amount) in table {
            let amounts = Amounts::of(&sections(value.clone()), &MissingParts::default());
            assert_eq!(amounts.of_measure(measure), amount, "{measure:?} of {value}");
        }
    }

    #[test]
    fn a_part_that_one_report_lacks_counts_until_the_next_one() {
        let missing: MissingParts = serde_json::from_value(
            json!({"disks": {"lacked": [{"name": "b", "sizeBytes": 5}], "unseen": [{"name": "c"}]}}),
        )
        .expect("missing parts");
        let shown = sections(json!({"disks": complete(json!([{"name": "a", "sizeBytes": 5}]))}));
        assert_eq!(Amounts::of(&shown, &missing).of_measure(Measure::Disks), Some(2));
        assert_eq!(Amounts::of(&shown, &MissingParts::default()).of_measure(Measure::Disks), Some(1));
    }

    #[test]
    fn only_what_is_known_can_be_less() {
        let amounts = Amounts { gpus: Some(3), memory_bytes: None, cores: Some(8), ..Amounts::default() };
        let expected = [(Measure::Gpus, 4), (Measure::MemoryBytes, 1), (Measure::Cores, 8)];
        assert_eq!(amounts.lacking(expected), [Lack { measure: Measure::Gpus, expected: 4, found: 3 }]);
    }
}
