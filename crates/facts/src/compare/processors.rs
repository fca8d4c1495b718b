//! The changes of processors. A processor is known by its socket alone.

use super::matching::Key;
use super::section::{Comparable, Counters, event};
use super::values::{changed_members, firmware, json};
use super::{Part, PartChange, PartEvent};
use crate::parts::Processor;

impl Comparable for Processor {
    const PART: Part = Part::Processor;

    fn identities(&self) -> [Option<Key>; 3] {
        [None, None, None]
    }

    fn place(&self) -> Option<String> {
        Some(format!("socket {}", self.socket))
    }

    fn name(&self) -> Option<&str> {
        None
    }

    fn number(&self) -> u32 {
        self.socket
    }

    fn changes(before: &Self, after: &Self, _: Counters) -> Vec<PartEvent> {
        if before.model.as_ref().zip(after.model.as_ref()).is_some_and(|(before, after)| before != after) {
            return vec![event(PartChange::Replaced, after, json(before), json(after))];
        }
        let changed = changed_members(before, after, &["cores", "threads"]);
        let changed = changed.map(|(before, now)| event(PartChange::Changed, after, Some(before), Some(now)));
        let microcode = firmware(after.title(), before.microcode.as_ref(), after.microcode.as_ref());
        [changed, microcode].into_iter().flatten().collect()
    }
}
