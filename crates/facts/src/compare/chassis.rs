//! The changes of power supplies, fans and firmware.

use serde::Serialize;

use super::matching::Key;
use super::section::{Comparable, Counters, event};
use super::values::{changed_members, firmware, members};
use super::{Part, PartChange, PartEvent};
use crate::parts::{Fan, Firmware, PartHealth, PowerSupply};

impl Comparable for PowerSupply {
    const PART: Part = Part::PowerSupply;

    fn identities(&self) -> [Option<Key>; 3] {
        by_serial(self.model.as_ref(), self.serial.as_ref())
    }

    fn place(&self) -> Option<String> {
        Some(self.place.clone())
    }

    fn name(&self) -> Option<&str> {
        None
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        let changed = changed_members(before, after, &["capacityWatts"]);
        let changed = changed.map(|(before, now)| event(PartChange::Changed, after, Some(before), Some(now)));
        let firmware = firmware(after.title(), before.firmware_version.as_ref(), after.firmware_version.as_ref());
        let health = of_health(before, before.health, after, after.health);
        [changed, firmware, health].into_iter().flatten().collect()
    }

    fn at_first_sight(&self) -> Option<PartEvent> {
        failing_at_first_sight(self, self.health)
    }
}

impl Comparable for Fan {
    const PART: Part = Part::Fan;

    fn identities(&self) -> [Option<Key>; 3] {
        by_serial(self.model.as_ref(), self.serial.as_ref())
    }

    fn place(&self) -> Option<String> {
        Some(self.place.clone())
    }

    fn name(&self) -> Option<&str> {
        None
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        of_health(before, before.health, after, after.health).into_iter().collect()
    }

    fn at_first_sight(&self) -> Option<PartEvent> {
        failing_at_first_sight(self, self.health)
    }
}

impl Comparable for Firmware {
    const PART: Part = Part::Firmware;

    fn identities(&self) -> [Option<Key>; 3] {
        [None, None, None]
    }

    fn place(&self) -> Option<String> {
        Some(self.name.clone())
    }

    fn name(&self) -> Option<&str> {
        None
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        firmware(after.title(), before.version.as_ref(), after.version.as_ref()).into_iter().collect()
    }
}

/// Returns what a part takes along that is known by its model and serial number.
fn by_serial(model: Option<&String>, serial: Option<&String>) -> [Option<Key>; 3] {
    let whole = [model, serial].into_iter().map(Option::<&String>::cloned).collect();
    [whole, serial.cloned().map(|serial| vec![serial]), None]
}

/// Returns the event of a health that changed between two known values. One that becomes critical is failing.
fn of_health<T: Comparable + Serialize>(
    before: &T,
    was: Option<PartHealth>,
    after: &T,
    is: Option<PartHealth>,
) -> Option<PartEvent> {
    let (was, is) = was.zip(is).filter(|(was, is)| was != is)?;
    let change = match (was, is) {
        (_, PartHealth::Critical) => PartChange::Failing,
        (PartHealth::Ok | PartHealth::Warning | PartHealth::Critical, PartHealth::Ok | PartHealth::Warning) => {
            PartChange::Changed
        }
    };
    let health = |part: &T| Some(members(part, &["health"]).into());
    Some(event(change, after, health(before), health(after)))
}

fn failing_at_first_sight<T: Comparable + Serialize>(part: &T, health: Option<PartHealth>) -> Option<PartEvent> {
    let failing = event(PartChange::Failing, part, None, Some(members(part, &["health"]).into()));
    (health == Some(PartHealth::Critical)).then_some(failing)
}
