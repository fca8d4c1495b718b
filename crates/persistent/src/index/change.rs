//! Changing an index: adding, replacing and taking out entries.

use std::borrow::Borrow;
use std::mem;
use std::sync::Arc;

use super::{Child, Index, Node, child_of, entry_of, most};

/// What became of a node to which an entry was added.
enum Added<K, V> {
    /// The key was there, with this.
    Replaced(V),
    /// There is an entry more.
    New,
    /// There is an entry more, and this is to stand to the right of the node.
    Split(Child<K, V>),
}

impl<K: Ord + Clone, V: Clone> Index<K, V> {
    /// What a key has, to be changed.
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

    /// Gives a key a value; what it had before.
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

    /// Takes out a key; what it had.
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

    /// How many entries or children it has itself.
    fn width(&self) -> usize {
        match self {
            Self::Leaf(entries) => entries.len(),
            Self::Inner(children) => children.len(),
        }
    }

    /// How many it may have.
    fn most(&self) -> usize {
        match self {
            Self::Leaf(_) => most::<(K, V)>(),
            Self::Inner(_) => most::<Child<K, V>>(),
        }
    }
}

/// Adds something to a slice; gives what has no room in it, to stand to its right.
///
/// A full slice is cut where the new entry comes in, not in the middle: mostly the next one comes in after it, and what
/// is to the left of it then stays full.
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

/// One slice of several: part by part, because numbers are then copied all at once.
fn joined<T: Clone, const PARTS: usize>(parts: [&[T]; PARTS]) -> Arc<[T]> {
    parts.concat().into()
}

/// Takes a child away that has become empty, or joins one that has become small with one beside it that is not large.
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

/// Joins a child with the one to its right.
fn join<K: Ord + Clone, V: Clone>(children: &mut Arc<[Child<K, V>]>, left: usize) {
    let node = match (&children[left].1, &children[left + 1]) {
        (Node::Leaf(left), (_, Node::Leaf(right))) => Node::Leaf(joined([left, right])),
        (Node::Inner(left), (bound, Node::Inner(right))) => {
            // The bound that its first child had in it was not asked, and may be out of order.
            let first = (bound.clone(), right[0].1.clone());
            Node::Inner(joined([left, &[first], &right[1..]]))
        }
        // All leaves are equally deep.
        _ => return,
    };
    Arc::make_mut(children)[left].1 = node;
    *children = joined([&children[..=left], &children[left + 2..]]);
}
