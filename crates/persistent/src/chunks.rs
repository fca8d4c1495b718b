//! A persistent array: a clone is cheap, and a change does not affect earlier clones.
//!
//! The array has four levels of chunks, each behind an `Arc`. A clone costs one reference count, and a change copies
//! only the chunks on the path to one element. Only the first level grows with the array, by one pointer for each 2,048
//! elements. Values are stored in their chunk itself, so reading an uncached value costs one cache miss. An element
//! that was never set, or is past the end, has the default value.

use std::sync::Arc;

/// The size of each level. A change copies one chunk of each level and touches the reference counts of everything in
/// it, most of which are not cached. Narrow chunks therefore cost less.
const LEAF_BITS: usize = 3;
const LEAF_SLOTS: usize = 1 << LEAF_BITS;
const NODE_BITS: usize = 4;
const NODE_SLOTS: usize = 1 << NODE_BITS;
const NODE_MASK: usize = NODE_SLOTS - 1;

/// The number of index bits below each level.
const TWIG_AT: usize = LEAF_BITS;
const BRANCH_AT: usize = TWIG_AT + NODE_BITS;
const ROOT_AT: usize = BRANCH_AT + NODE_BITS;

type Node<T> = [Option<Arc<T>>; NODE_SLOTS];
type Leaf<T> = [T; LEAF_SLOTS];
type Twig<T> = Node<Leaf<T>>;
type Branch<T> = Node<Twig<T>>;

/// A persistent array whose clone costs one reference count.
#[derive(Debug)]
pub struct Chunks<T> {
    root: Arc<Vec<Option<Arc<Branch<T>>>>>,
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
    /// Returns the element at an index, or `None` if no element of its chunk was set.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        let branch = self.root.get(index >> ROOT_AT)?.as_ref()?;
        let twig = branch[(index >> BRANCH_AT) & NODE_MASK].as_ref()?;
        let leaf = twig[(index >> TWIG_AT) & NODE_MASK].as_ref()?;
        Some(&leaf[index & (LEAF_SLOTS - 1)])
    }

    /// Returns all elements from an index on, except those in chunks where no element was set.
    pub fn from(&self, first: usize) -> impl Iterator<Item = (usize, &T)> {
        let branches = self.root.iter().enumerate().skip(first >> ROOT_AT);
        let twigs = branches.flat_map(|(at, branch)| children(at, branch.as_deref()));
        let leaves =
            twigs.filter(move |(at, _)| *at >= first >> BRANCH_AT).flat_map(|(at, twig)| children(at, Some(twig)));
        leaves.filter(move |(at, _)| *at >= first >> TWIG_AT).flat_map(move |(at, leaf)| {
            let start = at << LEAF_BITS;
            let values = leaf.iter().enumerate().skip(first.saturating_sub(start));
            values.map(move |(low, value)| (start | low, value))
        })
    }
}

/// Returns the children of a node, each with its number within its level.
fn children<T>(at: usize, node: Option<&Node<T>>) -> impl Iterator<Item = (usize, &T)> {
    let numbered = node.into_iter().flatten().enumerate();
    numbered.filter_map(move |(low, child)| Some((at << NODE_BITS | low, child.as_deref()?)))
}

impl<T: Default> FromIterator<T> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let leaves =
            gather(values.into_iter(), |values| Arc::new(std::array::from_fn(|_| values.next().unwrap_or_default())));
        let twigs = gather(leaves.into_iter(), node);
        let branches = gather(twigs.into_iter(), node);
        Self { root: Arc::new(branches.into_iter().map(Some).collect()) }
    }
}

/// Calls `make` until all values are used up, and collects the results.
fn gather<T, N>(values: impl Iterator<Item = T>, make: impl Fn(&mut dyn Iterator<Item = T>) -> N) -> Vec<N> {
    let mut values = values.peekable();
    std::iter::from_fn(|| values.peek().is_some().then(|| make(&mut values))).collect()
}

fn node<T>(children: &mut dyn Iterator<Item = Arc<T>>) -> Arc<Node<T>> {
    Arc::new(std::array::from_fn(|_| children.next()))
}

impl<T: Clone + Default> Chunks<T> {
    /// Returns a mutable reference to the element at an index.
    pub fn get_mut(&mut self, index: usize) -> &mut T {
        let root = Arc::make_mut(&mut self.root);
        let at = index >> ROOT_AT;
        if root.len() <= at {
            root.resize(at + 1, None);
        }
        let branch = own(&mut root[at], || std::array::from_fn(|_| None));
        let twig = own(&mut branch[(index >> BRANCH_AT) & NODE_MASK], || std::array::from_fn(|_| None));
        let leaf = own(&mut twig[(index >> TWIG_AT) & NODE_MASK], || std::array::from_fn(|_| T::default()));
        &mut leaf[index & (LEAF_SLOTS - 1)]
    }
}

/// Returns a node that no other clone shares, for changing it.
fn own<T: Clone>(node: &mut Option<Arc<T>>, new: impl FnOnce() -> T) -> &mut T {
    Arc::make_mut(node.get_or_insert_with(|| Arc::new(new())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn present(chunks: &Chunks<usize>, from: usize) -> Vec<usize> {
        chunks.from(from).filter(|(_, value)| **value > 0).map(|(index, _)| index).collect()
    }

    #[test]
    fn a_change_does_not_affect_earlier_clones() {
        let mut first = Chunks::default();
        for index in [0, 7, 8, 2_047, 2_048, 3_000_000] {
            *first.get_mut(index) = index + 1;
        }
        let mut second = first.clone();
        assert_eq!(std::mem::take(second.get_mut(8)), 9);
        *second.get_mut(5) = 7;
        assert_eq!(first.get(8), Some(&9));
        assert_eq!(first.get(5), Some(&0));
        assert_eq!(second.get(8), Some(&0));
        assert_eq!(second.get(100_000), None);
        assert_eq!(second.get(100_000_000), None);
        assert_eq!(present(&first, 0), [0, 7, 8, 2_047, 2_048, 3_000_000]);
        assert_eq!(present(&second, 0), [0, 5, 7, 2_047, 2_048, 3_000_000]);
    }

    #[test]
    fn building_at_once_equals_adding_one_by_one() {
        for length in [0, 1, 7, 8, 9, 127, 128, 129, 2_048, 2_049, 40_000] {
            let values = (0..length).map(|index| index % 3);
            let all: Chunks<usize> = values.clone().collect();
            let mut single = Chunks::default();
            for (index, value) in values.enumerate() {
                *single.get_mut(index) = value;
            }
            assert!(all.from(0).eq(single.from(0)), "{length}");
            assert_eq!(all.get(length.next_multiple_of(LEAF_SLOTS)), None, "{length}");
        }
    }

    #[test]
    fn iteration_starts_where_it_is_asked_to() {
        let table: Chunks<usize> = (1..=40_000).collect();
        for first in [0, 1, 7, 8, 9, 127, 128, 2_047, 2_048, 20_000, 39_999, 40_000] {
            assert_eq!(present(&table, first), (first..40_000).collect::<Vec<_>>(), "from {first}");
        }
    }
}
