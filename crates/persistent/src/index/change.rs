//! Changes an index: adds, replaces and removes entries.

use std::borrow::Borrow;
use std::mem;
use std::sync::Arc;

use super::{Child, Index, Node, child_of, entry_of, most};

/// The result of adding an entry to a node.
enum Added<K, V> {
    /// The key was present with this value.
    Replaced(V),
    /// The entry was added.
    New,
    /// The entry was added, and the node was split. This child must be inserted to the right of the node.
    Split(Child<K, V>),
}

impl<K: Ord + Clone, V: Clone> Index<K, V> {
    /// Returns a mutable reference to the value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let mut node = self.root.as_mut()?;
        loop {
            match node {
                Node::Inner(children) => {
                    let at = child_of(children, key);
                    node = &mut Arc::make_mut(children)[at].1;
                }
                Node::Leaf(entries) => {
                    let at = entry_of(entries, key).ok()?;
                    return Some(&mut Arc::make_mut(entries)[at].1);
                }
            }
        }
    }

    /// Sets the value of a key, and returns the old value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let Some(root) = &mut self.root else {
            self.root = Some(Node::Leaf(Arc::new([(key, value)])));
            self.len = 1;
            return None;
        };
        let right = match root.insert(key, value) {
            Added::Replaced(before) => return Some(before),
            Added::New => None,
            Added::Split(right) => Some(right),
        };
        self.len += 1;
        if let Some(right) = right {
            let left = (right.0.clone(), root.clone());
            *root = Node::Inner(Arc::new([left, right]));
        }
        None
    }

    /// Removes a key, and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let root = self.root.as_mut()?;
        let removed = root.remove(key);
        while let Node::Inner(children) = &*root
            && let [(_, only)] = &**children
        {
            *root = only.clone();
        }
        if root.width() == 0 {
            self.root = None;
        }
        self.len -= usize::from(removed.is_some());
        removed
    }
}

impl<K: Ord + Clone, V: Clone> Node<K, V> {
    fn insert(&mut self, key: K, value: V) -> Added<K, V> {
        match self {
            Self::Leaf(entries) => match entry_of(entries, &key) {
                Ok(at) => Added::Replaced(mem::replace(&mut Arc::make_mut(entries)[at].1, value)),
                Err(at) => match widen(entries, at, (key, value)) {
                    None => Added::New,
                    Some(right) => Added::Split((right[0].0.clone(), Self::Leaf(right))),
                },
            },
            Self::Inner(children) => {
                let at = child_of(children, &key);
                match Arc::make_mut(children)[at].1.insert(key, value) {
                    Added::Split(right) => match widen(children, at + 1, right) {
                        None => Added::New,
                        Some(right) => Added::Split((right[0].0.clone(), Self::Inner(right))),
                    },
                    added => added,
                }
            }
        }
    }

    fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        match self {
            Self::Leaf(entries) => {
                let at = entry_of(entries, key).ok()?;
                let removed = entries[at].1.clone();
                *entries = joined([&entries[..at], &entries[at + 1..]]);
                Some(removed)
            }
            Self::Inner(children) => {
                let at = child_of(children, key);
                let removed = Arc::make_mut(children)[at].1.remove(key);
                mend(children, at);
                removed
            }
        }
    }

    /// Returns the number of entries or children of the node itself.
    fn width(&self) -> usize {
        match self {
            Self::Leaf(entries) => entries.len(),
            Self::Inner(children) => children.len(),
        }
    }

    /// Returns the maximum number of entries or children.
    fn most(&self) -> usize {
        match self {
            Self::Leaf(_) => most::<(K, V)>(),
            Self::Inner(_) => most::<Child<K, V>>(),
        }
    }
}

/// Inserts an element into a slice. If the slice is full, returns the elements that must go into a new slice to its
/// right.
///
/// A full slice is split at the insertion point, not in the middle. The next element mostly comes after the new one, so
/// the left slice stays full.
fn widen<T: Clone>(slice: &mut Arc<[T]>, at: usize, new: T) -> Option<Arc<[T]>> {
    let (left, right) = slice.split_at(at);
    if slice.len() < most::<T>() {
        *slice = joined([left, &[new], right]);
        None
    } else if right.is_empty() {
        Some(Arc::new([new]))
    } else {
        let right = right.into();
        *slice = joined([left, &[new], &[]]);
        Some(right)
    }
}

/// Joins several slices to one. It copies slice by slice, because plain numbers are then copied in bulk.
fn joined<T: Clone, const PARTS: usize>(parts: [&[T]; PARTS]) -> Arc<[T]> {
    parts.concat().into()
}

/// Removes a child that has become empty. Joins a child that has become small with a neighbour if the two fit.
fn mend<K: Ord + Clone, V: Clone>(children: &mut Arc<[Child<K, V>]>, at: usize) {
    let (width, most) = (children[at].1.width(), children[at].1.most());
    if width == 0 {
        *children = joined([&children[..at], &children[at + 1..]]);
    } else if width < most / 4 {
        let fits = |left: usize| {
            let pair = children.get(left..left + 2)?;
            (pair[0].1.width() + pair[1].1.width() <= most * 3 / 4).then_some(left)
        };
        if let Some(left) = fits(at).or_else(|| fits(at.checked_sub(1)?)) {
            join(children, left);
        }
    }
}

/// Joins a child with its right neighbour.
fn join<K: Ord + Clone, V: Clone>(children: &mut Arc<[Child<K, V>]>, left: usize) {
    let node = match (&children[left].1, &children[left + 1]) {
        (Node::Leaf(left), (_, Node::Leaf(right))) => Node::Leaf(joined([left, right])),
        (Node::Inner(left), (bound, Node::Inner(right))) => {
            // The bound of a node's first child is never compared, so it can be out of order and is replaced here.
            let first = (bound.clone(), right[0].1.clone());
            Node::Inner(joined([left, &[first], &right[1..]]))
        }
        // This does not happen: all leaves have the same depth.
        _ => return,
    };
    Arc::make_mut(children)[left].1 = node;
    *children = joined([&children[..=left], &children[left + 2..]]);
}
