//! The changes of disks.

use super::matching::Key;
use super::section::{Comparable, Counters, event};
use super::values::{changed_members, firmware, members};
use super::{Part, PartChange, PartEvent};
use crate::parts::{Disk, DiskHealth};

impl Comparable for Disk {
    const PART: Part = Part::Disk;

    fn identities(&self) -> [Option<Key>; 3] {
        let whole = [&self.model, &self.serial].into_iter().cloned().collect();
        let one = |value: &Option<String>| value.clone().map(|value| vec![value]);
        [whole, one(&self.serial), one(&self.wwn)]
    }

    fn place(&self) -> Option<String> {
        self.place.clone()
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        let is_failing_anew = after.is_failing() && !before.is_failing();
        // A disk that begins to fail has an event of its own.
        let names: &[&str] =
            if is_failing_anew { &["sizeBytes", "medium"] } else { &["sizeBytes", "medium", "health"] };
        let changed = changed_members(before, after, names);
        let changed = changed.map(|(before, now)| event(PartChange::Changed, after, Some(before), Some(now)));
        let firmware = firmware(after.title(), before.firmware_version.as_ref(), after.firmware_version.as_ref());
        let failing = is_failing_anew.then(|| after.failing(Some(before)));
        [changed, firmware, failing].into_iter().flatten().collect()
    }

    fn at_first_sight(&self) -> Option<PartEvent> {
        self.is_failing().then(|| self.failing(None))
    }
}

impl Disk {
    fn is_failing(&self) -> bool {
        self.health == Some(DiskHealth::Failing)
    }

    fn failing(&self, before: Option<&Self>) -> PartEvent {
        let health = |disk: &Self| members(disk, &["health"]);
        let was = before.map(health).filter(|health| !health.is_empty());
        event(PartChange::Failing, self, was.map(Into::into), Some(health(self).into()))
    }
}
