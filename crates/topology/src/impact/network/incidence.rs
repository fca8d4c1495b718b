//! For each object, the nodes at the ends of the lines that it is on.

use super::super::marks::PerObject;
use super::graph::NodeId;
use underlay_inventory::{ObjectRef, Snapshot};

/// The nodes at the ends of lines, by the objects on these lines.
pub(super) struct Incidence {
    /// Pairs of an object on a line and a node at one of the line's ends, sorted.
    pairs: Vec<(ObjectRef, NodeId)>,
    /// For each object the index of its first pair. For an object on no line, the pair there is of another object.
    first: PerObject<u32>,
}

impl Incidence {
    /// Returns the index of some pairs.
    pub fn new(snapshot: &Snapshot, mut pairs: Vec<(ObjectRef, NodeId)>) -> Self {
        // As one integer each, because there are several pairs for every line and integers compare fast.
        let as_number = |(hop, node): &(ObjectRef, NodeId)| {
            u128::from(hop.kind.0) << 64 | u128::from(hop.slot) << 32 | u128::from(*node)
        };
        pairs.sort_unstable_by_key(as_number);
        pairs.dedup();
        let mut first = PerObject::of(snapshot);
        for (at, (hop, _)) in pairs.iter().enumerate().rev() {
            *first.get_mut(*hop) = at as u32;
        }
        Self { pairs, first }
    }

    /// Returns the nodes at the ends of the lines that an object is on, each once.
    pub fn nodes(&self, object: ObjectRef) -> impl Iterator<Item = NodeId> {
        let from = *self.first.get(object) as usize;
        let pairs = self.pairs.get(from..).unwrap_or_default();
        pairs.iter().take_while(move |(hop, _)| *hop == object).map(|(_, node)| *node)
    }
}
