//! A persistent array: the table of a kind.
//!
//! Three levels of chunks, each behind an `Arc`, so that a clone costs one reference count and a change copies the
//! chunks on the way to one place. The first level alone grows with the table, by one pointer for each 4,096 places.
//! What is past the end reads as `None`.

use std::sync::Arc;

/// A change copies one leaf, with a reference count for each row in it: narrow ones cost less.
const LEAF_BITS: usize = 5;
const LEAF: usize = 1 << LEAF_BITS;
const BRANCH_BITS: usize = 7;
const BRANCH: usize = 1 << BRANCH_BITS;

type Leaf<T> = Vec<Option<T>>;
type Branch<T> = Vec<Arc<Leaf<T>>>;

/// A persistent array of optional values.
#[derive(Debug)]
pub struct Chunks<T> {
    root: Arc<Vec<Arc<Branch<T>>>>,
}

impl<T> Clone for Chunks<T> {
    fn clone(&self) -> Self {
        Self { root: Arc::clone(&self.root) }
    }
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { root: Arc::default() }
    }
}

impl<T> Chunks<T> {
    /// What stands at a place.
    #[inline]
    pub fn get(&self, place: usize) -> Option<&T> {
        let branch = self.root.get(place >> (LEAF_BITS + BRANCH_BITS))?;
        let leaf = branch.get((place >> LEAF_BITS) & (BRANCH - 1))?;
        leaf.get(place & (LEAF - 1))?.as_ref()
    }

    /// All places at or after a place that hold something.
    pub fn from(&self, first: usize) -> impl Iterator<Item = (usize, &T)> {
        let outer = first >> (LEAF_BITS + BRANCH_BITS);
        self.root.iter().enumerate().skip(outer).flat_map(move |(high, branch)| {
            branch.iter().enumerate().flat_map(move |(middle, leaf)| {
                let start = (high << (LEAF_BITS + BRANCH_BITS)) | (middle << LEAF_BITS);
                let skip = first.saturating_sub(start).min(LEAF);
                leaf.iter()
                    .enumerate()
                    .skip(skip)
                    .filter_map(move |(low, value)| value.as_ref().map(|value| (start | low, value)))
            })
        })
    }
}

impl<T> FromIterator<Option<T>> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(values: I) -> Self {
        let (mut root, mut branch, mut leaf) = (Vec::new(), Vec::new(), Vec::with_capacity(LEAF));
        for value in values {
            leaf.push(value);
            if leaf.len() == LEAF {
                branch.push(Arc::new(std::mem::replace(&mut leaf, Vec::with_capacity(LEAF))));
            }
            if branch.len() == BRANCH {
                root.push(Arc::new(std::mem::take(&mut branch)));
            }
        }
        if !leaf.is_empty() {
            branch.push(Arc::new(leaf));
        }
        if !branch.is_empty() {
            root.push(Arc::new(branch));
        }
        Self { root: Arc::new(root) }
    }
}

impl<T: Clone> Chunks<T> {
    /// Puts a value at a place, or clears it; gives what was there.
    pub fn set(&mut self, place: usize, value: Option<T>) -> Option<T> {
        let branch = Arc::make_mut(reach(Arc::make_mut(&mut self.root), place >> (LEAF_BITS + BRANCH_BITS)));
        let leaf = Arc::make_mut(reach(branch, (place >> LEAF_BITS) & (BRANCH - 1)));
        let slot = reach(leaf, place & (LEAF - 1));
        std::mem::replace(slot, value)
    }
}

fn reach<T: Default>(list: &mut Vec<T>, place: usize) -> &mut T {
    if list.len() <= place {
        list.resize_with(place + 1, T::default);
    }
    &mut list[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_leaves_the_earlier_value_alone() {
        let mut first = Chunks::default();
        for place in [0, 127, 128, 16_383, 16_384, 3_000_000] {
            first.set(place, Some(place));
        }
        let mut second = first.clone();
        assert_eq!(second.set(128, None), Some(128));
        second.set(5, Some(7));
        assert_eq!(first.get(128), Some(&128));
        assert_eq!(first.get(5), None);
        assert_eq!(second.get(128), None);
        let places: Vec<_> = second.from(0).map(|(place, _)| place).collect();
        assert_eq!(places, [0, 5, 127, 16_383, 16_384, 3_000_000]);
    }

    #[test]
    fn all_at_once_is_the_same_as_one_by_one() {
        for length in [0, 1, 31, 32, 33, 4_096, 4_097, 40_000] {
            let values = (0..length).map(|place| (place % 3 != 0).then_some(place));
            let all: Chunks<usize> = values.clone().collect();
            let mut single = Chunks::default();
            for (place, value) in values.enumerate() {
                single.set(place, value);
            }
            assert!(all.from(0).eq(single.from(0)), "{length}");
            assert_eq!(all.get(length), None, "{length}");
        }
    }

    #[test]
    fn iteration_starts_where_it_is_asked_to() {
        let mut table = Chunks::default();
        for place in 0..40_000 {
            table.set(place, Some(place));
        }
        for first in [0, 1, 63, 64, 65, 127, 8_191, 8_192, 20_000, 39_999, 40_000] {
            let places: Vec<_> = table.from(first).map(|(place, _)| place).collect();
            assert_eq!(places, (first..40_000).collect::<Vec<_>>(), "from {first}");
        }
    }
}
