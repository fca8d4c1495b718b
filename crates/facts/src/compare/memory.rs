//! The changes of memory modules, and of the memory as a whole.

use super::matching::Key;
use super::section::{Comparable, Counters, Shown, event};
use super::values::{changed_members, json};
use super::{Boot, Part, PartChange, PartEvent};
use crate::parts::{Memory, MemoryModule};
use crate::section::Section;

/// The place of the memory as a whole in events.
const PLACE: &str = "memory";

impl Comparable for MemoryModule {
    const PART: Part = Part::Memory;

    fn identities(&self) -> [Option<Key>; 3] {
        let Self { manufacturer, part_number, serial, .. } = self;
        let whole = [manufacturer, part_number, serial].into_iter().cloned().collect();
        [whole, serial.clone().map(|serial| vec![serial]), None]
    }

    fn place(&self) -> Option<String> {
        Some(self.slot.clone())
    }

    fn name(&self) -> Option<&str> {
        None
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        let changed = changed_members(before, after, &["sizeBytes", "speedMts", "type"]);
        let changed = changed.map(|(before, now)| event(PartChange::Changed, after, Some(before), Some(now)));
        changed.into_iter().collect()
    }
}

/// Returns the modules that a section shows.
pub(super) fn modules(section: &Section<Memory>) -> Shown<'_, MemoryModule> {
    Shown { parts: &section.found.modules, is_complete: section.complete, unread: &section.unread }
}

/// Returns the event of errors that were not corrected and that are new. The kernel counts from the boot.
pub(super) fn failing(before: Option<&Memory>, after: Option<&Memory>, boot: Boot) -> Option<PartEvent> {
    let [before, after] = [before, after].map(|memory| memory.and_then(|memory| memory.errors));
    let after = after?;
    let is_new = match boot {
        Boot::Same => before.is_some_and(|before| after.uncorrected > before.uncorrected),
        Boot::Other => after.uncorrected > 0,
        Boot::Unknown => false,
    };
    is_new.then(|| PartEvent {
        part: Part::Memory,
        change: PartChange::Failing,
        place: PLACE.to_owned(),
        before: before.as_ref().and_then(json),
        after: json(&after),
        serial: None,
        serial_before: None,
    })
}
