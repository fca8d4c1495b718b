//! A persistent ordered map, for indexes and large sets: a clone is cheap, and a change does not affect earlier clones.
//!
//! The map is a B+ tree whose nodes are slices of exactly the length of their content. An index therefore needs little
//! more memory than its entries, whatever their order of insertion. A clone costs a reference count. A change copies
//! the slices on the path to one entry, or changes them in place if no clone shares them. Ids and keys mostly grow at
//! one end, or each group of keys at its own end. A full slice is therefore split at the insertion point, and the left
//! part stays as full as it was.

mod change;
mod range;

use std::borrow::Borrow;
use std::fmt;
use std::mem;
use std::ops::RangeBounds;
use std::sync::Arc;

pub use range::Range;

/// The maximum size of the content of a slice, in bytes. With its two reference counts a slice has a size class of
/// common allocators. Entries of keys, names and ids fit without a remainder.
const SLICE_BYTES: usize = 1008;

/// Returns the maximum number of elements in a slice.
const fn most<T>() -> usize {
    let most = SLICE_BYTES / size_of::<T>();
    if most < 4 { 4 } else { most }
}

/// A persistent ordered map whose clone costs one reference count.
pub struct Index<K, V> {
    root: Option<Node<K, V>>,
    len: usize,
}

/// A node of the tree. All leaves have the same depth, and no slice is empty after a change.
enum Node<K, V> {
    /// The entries in the order of their keys.
    Leaf(Arc<[(K, V)]>),
    Inner(Arc<[Child<K, V>]>),
}

/// A child with its lower bound: keys below the bound are in the children before it. The bound of a first child is
/// never compared.
type Child<K, V> = (K, Node<K, V>);

impl<K, V> Clone for Node<K, V> {
    fn clone(&self) -> Self {
        match self {
            Self::Leaf(entries) => Self::Leaf(Arc::clone(entries)),
            Self::Inner(children) => Self::Inner(Arc::clone(children)),
        }
    }
}

impl<K, V> Clone for Index<K, V> {
    fn clone(&self) -> Self {
        Self { root: self.root.clone(), len: self.len }
    }
}

impl<K, V> Default for Index<K, V> {
    fn default() -> Self {
        Self { root: None, len: 0 }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Index<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(Range::of(self.root.as_ref())).finish()
    }
}

/// Returns the index of the child that holds a key, if any child does.
fn child_of<K: Borrow<Q>, V, Q: Ord + ?Sized>(children: &[Child<K, V>], key: &Q) -> usize {
    last_child(children, |bound| bound.borrow() <= key)
}

/// Returns the index of the last child whose bound fulfils the condition, or 0 if there is none. The bound of the first
/// child is not checked, because it can be out of order.
fn last_child<K, V>(children: &[Child<K, V>], is_so: impl Fn(&K) -> bool) -> usize {
    children[1..].partition_point(|(bound, _)| is_so(bound))
}

/// Returns the index of a key among the entries, or its insertion point as the error.
fn entry_of<K: Borrow<Q>, V, Q: Ord + ?Sized>(entries: &[(K, V)], key: &Q) -> Result<usize, usize> {
    entries.binary_search_by(|(there, _)| there.borrow().cmp(key))
}

impl<K, V> Index<K, V> {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the index has no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut node = self.root.as_ref()?;
        loop {
            match node {
                Node::Inner(children) => node = &children[child_of(children, key)].1,
                Node::Leaf(entries) => return entry_of(entries, key).ok().map(|at| &entries[at].1),
            }
        }
    }

    /// Returns true if the key is present.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Returns all entries in the order of their keys.
    pub fn iter(&self) -> Range<'_, K, V> {
        Range::of(self.root.as_ref())
    }

    /// Returns the entries whose keys are in a range, in order.
    pub fn range<Q: Ord + ?Sized>(&self, keys: impl RangeBounds<Q>) -> Range<'_, K, V>
    where
        K: Borrow<Q>,
    {
        Range::within(self.root.as_ref(), keys)
    }

    /// Returns the entry with the highest key.
    pub fn last(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }
}

/// Builds an index from entries in any order; sorted entries are the cheapest. If a key occurs more than once, the last
/// value is kept.
impl<K: Clone + Ord, V> FromIterator<(K, V)> for Index<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut entries: Vec<(K, V)> = entries.into_iter().collect();
        entries.sort_by(|left, right| left.0.cmp(&right.0));
        entries.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                mem::swap(later, earlier);
            }
            same
        });
        let len = entries.len();
        let mut level = cut(entries.into_iter(), |entries| (entries[0].0.clone(), Node::Leaf(entries)));
        while level.len() > 1 {
            level = cut(level.into_iter(), |children| (children[0].0.clone(), Node::Inner(children)));
        }
        Self { root: level.pop().map(|(_, root)| root), len }
    }
}

/// Splits a row of entries or children into full slices, and makes a node of each.
fn cut<T, N>(mut row: impl Iterator<Item = T>, make: impl Fn(Arc<[T]>) -> N) -> Vec<N> {
    let slices = std::iter::from_fn(|| {
        let slice: Arc<[T]> = row.by_ref().take(most::<T>()).collect::<Vec<_>>().into();
        (!slice.is_empty()).then_some(slice)
    });
    slices.map(make).collect()
}

#[cfg(test)]
mod tests;
