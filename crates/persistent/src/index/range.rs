//! Iterates over an index, from both ends.

use std::borrow::Borrow;
use std::ops::{Bound, RangeBounds};

use super::{Child, Node, last_child};

/// An iterator over the remaining entries, between two cursors that are both included.
pub struct Range<'a, K, V> {
    ends: Option<(Cursor<'a, K, V>, Cursor<'a, K, V>)>,
}

/// The position of an entry in the tree.
struct Cursor<'a, K, V> {
    /// The inner nodes on the path to the entry, each with the index of the child.
    way: Vec<(&'a [Child<K, V>], usize)>,
    leaf: &'a [(K, V)],
    at: usize,
}

/// The direction of a step.
#[derive(Clone, Copy)]
enum Toward {
    First,
    Last,
}

impl<'a, K, V> Range<'a, K, V> {
    /// Returns an iterator over all entries.
    pub(super) fn of(root: Option<&'a Node<K, V>>) -> Self {
        let ends = root.and_then(|root| Some((Cursor::before(root, |_| false)?, Cursor::last(root, |_| true)?)));
        Self { ends }
    }

    /// Returns an iterator over the entries with keys in a range.
    pub(super) fn within<Q: Ord + ?Sized>(root: Option<&'a Node<K, V>>, keys: impl RangeBounds<Q>) -> Self
    where
        K: Borrow<Q>,
    {
        let too_low = |key: &K| match keys.start_bound() {
            Bound::Included(start) => key.borrow() < start,
            Bound::Excluded(start) => key.borrow() <= start,
            Bound::Unbounded => false,
        };
        let low_enough = |key: &K| match keys.end_bound() {
            Bound::Included(end) => key.borrow() <= end,
            Bound::Excluded(end) => key.borrow() < end,
            Bound::Unbounded => true,
        };
        let ends = root.and_then(|root| Some((Cursor::before(root, too_low)?, Cursor::last(root, low_enough)?)));
        Self { ends: ends.filter(|(first, last)| first.key().borrow() <= last.key().borrow()) }
    }

    /// Takes the next entry from one end.
    fn take(&mut self, from: Toward) -> Option<(&'a K, &'a V)> {
        let (first, last) = self.ends.as_mut()?;
        let is_only = std::ptr::eq(first.entry(), last.entry());
        let (cursor, onward) = match from {
            Toward::First => (first, Toward::Last),
            Toward::Last => (last, Toward::First),
        };
        let (key, value) = cursor.entry();
        if is_only || !cursor.step(onward) {
            self.ends = None;
        }
        Some((key, value))
    }
}

impl<'a, K, V> Iterator for Range<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.take(Toward::First)
    }
}

impl<K, V> DoubleEndedIterator for Range<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.take(Toward::Last)
    }
}

impl<'a, K, V> Cursor<'a, K, V> {
    /// Returns a cursor at the first entry whose key does not fulfil `is_below`.
    fn before(root: &'a Node<K, V>, is_below: impl Fn(&K) -> bool) -> Option<Self> {
        let mut cursor = Self::parting(root, is_below);
        (cursor.at < cursor.leaf.len() || cursor.leave(Toward::Last)).then_some(cursor)
    }

    /// Returns a cursor at the last entry whose key fulfils `is_below`.
    fn last(root: &'a Node<K, V>, is_below: impl Fn(&K) -> bool) -> Option<Self> {
        let mut cursor = Self::parting(root, is_below);
        cursor.step(Toward::First).then_some(cursor)
    }

    /// Returns the position after the last key that fulfils `is_below`, in the leaf of that key. This can be the end of
    /// the leaf.
    fn parting(mut node: &'a Node<K, V>, is_below: impl Fn(&K) -> bool) -> Self {
        let mut way = Vec::new();
        loop {
            match node {
                Node::Inner(children) => {
                    let at = last_child(children, &is_below);
                    way.push((&**children, at));
                    node = &children[at].1;
                }
                Node::Leaf(leaf) => {
                    let at = leaf.partition_point(|(key, _)| is_below(key));
                    return Self { way, leaf, at };
                }
            }
        }
    }

    fn entry(&self) -> &'a (K, V) {
        &self.leaf[self.at]
    }

    fn key(&self) -> &'a K {
        &self.entry().0
    }

    /// Moves by one entry. Returns false at the end of the index.
    fn step(&mut self, toward: Toward) -> bool {
        let next = match toward {
            Toward::First => self.at.checked_sub(1),
            Toward::Last => Some(self.at + 1).filter(|at| *at < self.leaf.len()),
        };
        match next {
            Some(at) => {
                self.at = at;
                true
            }
            None => self.leave(toward),
        }
    }

    /// Moves to the neighbouring leaf. Returns false if there is none.
    fn leave(&mut self, toward: Toward) -> bool {
        while let Some((children, at)) = self.way.pop() {
            let next = match toward {
                Toward::First => at.checked_sub(1),
                Toward::Last => Some(at + 1).filter(|at| *at < children.len()),
            };
            if let Some(at) = next {
                self.way.push((children, at));
                self.descend(&children[at].1, toward);
                return true;
            }
        }
        false
    }

    /// Descends to the entry of a node that is nearest to where the cursor comes from.
    fn descend(&mut self, mut node: &'a Node<K, V>, toward: Toward) {
        let near = |len: usize| match toward {
            Toward::First => len - 1,
            Toward::Last => 0,
        };
        loop {
            match node {
                Node::Inner(children) => {
                    let at = near(children.len());
                    self.way.push((&**children, at));
                    node = &children[at].1;
                }
                Node::Leaf(leaf) => {
                    (self.leaf, self.at) = (&**leaf, near(leaf.len()));
                    return;
                }
            }
        }
    }
}
