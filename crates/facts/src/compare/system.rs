//! The changes of the machine as a whole.

use super::values::{changed_members, firmware, serial};
use super::{Part, PartChange, PartEvent};
use crate::parts::System;

/// The place of the machine as a whole in events.
const PLACE: &str = "system";
/// The members whose change is an event.
const MEMBERS: [&str; 11] = [
    "uuid",
    "manufacturer",
    "model",
    "serial",
    "boardModel",
    "boardSerial",
    "chassisSerial",
    "assetTag",
    "bootMode",
    "secureBoot",
    "secureBootAuthorities",
];

/// Returns what happened between two reports.
pub(super) fn changes(before: Option<&System>, after: Option<&System>) -> Vec<PartEvent> {
    let Some((before, after)) = before.zip(after) else { return Vec::new() };
    let (was, is) = (serial(before), serial(after));
    let changed = changed_members(before, after, &MEMBERS).map(|(before, after)| PartEvent {
        part: Part::System,
        change: PartChange::Changed,
        place: PLACE.to_owned(),
        before: Some(before),
        after: Some(after),
        serial_before: was.filter(|was| Some(was) != is.as_ref()),
        serial: is.clone(),
    });
    let of_system = |event| PartEvent { serial: is.clone(), ..event };
    let firmware =
        firmware(PLACE.to_owned(), before.firmware_version.as_ref(), after.firmware_version.as_ref()).map(of_system);
    [changed, firmware].into_iter().flatten().collect()
}
