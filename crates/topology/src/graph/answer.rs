//! The graph that a query returns.

use petgraph::graph::DiGraph;

use underlay_inventory::ObjectRef;

/// The way in which the ends of an edge are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// By lines of cables, panels and circuits that carry traffic.
    Physical,
    /// By the supply of power, from the source to the consumer.
    Power,
    /// By an object that says that two others are connected.
    Logical,
    /// By containment, from the container to its content.
    Containment,
}

impl Layer {
    /// Returns true if the edges of the layer have a direction.
    pub const fn is_directed(self) -> bool {
        matches!(self, Self::Power | Self::Containment)
    }
}

/// The state of all connections that an edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConnectionState {
    /// All of them work.
    Up,
    /// Some of them work, or work in part.
    Degraded,
    /// None of them works.
    Down,
}

impl ConnectionState {
    /// Returns the state of something that works, or does not.
    pub const fn of(works: bool) -> Self {
        if works { Self::Up } else { Self::Down }
    }

    /// Returns the state of two connections together.
    pub fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Degraded }
    }
}

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The object that the node stands for.
    pub object: ObjectRef,
    /// True if the object is not in the part that is drawn, but connected to it.
    pub outside: bool,
}

/// An edge of the graph: all connections of one layer between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The layer that the connections belong to.
    pub layer: Layer,
    /// The number of connections.
    pub count: usize,
    /// The sum of the known speeds of the connections in bits per second; `None` if no speed is known.
    pub speed_bps: Option<i64>,
    /// The state of the connections; `None` if connections of the layer have none.
    pub state: Option<ConnectionState>,
}

impl Edge {
    /// Returns the edge that stands for the connections of both.
    pub(super) fn and(self, other: Self) -> Self {
        let both = |one: i64, other: i64| one.saturating_add(other);
        Self {
            layer: self.layer,
            count: self.count + other.count,
            speed_bps: match (self.speed_bps, other.speed_bps) {
                (Some(one), Some(other)) => Some(both(one, other)),
                (one, other) => one.or(other),
            },
            state: self.state.zip(other.state).map(|(one, other)| one.and(other)),
        }
    }
}

/// The answer of a graph query.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The nodes and edges. First come the nodes of the requested kind in the drawn part, then other nodes in it, then
    /// those outside by their distance, each by kind, name and id. Edges are sorted by layer and by their ends. An edge
    /// of a layer without a direction begins at the node that comes first.
    pub graph: DiGraph<Node, Edge>,
    /// True if the answer has every node and every edge.
    pub complete: bool,
}
