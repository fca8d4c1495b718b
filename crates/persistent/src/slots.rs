//! Sets of slots: objects of one kind that share a key of an index, such as a name or a revision.

use std::sync::Arc;

use crate::index::Index;

/// The maximum number of slots in a set that is stored as one slice.
const MAX_SLICE_SLOTS: usize = 32;

/// An ordered set of slots, in the smallest form for its size.
#[derive(Clone, Debug)]
pub enum Slots {
    One(u32),
    Few(Arc<[u32]>),
    Many(Arc<Index<u32, ()>>),
}

/// The content of a set after a removal: empty or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    None,
    Some,
}

impl Slots {
    /// Returns all slots in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + Send + '_ {
        let (slice, many) = match self {
            Self::One(slot) => (std::slice::from_ref(slot), None),
            Self::Few(slots) => (&slots[..], None),
            Self::Many(slots) => (&[][..], Some(slots)),
        };
        slice.iter().copied().chain(many.into_iter().flat_map(|slots| slots.iter()).map(|(slot, ())| *slot))
    }

    /// Returns a set of sorted slots. There must be at least one.
    pub fn of(slots: Vec<u32>) -> Self {
        match slots.as_slice() {
            [slot] => Self::One(*slot),
            slots if slots.len() <= MAX_SLICE_SLOTS => Self::Few(slots.into()),
            _ => Self::many(slots),
        }
    }

    /// Returns the number of slots.
    pub fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Few(slots) => slots.len(),
            Self::Many(slots) => slots.len(),
        }
    }

    /// Adds a slot to the set of a key in an index.
    pub fn add_to<K: Ord + Clone>(index: &mut Index<K, Self>, key: K, slot: u32) {
        match index.get_mut(&key) {
            Some(slots) => slots.insert(slot),
            None => drop(index.insert(key, Self::One(slot))),
        }
    }

    /// Removes a slot from the set of a key in an index. Removes the key if its set becomes empty.
    pub fn take_from<K: Ord + Clone>(index: &mut Index<K, Self>, key: &K, slot: u32) {
        if let Some(slots) = index.get_mut(key)
            && slots.remove(slot) == Left::None
        {
            index.remove(key);
        }
    }

    fn insert(&mut self, slot: u32) {
        match self {
            Self::One(there) if *there == slot => {}
            Self::One(there) => *self = Self::Few(Arc::new([slot.min(*there), slot.max(*there)])),
            Self::Few(slots) => {
                let Err(at) = slots.binary_search(&slot) else { return };
                let wider = [&slots[..at], &[slot], &slots[at..]].concat();
                *self = if wider.len() <= MAX_SLICE_SLOTS { Self::Few(wider.into()) } else { Self::many(wider) };
            }
            Self::Many(slots) => {
                Arc::make_mut(slots).insert(slot, ());
            }
        }
    }

    fn many(slots: Vec<u32>) -> Self {
        Self::Many(Arc::new(slots.into_iter().map(|slot| (slot, ())).collect()))
    }

    /// Removes a slot. A set that becomes empty must not be used any more.
    fn remove(&mut self, slot: u32) -> Left {
        if let Self::Many(slots) = self
            && slots.len() > MAX_SLICE_SLOTS / 2
        {
            Arc::make_mut(slots).remove(&slot);
            return Left::Some;
        }
        let left: Vec<u32> = self.iter().filter(|there| *there != slot).collect();
        *self = match left.as_slice() {
            [] => return Left::None,
            [slot] => Self::One(*slot),
            _ => Self::Few(left.into()),
        };
        Left::Some
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_slots_grows_and_shrinks_through_all_its_forms() {
        let mut slots = Slots::One(500);
        for slot in (0..1000).rev() {
            slots.insert(slot);
            slots.insert(slot);
        }
        assert!(matches!(slots, Slots::Many(_)));
        assert_eq!(slots.iter().collect::<Vec<_>>(), (0..1000).collect::<Vec<_>>());
        for slot in 0..999 {
            assert_eq!(slots.remove(slot), Left::Some);
            assert_eq!(slots.count(), 999 - slot as usize);
        }
        assert!(matches!(slots, Slots::One(999)));
        assert_eq!(slots.remove(999), Left::None);
    }
}
