//! What is known of each object while a question is answered: a few bits, found by the object's place.
//!
//! Room is taken as zeroed pages for all slots at once, of which only those that are touched cost anything.

use crate::inventory::{KindId, Place, Snapshot};

/// A bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(u8);

impl Mark {
    /// It was looked at, together with all that it depends on.
    pub const SEEN: Self = Self(1);
    /// It was down before anything failed.
    pub const BEFORE: Self = Self(2);
    /// It is down now and was not before.
    pub const FALLEN: Self = Self(4);
    /// It stands, but something that it depends on fell.
    pub const TOUCHED: Self = Self(8);
    /// It is cut off.
    pub const ISOLATED: Self = Self(16);
    /// It has lost a redundancy.
    pub const DEGRADED: Self = Self(32);
    /// It waits to be looked at by a rule for what is served.
    pub const WAITING: Self = Self(64);

    /// Both bits.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Down, before or now.
pub(super) const DOWN: Mark = Mark::BEFORE.or(Mark::FALLEN);
/// Not there for others any more, and was before.
pub(super) const GONE_SINCE: Mark = Mark::FALLEN.or(Mark::ISOLATED);
/// Not there for others any more.
pub(super) const GONE: Mark = DOWN.or(Mark::ISOLATED);
/// Affected in any way.
pub(super) const AFFECTED: Mark = Mark::FALLEN.or(Mark::ISOLATED).or(Mark::DEGRADED);

/// What holds of one failure alone.
pub(super) const OF_A_FAILURE: Mark = AFFECTED.or(Mark::TOUCHED).or(Mark::WAITING);

/// The marks of all objects of a snapshot.
#[derive(Debug)]
pub(super) struct Marks(Vec<Vec<u8>>);

impl Marks {
    /// No marks.
    pub fn of(snapshot: &Snapshot) -> Self {
        let slots = |kind: KindId| snapshot.table(kind).slots() as usize;
        Self(snapshot.registry().kinds().map(|kind| vec![0; slots(kind.id)]).collect())
    }

    /// Whether an object has one of some marks.
    #[inline]
    pub fn has(&self, place: Place, mark: Mark) -> bool {
        self.0[usize::from(place.kind.0)][place.slot as usize] & mark.0 != 0
    }

    /// Sets a mark; whether it is new.
    #[inline]
    pub fn set(&mut self, place: Place, mark: Mark) -> bool {
        let marks = &mut self.0[usize::from(place.kind.0)][place.slot as usize];
        let new = *marks & mark.0 != mark.0;
        *marks |= mark.0;
        new
    }

    /// Takes marks away.
    #[inline]
    pub fn clear(&mut self, place: Place, mark: Mark) {
        self.0[usize::from(place.kind.0)][place.slot as usize] &= !mark.0;
    }
}
