//! The references of one object in one direction, as slots in the tables of a snapshot. Small sets cost little memory,
//! and large sets share structure between snapshots.

use std::sync::Arc;

use super::number::{KindId, ReferenceId};
use underlay_persistent::Index;

/// The largest number of edges that a set keeps in one slice.
const MAX_SLICE_EDGES: usize = 64;

/// A reference to an object: its slot in the tables of one snapshot. It is valid only in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectRef {
    /// The kind of the object.
    pub kind: KindId,
    /// The slot in the table of the kind.
    pub slot: u32,
}

/// One reference, packed into 64 bits: its field, and the object at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge(u64);

impl Edge {
    /// Creates an edge from a reference and the object at its other end.
    pub fn new(reference: ReferenceId, other: ObjectRef) -> Self {
        let by = u64::from(reference.kind.0) << 56 | u64::from(reference.field) << 48;
        Self(by | u64::from(other.kind.0) << 32 | u64::from(other.slot))
    }

    /// Returns the reference of the edge: the kind and its field.
    pub fn reference(self) -> ReferenceId {
        ReferenceId { kind: KindId((self.0 >> 56) as u8), field: (self.0 >> 48) as u8 }
    }

    /// Returns the object at the other end.
    pub fn other(self) -> ObjectRef {
        ObjectRef { kind: KindId((self.0 >> 32) as u8), slot: self.0 as u32 }
    }

    fn first_of(reference: ReferenceId) -> Self {
        Self(u64::from(reference.kind.0) << 56 | u64::from(reference.field) << 48)
    }

    fn last_of(reference: ReferenceId) -> Self {
        Self(Self::first_of(reference).0 | 0xffff_ffff_ffff)
    }
}

/// The edges of one object. A small set is a slice that is copied on change. A large set shares structure, so that one
/// more device does not copy the ten thousand edges that a site already has.
#[derive(Clone, Debug, Default)]
pub enum Edges {
    #[default]
    None,
    One(Edge),
    /// Outgoing edges in the order of the fields; incoming edges in sorted order.
    Few(Arc<[Edge]>),
    Many(Arc<Index<Edge, ()>>),
}

impl Edges {
    /// Creates a list that keeps the given order.
    pub fn listed(edges: Vec<Edge>) -> Self {
        match edges.as_slice() {
            [] => Self::None,
            [edge] => Self::One(*edge),
            _ => Self::Few(edges.into()),
        }
    }

    /// Creates a set from edges that are sorted.
    pub fn sorted(edges: Vec<Edge>) -> Self {
        match edges.len() > MAX_SLICE_EDGES {
            true => Self::Many(Arc::new(edges.into_iter().map(|edge| (edge, ())).collect())),
            false => Self::listed(edges),
        }
    }

    /// Adds an edge to a sorted set.
    pub fn insert(&mut self, edge: Edge) {
        match self {
            Self::None => *self = Self::One(edge),
            Self::One(there) if *there == edge => {}
            Self::One(there) => *self = Self::Few(Arc::new([(*there).min(edge), (*there).max(edge)])),
            Self::Few(edges) => {
                let Err(at) = edges.binary_search(&edge) else { return };
                if edges.len() < MAX_SLICE_EDGES {
                    *self = Self::Few([&edges[..at], &[edge], &edges[at..]].concat().into());
                } else {
                    let mut many: Index<Edge, ()> = edges.iter().map(|edge| (*edge, ())).collect();
                    many.insert(edge, ());
                    *self = Self::Many(Arc::new(many));
                }
            }
            Self::Many(edges) => {
                Arc::make_mut(edges).insert(edge, ());
            }
        }
    }

    /// Removes an edge from a sorted set.
    pub fn remove(&mut self, edge: Edge) {
        match self {
            Self::One(there) if *there == edge => *self = Self::None,
            Self::None | Self::One(_) => {}
            Self::Few(edges) => {
                let Ok(at) = edges.binary_search(&edge) else { return };
                *self = Self::listed([&edges[..at], &edges[at + 1..]].concat());
            }
            Self::Many(edges) => {
                Arc::make_mut(edges).remove(&edge);
                if edges.len() < MAX_SLICE_EDGES / 2 {
                    *self = Self::listed(edges.iter().map(|(edge, ())| *edge).collect());
                }
            }
        }
    }

    /// Returns true if there are no edges.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Returns all edges, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Edge> + Send + '_ {
        let (slice, many) = self.parts();
        slice.iter().copied().chain(many.into_iter().flat_map(|edges| edges.iter()).map(|(edge, ())| *edge))
    }

    /// Returns the objects at the other ends of the edges of one reference.
    pub fn by(&self, reference: ReferenceId) -> impl Iterator<Item = ObjectRef> + Send + '_ {
        let (slice, many) = self.parts();
        let few = slice.iter().copied().filter(move |edge| edge.reference() == reference);
        let range = Edge::first_of(reference)..=Edge::last_of(reference);
        let many = many.into_iter().flat_map(move |edges| edges.range(range.clone())).map(|(edge, ())| *edge);
        few.chain(many).map(Edge::other)
    }

    /// Returns the edges of a slice and those of a large set; one of the two is empty.
    fn parts(&self) -> (&[Edge], Option<&Index<Edge, ()>>) {
        match self {
            Self::None => (&[], None),
            Self::One(edge) => (std::slice::from_ref(edge), None),
            Self::Few(edges) => (edges, None),
            Self::Many(edges) => (&[], Some(edges)),
        }
    }

    /// Returns the object at the other end of the first edge of one reference.
    #[inline]
    pub fn first_by(&self, reference: ReferenceId) -> Option<ObjectRef> {
        match self {
            Self::None => None,
            Self::One(edge) => (edge.reference() == reference).then(|| edge.other()),
            Self::Few(edges) => edges.iter().find(|edge| edge.reference() == reference).map(|edge| edge.other()),
            Self::Many(_) => self.by(reference).next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_take_little_room_in_an_object() {
        assert_eq!(size_of::<Edges>(), 24);
    }

    fn edge(field: u8, slot: u32) -> Edge {
        Edge::new(ReferenceId { kind: KindId(3), field }, ObjectRef { kind: KindId(5), slot })
    }

    #[test]
    fn an_edge_keeps_its_parts() {
        let edge = edge(7, 4_000_000_000);
        assert_eq!(edge.reference(), ReferenceId { kind: KindId(3), field: 7 });
        assert_eq!(edge.other(), ObjectRef { kind: KindId(5), slot: 4_000_000_000 });
    }

    #[test]
    fn a_set_grows_and_shrinks_through_all_its_forms() {
        let mut edges = Edges::None;
        for slot in (0..200).rev() {
            edges.insert(edge(1, slot));
            edges.insert(edge(2, slot));
            edges.insert(edge(2, slot));
        }
        assert!(matches!(edges, Edges::Many(_)));
        let reference = ReferenceId { kind: KindId(3), field: 2 };
        assert_eq!(edges.by(reference).map(|object| object.slot).collect::<Vec<_>>(), (0..200).collect::<Vec<_>>());
        for slot in 0..200 {
            edges.remove(edge(2, slot));
            assert_eq!(edges.by(reference).count(), 199 - slot as usize);
            edges.remove(edge(1, slot));
        }
        assert!(edges.is_empty());
    }
}
