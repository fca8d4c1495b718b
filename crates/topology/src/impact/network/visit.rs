//! The network of a query, and the part of it that one search visits, as a graph of petgraph (see [`Lazy`]).

use std::sync::Arc;

use foldhash::HashSet;
use petgraph::visit::{Bfs, EdgeFiltered, EdgeRef as _, Walker};

use super::super::error::ImpactError;
use super::super::physical_state::Moment;
use super::super::propagate::Propagation;
use super::edges::Which;
use super::graph::{NetworkEdge, NetworkGraph, NodeId};
use crate::lazy::{Discover, EdgeReference, Lazy};
use crate::steps::Steps;

/// The network with the failures in it, and the steps that the query has left.
pub(in super::super) struct Network<'f, 'a> {
    pub graph: &'f mut NetworkGraph<'a>,
    pub propagation: &'f mut Propagation<'a>,
    pub steps: &'f mut Steps,
}

impl Network<'_, '_> {
    /// Returns true if an edge is up at a moment.
    pub fn is_up(&mut self, edge: &NetworkEdge, at: Moment) -> Result<bool, ImpactError> {
        self.graph.is_up(self.propagation, edge, at, self.steps)
    }
}

/// The part of a network that one search may visit. Only nodes that forward traffic, and the ends of the search, have
/// edges.
pub(super) struct NetworkArea<'v, 'f, 'a> {
    network: &'v mut Network<'f, 'a>,
    which: Which,
    source: NodeId,
    sinks: &'v HashSet<NodeId>,
}

/// Begins a search between two ends.
pub(super) fn visit<'v, 'f, 'a>(
    network: &'v mut Network<'f, 'a>,
    which: Which,
    source: NodeId,
    sinks: &'v HashSet<NodeId>,
) -> Lazy<NetworkArea<'v, 'f, 'a>> {
    Lazy::new(NetworkArea { network, which, source, sinks })
}

impl<'f, 'a> Lazy<NetworkArea<'_, 'f, 'a>> {
    /// Returns true if an edge is up at a moment.
    pub fn is_up(&self, edge: &NetworkEdge, at: Moment) -> bool {
        self.ask(|area| area.network.is_up(edge, at))
    }

    /// Returns true if a node forwards traffic.
    pub fn forwards(&self, node: NodeId) -> bool {
        self.network().network.graph.node(node).forwards
    }

    /// Reads from the network.
    pub fn read<T>(&self, read: impl FnOnce(&Network<'f, 'a>) -> T) -> T {
        read(self.network().network)
    }
}

impl Discover for NetworkArea<'_, '_, '_> {
    type Adjacent = NetworkEdge;
    type Error = ImpactError;

    fn node_count(&self) -> usize {
        self.network.graph.len()
    }

    fn steps(&mut self) -> &mut Steps {
        self.network.steps
    }

    fn adjacent(&mut self, node: NodeId) -> Result<Arc<[NetworkEdge]>, ImpactError> {
        let Network { graph, propagation, steps } = &mut *self.network;
        let has_edges = node == self.source || graph.node(node).forwards || self.sinks.contains(&node);
        match self.which {
            _ if !has_edges => Ok(Arc::default()),
            Which::All => graph.edges(propagation, node, steps),
            Which::Onward => graph.edges_onward(propagation, node, steps),
        }
    }

    fn may_follow(&self, _: &NetworkEdge) -> bool {
        true
    }
}

/// Returns all nodes that are connected with a node at a moment, including the node itself. Paths run only through
/// nodes that forward traffic.
pub(super) fn component(network: &mut Network<'_, '_>, node: NodeId, at: Moment) -> Result<Vec<NodeId>, ImpactError> {
    let no_sinks = HashSet::default();
    let graph = visit(network, Which::All, node, &no_sinks);
    let up = EdgeFiltered::from_fn(&graph, |edge: EdgeReference<NetworkEdge>| graph.is_up(&edge.adjacent, at));
    let found = Bfs::new(&up, node).iter(&up).collect();
    graph.finish()?;
    Ok(found)
}

/// Returns all nodes that are still connected with a node, including the node itself. Paths run only through nodes that
/// forward traffic and are not in `around`. Returns `None` if there are more than `most` nodes.
pub(super) fn component_around(
    network: &mut Network<'_, '_>,
    node: NodeId,
    around: &HashSet<NodeId>,
    most: usize,
) -> Result<Option<Vec<NodeId>>, ImpactError> {
    let no_sinks = HashSet::default();
    let graph = visit(network, Which::All, node, &no_sinks);
    let is_open = |edge: EdgeReference<NetworkEdge>| {
        !around.contains(&edge.target()) && graph.is_up(&edge.adjacent, Moment::After)
    };
    let open = EdgeFiltered::from_fn(&graph, is_open);
    let found: Vec<NodeId> = Bfs::new(&open, node).iter(&open).take(most + 1).collect();
    graph.finish()?;
    Ok((found.len() <= most).then_some(found))
}
