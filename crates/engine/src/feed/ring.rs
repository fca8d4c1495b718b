//! Holds the recent revisions with their changes, in one place for all subscribers.
//!
//! Guarantees: the revisions follow each other without a gap. The last one belongs to the current snapshot. The ring
//! holds no more than its [`Room`] allows.

use std::collections::VecDeque;
use std::sync::Arc;

use underlay_entity::change;

use underlay_inventory::{Head, Snapshot};

/// The size of a change record without its texts, in bytes.
const RECORD_BYTES: usize = size_of::<change::Model>();
/// The estimated size of a snapshot that shares everything with another one, in bytes.
const REVISION_BYTES: usize = 4 * 1024;
/// The estimated size of the paths to one changed object in the tables and indexes of a snapshot, in bytes.
const CHANGED_OBJECT_BYTES: usize = 16 * 1024;

/// The limits of the recent revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The maximum number of revisions. Each keeps the parts alive in which its snapshot differs.
    pub revisions: usize,
    /// The maximum number of changes in all revisions.
    pub changes: usize,
    /// The maximum total size of the change records, in bytes.
    pub bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { revisions: 512, changes: 20_000, bytes: 32 * 1024 * 1024 }
    }
}

/// A revision with its changes, and the snapshots before and after it.
#[derive(Clone, Debug)]
pub struct Revised {
    /// The snapshot before the revision.
    pub before: Arc<Snapshot>,
    /// The snapshot after the revision.
    pub after: Arc<Snapshot>,
    /// The changes of the revision, in order.
    pub changes: Arc<Vec<change::Model>>,
}

impl Revised {
    /// Returns the head of the revision, with the batch that made it.
    pub fn head(&self) -> Head {
        self.after.head()
    }

    fn bytes(&self) -> usize {
        let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let texts = |it: &change::Model| {
            size(&it.before) + size(&it.after) + size(&it.scope_before) + size(&it.scope_after) + it.name.len()
        };
        self.changes.iter().map(|change| RECORD_BYTES + texts(change)).sum()
    }
}

/// The recent revisions, within the limits of `room`.
#[derive(Debug)]
pub(super) struct Ring {
    room: Room,
    held: VecDeque<(Arc<Revised>, usize)>,
    changes: usize,
    bytes: usize,
}

/// Revisions that the caller must drop where nothing waits for it.
pub(super) type Dropped = Vec<Arc<Revised>>;

impl Ring {
    pub fn new(room: Room) -> Self {
        Self { room, held: VecDeque::new(), changes: 0, bytes: 0 }
    }

    /// Adds the next revision and returns the revisions that were dropped to make room. A revision that alone exceeds
    /// the limits is dropped too.
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

    /// Adds those of the revisions that come after a snapshot.
    pub fn extend(&mut self, revisions: Vec<Revised>, after: &Snapshot) -> Dropped {
        let next = revisions.into_iter().filter(|revised| revised.head().revision > after.revision());
        next.flat_map(|revised| self.push(Arc::new(revised))).collect()
    }

    /// Drops all revisions, because the next one does not follow them.
    pub fn clear(&mut self) -> Dropped {
        (self.changes, self.bytes) = (0, 0);
        self.held.drain(..).map(|(revised, _)| revised).collect()
    }

    /// Returns a revision if it is held.
    pub fn get(&self, revision: i64) -> Option<Arc<Revised>> {
        let first = self.held.front()?.0.head().revision;
        let index = usize::try_from(revision.checked_sub(first)?).ok()?;
        self.held.get(index).map(|(revised, _)| Arc::clone(revised))
    }

    /// Returns the number of the oldest held revision.
    pub fn oldest(&self) -> Option<i64> {
        self.held.front().map(|(revised, _)| revised.head().revision)
    }

    /// Drops the revisions before `revision`.
    pub fn forget_before(&mut self, revision: i64) -> Dropped {
        let mut dropped = Vec::new();
        while let Some((first, _)) = self.held.front()
            && first.head().revision < revision
        {
            dropped.extend(self.pop());
        }
        dropped
    }

    /// Estimates the memory of the revisions in bytes, including the parts in which their snapshots differ.
    pub fn about_bytes(&self) -> usize {
        self.bytes + self.held.len() * REVISION_BYTES + self.changes * CHANGED_OBJECT_BYTES
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
    use super::super::current::tests::{change, snapshot};
    use super::*;

    fn revised(revision: i64, changes: usize) -> Arc<Revised> {
        let (before, after) = (snapshot(revision - 1, revision as u128 - 1), snapshot(revision, revision as u128));
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
        let mut ring = Ring::new(Room { bytes: 3 * RECORD_BYTES, ..room });
        (1..=4).for_each(|revision| drop(ring.push(revised(revision, 1))));
        assert_eq!(held(&ring), [3, 4], "by their bytes: a record has its texts too");
    }

    #[test]
    fn a_revision_that_does_not_follow_starts_the_ring_again() {
        let mut ring = Ring::new(Room::default());
        ring.push(revised(1, 1));
        ring.push(revised(2, 1));
        ring.push(revised(9, 1));
        assert_eq!(held(&ring), [9]);
        assert_eq!(ring.clear().len(), 1);
        assert_eq!((ring.changes, ring.bytes, held(&ring)), (0, 0, Vec::new()));
    }
}
