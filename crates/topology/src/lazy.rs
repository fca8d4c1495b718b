//! Lets algorithms that are written for the traits of petgraph run on a graph that is discovered while they visit it.
//!
//! A query sees a small part of a large network, and to find the edges of a node is most of the cost. So the edges of a
//! node are found when an algorithm first asks for them, behind a [`RefCell`], and nothing is copied. Every edge costs
//! a step of the query. The traits have no room for errors: if a query ends early, all nodes seem to have no more
//! edges, so the algorithm ends soon, and [`Lazy::finish`] returns the error.

use std::cell::{Ref, RefCell};
use std::sync::Arc;

use foldhash::HashSet;
use petgraph::visit::{
    Data, EdgeRef, GraphBase, IntoEdgeReferences, IntoEdges, IntoNeighbors, NodeIndexable, Visitable,
};

use crate::steps::{Ended, Steps};

/// The number of a node, counted in the order in which the nodes are found.
pub(crate) type NodeId = u32;
/// The number of an edge. It is the same from both ends.
pub(crate) type EdgeId = u32;

/// An entry in the adjacency list of a node: an edge, and the node at its other end.
pub(crate) trait Adjacent: Copy {
    type Weight: Clone;
    fn target(&self) -> NodeId;
    fn id(&self) -> EdgeId;
    fn weight(&self) -> &Self::Weight;
}

/// The part of a network that an algorithm may visit. Every edge leads in both directions.
pub(crate) trait Discover {
    type Adjacent: Adjacent;
    type Error: From<Ended>;

    /// Returns the number of nodes that are known so far. Their numbers are below it.
    fn node_count(&self) -> usize;

    /// Returns the steps that the query has left.
    fn steps(&mut self) -> &mut Steps;

    /// Returns the adjacency list of a node.
    ///
    /// # Errors
    /// Returns an error if no step is left.
    fn adjacent(&mut self, node: NodeId) -> Result<Arc<[Self::Adjacent]>, Self::Error>;

    /// Returns true if an algorithm may follow an edge. This must be cheap.
    fn may_follow(&self, edge: &Self::Adjacent) -> bool;
}

/// A graph of petgraph that is discovered while it is visited.
pub(crate) struct Lazy<D: Discover>(RefCell<LazyState<D>>);

struct LazyState<D: Discover> {
    network: D,
    error: Option<D::Error>,
}

impl<D: Discover> Lazy<D> {
    /// Begins a visit.
    pub fn new(network: D) -> Self {
        Self(RefCell::new(LazyState { network, error: None }))
    }

    /// Returns the network.
    ///
    /// # Panics
    /// Panics if it is called from inside of [`Lazy::ask`].
    pub fn network(&self) -> Ref<'_, D> {
        Ref::map(self.0.borrow(), |state| &state.network)
    }

    /// Asks the network something that can fail. After an error, the answer is the default.
    pub fn ask<T: Default>(&self, question: impl FnOnce(&mut D) -> Result<T, D::Error>) -> T {
        self.0.borrow_mut().ask(question)
    }

    /// Ends the visit.
    ///
    /// # Errors
    /// Returns the error that ended the query during the visit.
    pub fn finish(self) -> Result<(), D::Error> {
        self.0.into_inner().error.map_or(Ok(()), Err)
    }

    /// Takes a step and returns true if the edge may be followed; `None` after an error.
    fn step(&self, edge: &D::Adjacent) -> Option<bool> {
        let mut state = self.0.borrow_mut();
        state.ask(|network| Ok(network.steps().take().map(Some)?))?;
        Some(state.network.may_follow(edge))
    }
}

impl<D: Discover> LazyState<D> {
    fn ask<T: Default>(&mut self, question: impl FnOnce(&mut D) -> Result<T, D::Error>) -> T {
        if self.error.is_some() {
            return T::default();
        }
        question(&mut self.network).unwrap_or_else(|error| {
            self.error = Some(error);
            T::default()
        })
    }
}

/// An edge, seen from one of its nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeReference<A> {
    from: NodeId,
    /// The entry in the adjacency list of the source.
    pub adjacent: A,
}

impl<A: Adjacent> EdgeRef for EdgeReference<A> {
    type NodeId = NodeId;
    type EdgeId = EdgeId;
    type Weight = A::Weight;

    fn source(&self) -> NodeId {
        self.from
    }

    fn target(&self) -> NodeId {
        self.adjacent.target()
    }

    fn weight(&self) -> &A::Weight {
        self.adjacent.weight()
    }

    fn id(&self) -> EdgeId {
        self.adjacent.id()
    }
}

/// The edges of a node that an algorithm may follow.
pub(crate) struct Edges<'s, D: Discover> {
    graph: &'s Lazy<D>,
    from: NodeId,
    adjacent: Arc<[D::Adjacent]>,
    next: usize,
}

impl<D: Discover> Iterator for Edges<'_, D> {
    type Item = EdgeReference<D::Adjacent>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let adjacent = *self.adjacent.get(self.next)?;
            self.next += 1;
            if self.graph.step(&adjacent)? {
                return Some(EdgeReference { from: self.from, adjacent });
            }
        }
    }
}

/// The neighbors of a node, once for each edge.
pub(crate) struct Neighbors<'s, D: Discover>(Edges<'s, D>);

impl<D: Discover> Iterator for Neighbors<'_, D> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        self.0.next().map(|edge| edge.target())
    }
}

impl<D: Discover> GraphBase for Lazy<D> {
    type EdgeId = EdgeId;
    type NodeId = NodeId;
}

impl<D: Discover> Data for Lazy<D> {
    type NodeWeight = ();
    type EdgeWeight = <D::Adjacent as Adjacent>::Weight;
}

impl<D: Discover> NodeIndexable for Lazy<D> {
    fn node_bound(&self) -> usize {
        self.network().node_count()
    }

    fn to_index(&self, node: NodeId) -> usize {
        node as usize
    }

    fn from_index(&self, index: usize) -> NodeId {
        index as NodeId
    }
}

impl<D: Discover> Visitable for Lazy<D> {
    type Map = HashSet<NodeId>;

    fn visit_map(&self) -> Self::Map {
        HashSet::default()
    }

    fn reset_map(&self, map: &mut Self::Map) {
        map.clear();
    }
}

impl<'s, D: Discover> IntoNeighbors for &'s Lazy<D> {
    type Neighbors = Neighbors<'s, D>;

    fn neighbors(self, node: NodeId) -> Self::Neighbors {
        Neighbors(self.edges(node))
    }
}

impl<'s, D: Discover> IntoEdgeReferences for &'s Lazy<D> {
    type EdgeRef = EdgeReference<D::Adjacent>;
    type EdgeReferences = Box<dyn Iterator<Item = Self::EdgeRef> + 's>;

    /// Returns the edges of the nodes that are known so far, each once.
    fn edge_references(self) -> Self::EdgeReferences {
        let known = self.node_bound() as NodeId;
        Box::new((0..known).flat_map(|node| self.edges(node)).filter(|edge| edge.source() < edge.target()))
    }
}

impl<'s, D: Discover> IntoEdges for &'s Lazy<D> {
    type Edges = Edges<'s, D>;

    fn edges(self, node: NodeId) -> Self::Edges {
        let adjacent = self.ask(|network| network.adjacent(node).map(Some)).unwrap_or_else(|| Arc::from([]));
        Edges { graph: self, from: node, adjacent, next: 0 }
    }
}
