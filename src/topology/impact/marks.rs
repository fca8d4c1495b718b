//! What is known of each object while a question is answered: a few bits, found by the object's place.
//!
//! Room is taken as zeroed pages for all slots at once, of which only those that are touched cost anything.
//!
//! Where many failures are looked at one after the other, what each of them does is remembered by the number of the
//! failure. So nothing is ever cleared, and a failure can take over what those just before it did: it has all marks
//! from the first of these on.

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
    /// It waits to be looked at by a rule for what is served.
    pub const WAITING: Self = Self(32);
    /// It has lost a redundancy.
    pub const DEGRADED: Self = Self(64);

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

/// How many marks are remembered by the number of the failure that set them: those from [`Mark::FALLEN`] on.
const REMEMBERED: usize = 4;

/// The marks of all objects of a snapshot.
#[derive(Debug)]
pub(super) struct Marks {
    bits: ByPlace<u8>,
    many: Option<Many>,
}

/// The marks of many failures, one after the other.
#[derive(Debug)]
struct Many {
    /// By which failure each of the remembered marks was set last; 0: by none.
    last: [ByPlace<u32>; REMEMBERED],
    /// The failure that is looked at.
    now: u32,
    /// The first failure whose marks it has.
    first: u32,
}

impl Marks {
    /// No marks, for one failure at a time.
    pub fn of(snapshot: &Snapshot) -> Self {
        Self { bits: ByPlace::of(snapshot), many: None }
    }

    /// No marks, for many failures. [`Mark::DEGRADED`] is not to be set then: it would be that of all.
    pub fn of_many(snapshot: &Snapshot) -> Self {
        let many = Many { last: std::array::from_fn(|_| ByPlace::of(snapshot)), now: 1, first: 1 };
        Self { many: Some(many), ..Self::of(snapshot) }
    }

    /// Goes on to another one of many failures, which has the marks of those before it from `first` on.
    pub fn go_on(&mut self, now: u32, first: u32) {
        if let Some(many) = &mut self.many {
            (many.now, many.first) = (now, first);
        }
    }

    /// Whether an object has one of some marks.
    #[inline]
    pub fn has(&self, place: Place, mark: Mark) -> bool {
        *self.bits.get(place) & mark.0 != 0 || self.many.as_ref().is_some_and(|many| many.have(place, mark))
    }

    /// Sets a mark; whether it is new.
    #[inline]
    pub fn set(&mut self, place: Place, mark: Mark) -> bool {
        if let Some(many) = &mut self.many
            && let Some(which) = (0..REMEMBERED).find(|which| mark == remembered(*which))
        {
            return std::mem::replace(many.last[which].get_mut(place), many.now) < many.first;
        }
        let marks = self.bits.get_mut(place);
        let new = *marks & mark.0 != mark.0;
        *marks |= mark.0;
        new
    }

    /// Takes marks away.
    #[inline]
    pub fn clear(&mut self, place: Place, mark: Mark) {
        *self.bits.get_mut(place) &= !mark.0;
    }
}

impl Many {
    #[inline]
    fn have(&self, place: Place, mark: Mark) -> bool {
        let is_set = |which: usize| *self.last[which].get(place) >= self.first;
        (0..REMEMBERED).any(|which| mark.0 & remembered(which).0 != 0 && is_set(which))
    }
}

/// One of the marks that are remembered.
#[inline]
const fn remembered(which: usize) -> Mark {
    Mark(Mark::FALLEN.0 << which)
}

/// Something for each slot of each kind.
#[derive(Debug)]
pub(super) struct ByPlace<T>(Vec<Vec<T>>);

impl<T: Clone + Default> ByPlace<T> {
    /// Nothing anywhere.
    pub fn of(snapshot: &Snapshot) -> Self {
        let slots = |kind: KindId| snapshot.table(kind).slots() as usize;
        Self(snapshot.registry().kinds().map(|kind| vec![T::default(); slots(kind.id)]).collect())
    }

    #[inline]
    pub fn get(&self, place: Place) -> &T {
        &self.0[usize::from(place.kind.0)][place.slot as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, place: Place) -> &mut T {
        &mut self.0[usize::from(place.kind.0)][place.slot as usize]
    }
}
