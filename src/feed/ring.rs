//! The recent revisions, each with what it changed: one place for everybody who follows them.
//!
//! Guarantees: the revisions in it come one after the other without a gap, and the last one is the newest value's; it
//! holds no more than its room.

use std::collections::VecDeque;
use std::sync::Arc;

use underlay_entity::change;

use crate::inventory::{Head, Snapshot};

/// What the texts of a record are stored in, besides the texts themselves, in bytes.
const RECORD: usize = size_of::<change::Model>();
/// About what a value takes that differs from another one in nothing, in bytes.
const REVISION: usize = 4 * 1024;
/// About what the ways to one changed object take in the tables and indexes of a value, in bytes.
const CHANGED: usize = 16 * 1024;

/// How much is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// How many revisions: each holds on to what is different in its value.
    pub revisions: usize,
    /// How many changes.
    pub changes: usize,
    /// How many bytes of changes.
    pub bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { revisions: 512, changes: 20_000, bytes: 32 * 1024 * 1024 }
    }
}

/// A revision: what it changed, and the values before and after it.
#[derive(Clone, Debug)]
pub struct Revised {
    /// The value before.
    pub before: Arc<Snapshot>,
    /// The value after.
    pub after: Arc<Snapshot>,
    /// What was changed, in order.
    pub changes: Arc<Vec<change::Model>>,
}

impl Revised {
    /// The batch that made it.
    pub fn head(&self) -> Head {
        self.after.head()
    }

    fn bytes(&self) -> usize {
        let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let texts = |it: &change::Model| {
            size(&it.before) + size(&it.after) + size(&it.scope_before) + size(&it.scope_after) + it.name.len()
        };
        self.changes.iter().map(|change| RECORD + texts(change)).sum()
    }
}

/// The recent revisions.
#[derive(Debug)]
pub(super) struct Ring {
    room: Room,
    held: VecDeque<(Arc<Revised>, usize)>,
    changes: usize,
    bytes: usize,
}

/// Revisions that are dropped where nobody waits for it.
pub(super) type Dropped = Vec<Arc<Revised>>;

impl Ring {
    pub fn new(room: Room) -> Self {
        Self { room, held: VecDeque::new(), changes: 0, bytes: 0 }
    }

    /// Adds the next revision; gives what had to go for it. One that is too large on its own goes too.
    pub fn push(&mut self, revised: Arc<Revised>) -> Dropped {
        let mut dropped = match self.held.back() {
            Some((last, _)) if last.head() != revised.before.head() => self.clear(),
            _ => Vec::new(),
        };
        let bytes = revised.bytes();
        self.changes += revised.changes.len();
        self.bytes += bytes;
        self.held.push_back((revised, bytes));
        while self.is_too_full()
            && let Some(first) = self.pop()
        {
            dropped.push(first);
        }
        dropped
    }

    /// Adds the revisions that come after a value.
    pub fn extend(&mut self, revisions: Vec<Revised>, after: &Snapshot) -> Dropped {
        let next = revisions.into_iter().filter(|revised| revised.head().revision > after.revision());
        next.flat_map(|revised| self.push(Arc::new(revised))).collect()
    }

    /// Forgets everything: what comes next does not follow on it.
    pub fn clear(&mut self) -> Dropped {
        (self.changes, self.bytes) = (0, 0);
        self.held.drain(..).map(|(revised, _)| revised).collect()
    }

    /// A revision, if it is held.
    pub fn get(&self, revision: i64) -> Option<Arc<Revised>> {
        let first = self.held.front()?.0.head().revision;
        let place = usize::try_from(revision.checked_sub(first)?).ok()?;
        self.held.get(place).map(|(revised, _)| Arc::clone(revised))
    }

    /// The oldest revision that is held.
    pub fn oldest(&self) -> Option<i64> {
        self.held.front().map(|(revised, _)| revised.head().revision)
    }

    /// Forgets the revisions before one of them.
    pub fn forget_before(&mut self, revision: i64) -> Dropped {
        let mut dropped = Vec::new();
        while let Some((first, _)) = self.held.front()
            && first.head().revision < revision
        {
            dropped.extend(self.pop());
        }
        dropped
    }

    /// About how many bytes the revisions take, with what is different in the value of each.
    pub fn about_bytes(&self) -> usize {
        self.bytes + self.held.len() * REVISION + self.changes * CHANGED
    }

    fn pop(&mut self) -> Option<Arc<Revised>> {
        let (first, bytes) = self.held.pop_front()?;
        self.changes -= first.changes.len();
        self.bytes -= bytes;
        Some(first)
    }

    fn is_too_full(&self) -> bool {
        let Room { revisions, changes, bytes } = self.room;
        self.held.len() > revisions || self.changes > changes || self.bytes > bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::newest::tests::{change, value};
    use super::*;

    fn revised(revision: i64, changes: usize) -> Arc<Revised> {
        let (before, after) = (value(revision - 1, revision as u128 - 1), value(revision, revision as u128));
        let changes = (0..changes).map(|position| change(revision, position as i32)).collect();
        Arc::new(Revised { before, after, changes: Arc::new(changes) })
    }

    fn held(ring: &Ring) -> Vec<i64> {
        (0..20).filter(|revision| ring.get(*revision).is_some()).collect()
    }

    #[test]
    fn the_oldest_go_when_it_is_full() {
        let room = Room { revisions: 3, changes: 10, bytes: usize::MAX };
        let mut ring = Ring::new(room);
        for revision in 1..=4 {
            ring.push(revised(revision, 1));
        }
        assert_eq!(held(&ring), [2, 3, 4], "by their number");
        let dropped = ring.push(revised(5, 9));
        assert_eq!(held(&ring), [4, 5], "by their changes");
        assert_eq!(dropped.iter().map(|it| it.head().revision).collect::<Vec<_>>(), [2, 3]);
        ring.push(revised(6, 11));
        assert_eq!(held(&ring), Vec::<i64>::new(), "one that has no room is not held, nor are those before it");
        ring.push(revised(7, 1));
        assert_eq!(held(&ring), [7]);
        let mut ring = Ring::new(Room { bytes: 3 * RECORD, ..room });
        (1..=4).for_each(|revision| drop(ring.push(revised(revision, 1))));
        assert_eq!(held(&ring), [3, 4], "by their bytes: a record has its texts too");
    }

    #[test]
    fn what_does_not_follow_begins_anew() {
        let mut ring = Ring::new(Room::default());
        ring.push(revised(1, 1));
        ring.push(revised(2, 1));
        ring.push(revised(9, 1));
        assert_eq!(held(&ring), [9]);
        assert_eq!(ring.clear().len(), 1);
        assert_eq!((ring.changes, ring.bytes, held(&ring)), (0, 0, Vec::new()));
    }
}
