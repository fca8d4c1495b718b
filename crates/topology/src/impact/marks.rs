//! Keeps a few bits per object while a query runs, indexed by the object's kind and slot.
//!
//! Memory for all slots is allocated at once as zeroed pages. Only the pages that are touched use physical memory.
//!
//! A query over many failures stores the result of each one under the number of that failure, so nothing has to be
//! cleared. A failure can take over the results of the failures just before it: it has all marks from the first of
//! these on.

use underlay_inventory::{KindId, ObjectRef, Snapshot};

/// A set of bits that describes the state of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(u8);

impl Mark {
    /// The object was explored, together with every object that it depends on.
    pub const SEEN: Self = Self(1);
    /// The object was down before anything failed.
    pub const BEFORE: Self = Self(2);
    /// The object is down now and was not before.
    pub const WENT_DOWN: Self = Self(4);
    /// The object is up, but an object that it depends on went down.
    pub const TOUCHED: Self = Self(8);
    /// The object is cut off from the network.
    pub const ISOLATED: Self = Self(16);
    /// The object waits for the service rules to check it.
    pub const WAITING: Self = Self(32);
    /// The object has lost redundancy.
    pub const DEGRADED: Self = Self(64);

    /// Returns the bits of both sets.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The object is down, before the failure or since.
pub(super) const DOWN: Mark = Mark::BEFORE.or(Mark::WENT_DOWN);
/// The object is down or cut off, and was not before.
pub(super) const GONE_SINCE: Mark = Mark::WENT_DOWN.or(Mark::ISOLATED);
/// The object is down or cut off.
pub(super) const GONE: Mark = DOWN.or(Mark::ISOLATED);
/// The object is affected in any way.
pub(super) const AFFECTED: Mark = Mark::WENT_DOWN.or(Mark::ISOLATED).or(Mark::DEGRADED);

/// The marks that belong to a single failure.
pub(super) const OF_A_FAILURE: Mark = AFFECTED.or(Mark::TOUCHED).or(Mark::WAITING);

/// The number of marks that are stored with the number of the failure that set them: those from [`Mark::WENT_DOWN`] on.
const REMEMBERED_MARKS: usize = 4;

/// The marks of all objects of a snapshot.
#[derive(Debug)]
pub(super) struct Marks {
    bits: PerObject<u8>,
    many: Option<Many>,
}

/// The marks of many failures, one after the other.
#[derive(Debug)]
struct Many {
    /// The number of the failure that last set each of the stored marks; 0 if none did.
    last: [PerObject<u32>; REMEMBERED_MARKS],
    /// The number of the current failure.
    now: u32,
    /// The number of the first failure whose marks the current one takes over.
    first: u32,
}

impl Marks {
    /// Returns an empty set of marks, for one failure at a time.
    pub fn of(snapshot: &Snapshot) -> Self {
        Self { bits: PerObject::of(snapshot), many: None }
    }

    /// Returns an empty set of marks, for many failures. [`Mark::DEGRADED`] must not be set then: it would hold for all
    /// of them.
    pub fn of_many(snapshot: &Snapshot) -> Self {
        let many = Many { last: std::array::from_fn(|_| PerObject::of(snapshot)), now: 1, first: 1 };
        Self { many: Some(many), ..Self::of(snapshot) }
    }

    /// Starts the next one of many failures. It has the marks of the failures from `first` on.
    pub fn go_on(&mut self, now: u32, first: u32) {
        if let Some(many) = &mut self.many {
            (many.now, many.first) = (now, first);
        }
    }

    /// Returns true if an object has one of some marks.
    #[inline]
    pub fn has(&self, object: ObjectRef, mark: Mark) -> bool {
        *self.bits.get(object) & mark.0 != 0 || self.many.as_ref().is_some_and(|many| many.have(object, mark))
    }

    /// Sets a mark. Returns true if it was not set before.
    #[inline]
    pub fn set(&mut self, object: ObjectRef, mark: Mark) -> bool {
        if let Some(many) = &mut self.many
            && let Some(which) = (0..REMEMBERED_MARKS).find(|which| mark == remembered(*which))
        {
            return std::mem::replace(many.last[which].get_mut(object), many.now) < many.first;
        }
        let marks = self.bits.get_mut(object);
        let new = *marks & mark.0 != mark.0;
        *marks |= mark.0;
        new
    }

    /// Removes some marks from an object.
    #[inline]
    pub fn clear(&mut self, object: ObjectRef, mark: Mark) {
        *self.bits.get_mut(object) &= !mark.0;
    }
}

impl Many {
    #[inline]
    fn have(&self, object: ObjectRef, mark: Mark) -> bool {
        let is_set = |which: usize| *self.last[which].get(object) >= self.first;
        (0..REMEMBERED_MARKS).any(|which| mark.0 & remembered(which).0 != 0 && is_set(which))
    }
}

/// Returns one of the marks that are stored with the number of a failure.
#[inline]
const fn remembered(which: usize) -> Mark {
    Mark(Mark::WENT_DOWN.0 << which)
}

/// An entry for each slot of each kind.
#[derive(Debug)]
pub(super) struct PerObject<T>(Vec<Vec<T>>);

impl<T: Clone + Default> PerObject<T> {
    /// Returns a table with a default entry for every slot.
    pub fn of(snapshot: &Snapshot) -> Self {
        let slots = |kind: KindId| snapshot.table(kind).slots() as usize;
        Self(snapshot.registry().kinds().map(|kind| vec![T::default(); slots(kind.id)]).collect())
    }

    #[inline]
    pub fn get(&self, object: ObjectRef) -> &T {
        &self.0[usize::from(object.kind.0)][object.slot as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, object: ObjectRef) -> &mut T {
        &mut self.0[usize::from(object.kind.0)][object.slot as usize]
    }
}
