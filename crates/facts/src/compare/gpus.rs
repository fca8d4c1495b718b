//! The changes of GPUs.

use serde_json::{Value, json};

use super::devices::is_other;
use super::matching::Key;
use super::section::{Comparable, Counters, event};
use super::values::{changed_members, firmware, json as whole};
use super::{Part, PartChange, PartEvent};
use crate::parts::Gpu;

/// The members whose change is an event. The versions of drivers are no matter of hardware.
const MEMBERS: [&str; 3] = ["linkWidth", "maxLinkWidth", "memoryBytes"];

impl Comparable for Gpu {
    const PART: Part = Part::Gpu;

    fn identities(&self) -> [Option<Key>; 3] {
        let one = |value: &Option<String>| value.clone().map(|value| vec![value]);
        [one(&self.serial), one(&self.uuid), None]
    }

    fn place(&self) -> Option<String> {
        Some(self.place.clone())
    }

    fn name(&self) -> Option<&str> {
        None
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        if before.is_other_model(after) {
            let replaced = event(PartChange::Replaced, after, whole(before), whole(after));
            return [Some(replaced), after.at_first_sight()].into_iter().flatten().collect();
        }
        let changed = changed_members(before, after, &MEMBERS);
        let changed = changed.map(|(before, now)| event(PartChange::Changed, after, Some(before), Some(now)));
        let firmware = firmware(after.title(), before.firmware_version.as_ref(), after.firmware_version.as_ref());
        let bus = (before.off_bus != after.off_bus).then(|| {
            let change = if after.off_bus { PartChange::Failing } else { PartChange::Changed };
            event(change, after, Some(before.bus()), Some(after.bus()))
        });
        [changed, firmware, bus].into_iter().flatten().collect()
    }

    fn at_first_sight(&self) -> Option<PartEvent> {
        self.off_bus.then(|| event(PartChange::Failing, self, None, Some(self.bus())))
    }
}

impl Gpu {
    /// Returns true for another model in the place, of which neither serial number nor UUID is known.
    fn is_other_model(&self, after: &Self) -> bool {
        is_other(&self.vendor, &after.vendor) || is_other(&self.device, &after.device)
    }

    fn bus(&self) -> Value {
        json!({"offBus": self.off_bus})
    }
}
