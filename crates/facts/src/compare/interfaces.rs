//! The changes of network interfaces and of their links.

use super::matching::Key;
use super::section::{Comparable, Counters, event};
use super::values::{firmware, members};
use super::{Part, PartChange, PartEvent};
use crate::parts::Interface;

impl Comparable for Interface {
    const PART: Part = Part::Interface;

    fn identities(&self) -> [Option<Key>; 3] {
        [self.permanent_mac.clone().map(|address| vec![address]), None, None]
    }

    fn place(&self) -> Option<String> {
        self.place.clone()
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn changes(before: &Self, after: &Self, counters: Counters) -> Vec<PartEvent> {
        let firmware = firmware(after.title(), before.firmware_version.as_ref(), after.firmware_version.as_ref());
        [firmware, link(before, after, counters)].into_iter().flatten().collect()
    }
}

/// Returns the event of a carrier that came or went, though it may be as it was. An interface that is switched off has
/// none.
fn link(before: &Interface, after: &Interface, counters: Counters) -> Option<PartEvent> {
    let (was_up, is_up) = (before.carrier?, after.carrier?);
    let counted = before.carrier_changes.zip(after.carrier_changes);
    let changed = counted.is_some_and(|(before, now)| now > before);
    if was_up == is_up && !(changed && counters == Counters::Continue) {
        return None;
    }

    let change = if is_up { PartChange::LinkUp } else { PartChange::LinkDown };
    let carrier = |interface| Some(members(interface, &["carrier", "carrierChanges"]).into());
    Some(event(change, after, carrier(before), carrier(after)))
}
