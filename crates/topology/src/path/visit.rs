//! The part of the network that one search visits, as a graph of petgraph (see [`Lazy`]).

use std::collections::HashSet;
use std::sync::Arc;

use super::cost::Cost;
use super::error::PathError;
use super::graph::{NodeId, PathEdge, PathGraph, ViaId};
use crate::lazy::{Adjacent, Discover, Lazy};
use crate::steps::Steps;

/// Nodes and connections that a search must not use.
#[derive(Clone, Debug, Default)]
pub(super) struct Banned {
    pub nodes: HashSet<NodeId>,
    pub vias: HashSet<ViaId>,
}

/// The part of a network that one search may visit: the nodes that paths pass, and the nodes at its ends.
pub(super) struct PathArea<'v, 'a> {
    pub graph: &'v mut PathGraph<'a>,
    steps: &'v mut Steps,
    ends: HashSet<NodeId>,
    banned: &'v Banned,
}

/// Begins a visit. `ends` are the nodes at which the paths of the search begin and end.
pub(super) fn visit<'v, 'a>(
    graph: &'v mut PathGraph<'a>,
    ends: impl IntoIterator<Item = NodeId>,
    banned: &'v Banned,
    steps: &'v mut Steps,
) -> Lazy<PathArea<'v, 'a>> {
    Lazy::new(PathArea { graph, steps, ends: ends.into_iter().collect(), banned })
}

impl Discover for PathArea<'_, '_> {
    type Adjacent = PathEdge;
    type Error = PathError;

    fn node_count(&self) -> usize {
        self.graph.len()
    }

    fn steps(&mut self) -> &mut Steps {
        self.steps
    }

    fn adjacent(&mut self, node: NodeId) -> Result<Arc<[PathEdge]>, PathError> {
        self.graph.edges(node, self.steps)
    }

    fn may_follow(&self, edge: &PathEdge) -> bool {
        let passes = self.graph.node(edge.to).passes || self.ends.contains(&edge.to);
        passes && !self.banned.vias.contains(&edge.via) && !self.banned.nodes.contains(&edge.to)
    }
}

impl Adjacent for PathEdge {
    type Weight = Cost;

    fn target(&self) -> NodeId {
        self.to
    }

    fn id(&self) -> ViaId {
        self.via
    }

    fn weight(&self) -> &Cost {
        &self.cost
    }
}
