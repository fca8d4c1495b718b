//! The faults that a report tells of, by which hosts are found.

use crate::parts::DiskHealth;
use crate::report::Sections;

/// The faults that a report tells of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alarms {
    /// True if a disk expects to fail.
    pub disk_failing: bool,
    /// True if the memory has had errors since the boot that could not be corrected.
    pub memory_errors: bool,
}

impl Alarms {
    /// Returns the faults that a report tells of.
    #[must_use]
    pub fn of(sections: &Sections) -> Self {
        let disks = sections.disks.iter().flat_map(|section| &section.found);
        let errors = sections.memory.as_ref().and_then(|section| section.found.errors);
        Self {
            disk_failing: disks.into_iter().any(|disk| disk.health == Some(DiskHealth::Failing)),
            memory_errors: errors.is_some_and(|errors| errors.uncorrected > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn only_faults_are_alarms() {
        let alarms = |sections: Value| Alarms::of(&serde_json::from_value(sections).expect("sections"));
        let disks = |health: &[Value]| {
            let found: Vec<Value> = health.iter().map(|it| json!({"name": "sda", "health": it})).collect();
            json!({"disks": {"complete": true, "found": found}})
        };
        let memory = |errors: Value| json!({"memory": {"complete": true, "found": {"errors": errors}}});
        let (well, disk, errors) = (
            Alarms::default(),
            Alarms { disk_failing: true, ..Alarms::default() },
            Alarms { memory_errors: true, ..Alarms::default() },
        );
        for (sections, expected) in [
            (json!({}), well),
            (disks(&[json!("PASSED"), json!(null)]), well),
            (disks(&[json!("PASSED"), json!("FAILING")]), disk),
            (memory(json!(null)), well),
            (memory(json!({"corrected": 9, "uncorrected": 0})), well),
            (memory(json!({"corrected": 0, "uncorrected": 1})), errors),
        ] {
            assert_eq!(alarms(sections.clone()), expected, "{sections}");
        }
    }
}
