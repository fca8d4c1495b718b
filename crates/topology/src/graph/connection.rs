//! A connection between two objects, as a layer finds it.

use super::answer::{ConnectionState, Edge, Layer};
use underlay_inventory::ObjectRef;

/// A connection between the parts of two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LayerConnection {
    pub layer: Layer,
    /// The node at which it begins, if the layer has a direction.
    pub from: ObjectRef,
    pub to: ObjectRef,
    /// The objects by which the connection is recognized from both of its ends.
    key: (ObjectRef, ObjectRef),
    pub speed_bps: Option<i64>,
    pub state: Option<ConnectionState>,
}

impl LayerConnection {
    /// Returns a connection of two nodes. `ends` are the objects in these nodes that are connected, in either order, or
    /// twice the object that connects them.
    pub fn new(layer: Layer, [from, to]: [ObjectRef; 2], ends: [ObjectRef; 2], state: Option<ConnectionState>) -> Self {
        let [one, other] = ends;
        Self { layer, from, to, key: (one.min(other), one.max(other)), speed_bps: None, state }
    }

    /// Returns the connection with a speed.
    pub fn with_speed(self, speed_bps: Option<i64>) -> Self {
        Self { speed_bps, ..self }
    }

    /// Returns the key of the connection, which is the same from both ends.
    pub fn key(&self) -> (Layer, ObjectRef, ObjectRef) {
        (self.layer, self.key.0, self.key.1)
    }

    /// Returns the node at the other end.
    pub fn other(&self, node: ObjectRef) -> ObjectRef {
        if self.from == node { self.to } else { self.from }
    }

    /// Returns an edge that stands for this connection alone.
    pub fn edge(&self) -> Edge {
        Edge { layer: self.layer, count: 1, speed_bps: self.speed_bps, state: self.state }
    }
}
