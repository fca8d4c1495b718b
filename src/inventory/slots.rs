//! Sets of objects of one kind in the indexes that many objects share an entry of: a name, a revision.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

/// A set of up to this many slots is kept as one slice.
const FEW: usize = 32;

/// A set of slots, in order.
#[derive(Clone, Debug)]
pub enum Slots {
    One(u32),
    Few(Arc<[u32]>),
    Many(OrdSet<u32>),
}

impl Slots {
    /// All slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + Send + '_ {
        let (slice, many) = match self {
            Self::One(slot) => (std::slice::from_ref(slot), None),
            Self::Few(slots) => (&slots[..], None),
            Self::Many(slots) => (&[][..], Some(slots)),
        };
        slice.iter().copied().chain(many.into_iter().flatten().copied())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Few(slots) => slots.len(),
            Self::Many(slots) => slots.len(),
        }
    }

    /// Adds a slot to the set that an index has under a key.
    pub(super) fn add_to<K: Ord + Clone>(index: &mut OrdMap<K, Self>, key: K, slot: u32) {
        match index.get_mut(&key) {
            Some(slots) => slots.insert(slot),
            None => drop(index.insert(key, Self::One(slot))),
        }
    }

    /// Takes a slot out of the set that an index has under a key; an empty set goes.
    pub(super) fn take_from<K: Ord + Clone>(index: &mut OrdMap<K, Self>, key: &K, slot: u32) {
        let Some(slots) = index.get_mut(key) else { return };
        match slots.without(slot) {
            Some(left) => *slots = left,
            None => drop(index.remove(key)),
        }
    }

    fn insert(&mut self, slot: u32) {
        match self {
            Self::One(there) if *there == slot => {}
            Self::One(there) => *self = Self::Few(Arc::new([slot.min(*there), slot.max(*there)])),
            Self::Few(slots) => {
                let Err(at) = slots.binary_search(&slot) else { return };
                let wider = [&slots[..at], &[slot], &slots[at..]].concat();
                *self =
                    if wider.len() <= FEW { Self::Few(wider.into()) } else { Self::Many(wider.into_iter().collect()) };
            }
            Self::Many(slots) => {
                slots.insert(slot);
            }
        }
    }

    /// The set without a slot; `None` when it was the last.
    fn without(&self, slot: u32) -> Option<Self> {
        let left: Vec<u32> = match self {
            Self::Many(slots) if slots.len() > FEW / 2 => return Some(Self::Many(slots.without(&slot))),
            slots => slots.iter().filter(|there| *there != slot).collect(),
        };
        match left.as_slice() {
            [] => None,
            [slot] => Some(Self::One(*slot)),
            _ => Some(Self::Few(left.into())),
        }
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
            slots = slots.without(slot).expect("not the last");
            assert_eq!(slots.count(), 999 - slot as usize);
        }
        assert!(matches!(slots, Slots::One(999)));
        assert!(slots.without(999).is_none());
    }
}
