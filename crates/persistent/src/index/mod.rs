//! A persistent ordered map, for indexes and large sets.
//!
//! A B+ tree whose nodes are slices, each exactly as long as what is in it: an index takes little more memory than its
//! entries, however they came. A clone costs a reference count, a change makes the slices on the way to one entry anew,
//! or, where nobody else has them, changes them in place. Ids and keys mostly grow at one end, or each group at its own:
//! a full slice is cut where the new entry comes in, and what is before that stays as full as it was.

mod change;
mod range;

use std::borrow::Borrow;
use std::fmt;
use std::mem;
use std::ops::RangeBounds;
use std::sync::Arc;

pub use range::Range;

/// How large the content of a slice gets, in bytes. With the two counts before it that is a size that allocators have,
/// and the entries of keys, names and ids fit into it without a remainder.
const SLICE: usize = 1008;

/// How many of these a slice has at most.
const fn most<T>() -> usize {
    let most = SLICE / size_of::<T>();
    if most < 4 { 4 } else { most }
}

/// A persistent ordered map.
pub struct Index<K, V> {
    root: Option<Node<K, V>>,
    len: usize,
}

/// A part of the tree; all leaves are equally deep, and no slice is empty when a change is done.
enum Node<K, V> {
    /// Entries, in order.
    Leaf(Arc<[(K, V)]>),
    Inner(Arc<[Child<K, V>]>),
}

/// A child, with a bound: its keys are not below it, and those of the child before it are. What the bound of the first
/// child says is not asked.
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

/// The child in which a key is, if it is there.
fn child_of<K: Borrow<Q>, V, Q: Ord + ?Sized>(children: &[Child<K, V>], key: &Q) -> usize {
    last_child(children, |bound| bound.borrow() <= key)
}

/// The last child of whose bound something is true; the first, if of none. The bound of the first may be out of order.
fn last_child<K, V>(children: &[Child<K, V>], is_so: impl Fn(&K) -> bool) -> usize {
    children[1..].partition_point(|(bound, _)| is_so(bound))
}

/// Where a key is among entries, or would be.
fn entry_of<K: Borrow<Q>, V, Q: Ord + ?Sized>(entries: &[(K, V)], key: &Q) -> Result<usize, usize> {
    entries.binary_search_by(|(there, _)| there.borrow().cmp(key))
}

impl<K, V> Index<K, V> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What a key has.
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

    /// Whether a key is there.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// All entries, in order.
    pub fn iter(&self) -> Range<'_, K, V> {
        Range::of(self.root.as_ref())
    }

    /// The entries whose keys are in a range, in order.
    pub fn range<Q: Ord + ?Sized>(&self, keys: impl RangeBounds<Q>) -> Range<'_, K, V>
    where
        K: Borrow<Q>,
    {
        Range::within(self.root.as_ref(), keys)
    }

    /// The entry with the highest key.
    pub fn last(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }
}

/// An index of entries in any order; in order costs least. A key has the value that comes last.
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

/// Cuts a row of entries or children into full slices, and makes something of each.
fn cut<T, N>(mut row: impl Iterator<Item = T>, make: impl Fn(Arc<[T]>) -> N) -> Vec<N> {
    let slices = std::iter::from_fn(|| {
        let slice: Arc<[T]> = row.by_ref().take(most::<T>()).collect::<Vec<_>>().into();
        (!slice.is_empty()).then_some(slice)
    });
    slices.map(make).collect()
}

#[cfg(test)]
mod tests;
