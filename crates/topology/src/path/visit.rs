//! Lets algorithms that are written for the traits of petgraph run on the network of a query.
//!
//! The network is built while an algorithm visits it. The traits have no room for errors: if a query ends early, all
//! nodes seem to have no more edges, so the algorithm ends soon, and [`Visit::finish`] returns the error.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use petgraph::visit::{Data, EdgeRef, GraphBase, IntoEdgeReferences, IntoEdges, IntoNeighbors, NodeIndexable};

use super::cost::Cost;
use super::error::PathError;
use super::graph::{Graph, NodeId, ViaId, Way};
use crate::steps::Steps;

/// Nodes and connections that a search must not use.
#[derive(Clone, Debug, Default)]
pub(super) struct Banned {
    pub nodes: HashSet<NodeId>,
    pub vias: HashSet<ViaId>,
}

/// The part of a network that one search may visit: the nodes that paths pass, and the nodes at its ends.
pub(super) struct Visit<'v, 'a> {
    state: RefCell<State<'v, 'a>>,
    ends: HashSet<NodeId>,
    banned: &'v Banned,
}

/// The parts that change during a visit.
struct State<'v, 'a> {
    graph: &'v mut Graph<'a>,
    steps: &'v mut Steps,
    error: Option<PathError>,
}

impl<'v, 'a> Visit<'v, 'a> {
    /// Begins a visit. `ends` are the nodes at which the paths of the search begin and end.
    pub fn new(
        graph: &'v mut Graph<'a>,
        ends: impl IntoIterator<Item = NodeId>,
        banned: &'v Banned,
        steps: &'v mut Steps,
    ) -> Self {
        let state = RefCell::new(State { graph, steps, error: None });
        Self { state, ends: ends.into_iter().collect(), banned }
    }

    /// Returns true if the machine connects its group with others.
    pub fn is_outward(&self, node: NodeId) -> bool {
        self.state.borrow().graph.node(node).outward
    }

    /// Ends the visit.
    ///
    /// # Errors
    /// Returns the error that ended the query during the visit.
    pub fn finish(self) -> Result<(), PathError> {
        self.state.into_inner().error.map_or(Ok(()), Err)
    }

    /// Returns true if a search may enter a node over an edge to it.
    fn is_open(&self, way: Way) -> bool {
        let passes = self.state.borrow().graph.node(way.to).passes || self.ends.contains(&way.to);
        passes && !self.banned.vias.contains(&way.via) && !self.banned.nodes.contains(&way.to)
    }
}

impl State<'_, '_> {
    /// Returns the edges from a node; none after an error.
    fn ways(&mut self, node: NodeId) -> Arc<[Way]> {
        if self.error.is_none() {
            match self.graph.ways(node, self.steps) {
                Ok(ways) => return ways,
                Err(error) => self.error = Some(error),
            }
        }
        Arc::default()
    }

    /// Takes a step. Returns false after an error.
    fn take_step(&mut self) -> bool {
        if self.error.is_none()
            && let Err(ended) = self.steps.take()
        {
            self.error = Some(ended.into());
        }
        self.error.is_none()
    }
}

/// An edge of a network, seen from one of its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    from: NodeId,
    way: Way,
}

impl EdgeRef for Edge {
    type NodeId = NodeId;
    type EdgeId = ViaId;
    type Weight = Cost;

    fn source(&self) -> NodeId {
        self.from
    }

    fn target(&self) -> NodeId {
        self.way.to
    }

    fn weight(&self) -> &Cost {
        &self.way.cost
    }

    fn id(&self) -> ViaId {
        self.way.via
    }
}

/// The edges from a node over which a search may continue.
pub(super) struct Edges<'s, 'v, 'a> {
    visit: &'s Visit<'v, 'a>,
    from: NodeId,
    ways: Arc<[Way]>,
    at: usize,
}

impl Iterator for Edges<'_, '_, '_> {
    type Item = Edge;

    fn next(&mut self) -> Option<Edge> {
        loop {
            let way = *self.ways.get(self.at)?;
            self.at += 1;
            if !self.visit.state.borrow_mut().take_step() {
                return None;
            }
            if self.visit.is_open(way) {
                return Some(Edge { from: self.from, way });
            }
        }
    }
}

/// The neighbours of a node, once for each edge.
pub(super) struct Neighbors<'s, 'v, 'a>(Edges<'s, 'v, 'a>);

impl Iterator for Neighbors<'_, '_, '_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        self.0.next().map(|edge| edge.way.to)
    }
}

impl GraphBase for Visit<'_, '_> {
    type EdgeId = ViaId;
    type NodeId = NodeId;
}

impl Data for Visit<'_, '_> {
    type NodeWeight = ();
    type EdgeWeight = Cost;
}

impl NodeIndexable for Visit<'_, '_> {
    fn node_bound(&self) -> usize {
        self.state.borrow().graph.len()
    }

    fn to_index(&self, node: NodeId) -> usize {
        node as usize
    }

    fn from_index(&self, index: usize) -> NodeId {
        index as NodeId
    }
}

impl<'s, 'v, 'a> IntoNeighbors for &'s Visit<'v, 'a> {
    type Neighbors = Neighbors<'s, 'v, 'a>;

    fn neighbors(self, node: NodeId) -> Self::Neighbors {
        Neighbors(self.edges(node))
    }
}

impl<'s, 'v, 'a> IntoEdgeReferences for &'s Visit<'v, 'a> {
    type EdgeRef = Edge;
    type EdgeReferences = Box<dyn Iterator<Item = Edge> + 's>;

    /// Returns the edges of the nodes that are known so far, each once.
    fn edge_references(self) -> Self::EdgeReferences {
        let known = self.node_bound() as NodeId;
        Box::new((0..known).flat_map(|node| self.edges(node)).filter(|edge| edge.from < edge.way.to))
    }
}

impl<'s, 'v, 'a> IntoEdges for &'s Visit<'v, 'a> {
    type Edges = Edges<'s, 'v, 'a>;

    fn edges(self, node: NodeId) -> Self::Edges {
        let ways = self.state.borrow_mut().ways(node);
        Edges { visit: self, from: node, ways, at: 0 }
    }
}
