//! A flow and its residual graph.

use std::hash::Hash;

use foldhash::HashMap;
use petgraph::Direction;
use petgraph::visit::{EdgeRef, GraphBase, IntoEdgeReferences, IntoEdges};

/// The number of paths that a node can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capacity {
    UpTo(u32),
    Unlimited,
}

/// One of the two vertices into which a node is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Vertex<N> {
    /// Paths arrive at the node here.
    In(N),
    /// Paths leave the node from here.
    Out(N),
}

impl<N> Vertex<N> {
    /// Returns the node of the vertex.
    pub fn node(self) -> N {
        match self {
            Self::In(node) | Self::Out(node) => node,
        }
    }
}

/// An edge of the residual graph of a graph.
pub(crate) struct ResidualEdge<G: IntoEdgeReferences> {
    pub source: Vertex<G::NodeId>,
    pub target: Vertex<G::NodeId>,
    /// The edge of the graph, seen from either end; `None` for the step inside a node.
    pub edge: Option<G::EdgeRef>,
    /// True if the edge leads back over a step of a path, which loses this step if the edge is followed.
    pub cancels: bool,
    /// True if another path uses the same edge, or the same node of bounded capacity.
    pub shared: bool,
}

impl<G: IntoEdgeReferences> Clone for ResidualEdge<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: IntoEdgeReferences> Copy for ResidualEdge<G> {}

/// A path through the graph: the node at which it begins, and its edges, each seen from the node that it leaves.
pub(crate) type FlowPath<G> = (<G as GraphBase>::NodeId, Vec<<G as IntoEdgeReferences>::EdgeRef>);

/// The number of paths on each edge, by the node from which they follow it, and through each node.
#[derive(Clone, Debug)]
pub(crate) struct Flow<N, E> {
    edges: HashMap<(E, N), u32>,
    nodes: HashMap<N, u32>,
}

impl<N, E> Default for Flow<N, E> {
    fn default() -> Self {
        Self { edges: HashMap::default(), nodes: HashMap::default() }
    }
}

impl<N: Copy + Eq + Hash, E: Copy + Eq + Hash> Flow<N, E> {
    /// Returns the number of paths that follow an edge from a node.
    fn along(&self, edge: E, from: N) -> u32 {
        self.edges.get(&(edge, from)).copied().unwrap_or_default()
    }

    /// Returns the number of paths through a node.
    fn through(&self, node: N) -> u32 {
        self.nodes.get(&node).copied().unwrap_or_default()
    }

    /// Adds an augmenting path.
    pub fn add<G>(&mut self, path: &[ResidualEdge<G>])
    where
        G: IntoEdges<NodeId = N, EdgeId = E>,
    {
        for step in path {
            // A canceled step leads from the target to the source.
            let tail = if step.cancels { step.target } else { step.source };
            let count = match step.edge {
                Some(edge) => self.edges.entry((edge.id(), tail.node())).or_default(),
                None => self.nodes.entry(tail.node()).or_default(),
            };
            *count = if step.cancels { count.saturating_sub(1) } else { *count + 1 };
        }
    }

    /// Splits the flow into its paths from the sources to the sinks.
    pub fn into_paths<G>(mut self, graph: G, sources: &[N], is_sink: impl Fn(N) -> bool) -> Vec<FlowPath<G>>
    where
        G: IntoEdges<NodeId = N, EdgeId = E>,
    {
        let mut paths = Vec::new();
        for source in sources {
            while let Some(first) = self.take_edge(graph, *source) {
                let (mut at, mut edges) = (first.target(), vec![first]);
                while !is_sink(at)
                    && let Some(edge) = self.take_edge(graph, at)
                {
                    at = edge.target();
                    edges.push(edge);
                }
                paths.push((*source, edges));
            }
        }
        paths
    }

    /// Takes a path off one of the edges by which the flow leaves a node, and returns the edge.
    fn take_edge<G>(&mut self, graph: G, node: N) -> Option<G::EdgeRef>
    where
        G: IntoEdges<NodeId = N, EdgeId = E>,
    {
        graph.edges(node).find(|edge| match self.edges.get_mut(&(edge.id(), node)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        })
    }
}

/// The residual graph of a flow in a graph.
pub(crate) struct Residual<'f, G: GraphBase, C> {
    pub graph: G,
    pub flow: &'f Flow<G::NodeId, G::EdgeId>,
    /// The number of paths that an edge can carry, all in the same direction.
    pub edge_capacity: u32,
    /// Returns the capacity of a node. Sources and sinks need one too.
    pub capacity: C,
}

impl<G, C> Residual<'_, G, C>
where
    G: IntoEdges,
    G::NodeId: Eq + Hash,
    G::EdgeId: Eq + Hash,
    C: Fn(G::NodeId) -> Capacity,
{
    /// Returns the edges from a vertex (outgoing), or those to it (incoming).
    pub fn edges(&self, vertex: Vertex<G::NodeId>, direction: Direction) -> impl Iterator<Item = ResidualEdge<G>> {
        let node = vertex.node();
        let cancels = match (vertex, direction) {
            (Vertex::Out(_), Direction::Outgoing) | (Vertex::In(_), Direction::Incoming) => false,
            (Vertex::In(_), Direction::Outgoing) | (Vertex::Out(_), Direction::Incoming) => true,
        };
        // Without a path through the node, no path can be taken off its edges, and they need not be discovered.
        let has_edges = !cancels || self.flow.through(node) > 0;
        let edges = has_edges.then(|| self.graph.edges(node)).into_iter().flatten();
        let over = edges.filter_map(move |edge| {
            let other = edge.target();
            let (tail, head) = if direction == Direction::Outgoing { (node, other) } else { (other, node) };
            if cancels { self.cancel(edge, tail, head) } else { self.follow(edge, tail, head) }
        });
        self.inside(node, !cancels).into_iter().chain(over)
    }

    /// Returns true if a path can pass a node or end at it.
    pub fn has_capacity(&self, node: G::NodeId) -> bool {
        (self.capacity)(node) != Capacity::UpTo(0)
    }

    /// Returns the edge of the residual graph by which a path follows an edge, if there is room.
    fn follow(&self, edge: G::EdgeRef, tail: G::NodeId, head: G::NodeId) -> Option<ResidualEdge<G>> {
        let count = self.flow.along(edge.id(), tail);
        let has_room = count < self.edge_capacity && self.flow.along(edge.id(), head) == 0;
        has_room.then_some(ResidualEdge {
            source: Vertex::Out(tail),
            target: Vertex::In(head),
            edge: Some(edge),
            cancels: false,
            shared: count > 0,
        })
    }

    /// Returns the edge of the residual graph that takes off a path which follows an edge from the head to the tail.
    fn cancel(&self, edge: G::EdgeRef, tail: G::NodeId, head: G::NodeId) -> Option<ResidualEdge<G>> {
        let count = self.flow.along(edge.id(), head);
        (count > 0).then_some(ResidualEdge {
            source: Vertex::In(tail),
            target: Vertex::Out(head),
            edge: Some(edge),
            cancels: true,
            shared: count > 1,
        })
    }

    /// Returns the edge from one vertex of a node to the other.
    fn inside(&self, node: G::NodeId, cancels: bool) -> Option<ResidualEdge<G>> {
        let count = self.flow.through(node);
        let limit = match (self.capacity)(node) {
            Capacity::UpTo(limit) => Some(limit),
            Capacity::Unlimited => None,
        };
        let exists = if cancels { count > 0 } else { limit.is_none_or(|limit| count < limit) };
        let (source, target) = (Vertex::In(node), Vertex::Out(node));
        let (source, target) = if cancels { (target, source) } else { (source, target) };
        let shared = limit.is_some() && count > u32::from(cancels);
        exists.then_some(ResidualEdge { source, target, edge: None, cancels, shared })
    }
}
