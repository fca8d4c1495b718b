//! The changes of neighbours. A neighbour is known by the interface, its chassis and its port, and an interface may have
//! several; so none replaces another one.

use super::matching::Key;
use super::section::{Comparable, Counters, event};
use super::values::changed_members;
use super::{Part, PartChange, PartEvent};
use crate::parts::Neighbour;

/// The members whose change is an event.
const MEMBERS: [&str; 5] =
    ["capabilities", "managementAddresses", "portDescription", "systemDescription", "systemName"];

impl Comparable for Neighbour {
    const PART: Part = Part::Neighbour;

    fn identities(&self) -> [Option<Key>; 3] {
        let at = |interface: &String| vec![interface.clone(), self.chassis_id.clone(), self.port_id.clone()];
        // The name of the interface may be another one at the next boot.
        [self.permanent_mac.as_ref().map(at), Some(at(&self.interface)), None]
    }

    fn place(&self) -> Option<String> {
        None
    }

    fn name(&self) -> Option<&str> {
        None
    }

    fn title(&self) -> String {
        self.interface.clone()
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        let changed = changed_members(before, after, &MEMBERS);
        let changed = changed.map(|(before, now)| event(PartChange::Changed, after, Some(before), Some(now)));
        changed.into_iter().collect()
    }
}
