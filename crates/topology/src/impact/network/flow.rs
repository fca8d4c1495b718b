//! Finds disjoint paths from a node to anchors (see [`flow`](crate::flow)). Every node and every line carries at most
//! one path.

use foldhash::HashSet;

use super::super::error::ImpactError;
use super::super::physical_state::Moment;
use super::edges::Which;
use super::graph::{NetworkEdge, NodeId};
use super::visit::{Network, NetworkArea, visit};
use crate::flow::{Capacity, Flow, Residual, augmenting_path, sink_side};
use crate::lazy::{EdgeId, EdgeReference, Lazy};

/// The two sides between which paths are searched, and the conditions.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Between<'s> {
    pub source: NodeId,
    pub anchors: &'s HashSet<NodeId>,
    pub at: Moment,
    /// Nodes that the paths must not pass.
    pub around: Option<&'s HashSet<NodeId>>,
}

impl Between<'_> {
    /// Returns the number of paths that a node can carry.
    fn capacity(&self, graph: &Lazy<NetworkArea<'_, '_, '_>>, node: NodeId) -> Capacity {
        if node == self.source || self.anchors.contains(&node) {
            return Capacity::Unlimited;
        }
        let is_around = self.around.is_some_and(|around| around.contains(&node));
        Capacity::UpTo(u32::from(!is_around && graph.forwards(node)))
    }

    /// Returns the anchors in an order that is the same for every query.
    fn sinks(&self) -> Vec<NodeId> {
        let mut sinks: Vec<NodeId> = self.anchors.iter().copied().collect();
        sinks.sort_unstable();
        sinks
    }
}

/// Disjoint paths between a node and anchors.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct DisjointPaths {
    flow: Flow<NodeId, EdgeId>,
    /// The number of paths.
    pub count: u32,
}

impl DisjointPaths {
    /// Adds one more path. Returns false if there is none.
    pub fn augment(&mut self, network: &mut Network<'_, '_>, between: Between<'_>) -> Result<bool, ImpactError> {
        let graph = visit(network, Which::Onward, between.source, between.anchors);
        let capacity = |node| between.capacity(&graph, node);
        let residual = Residual { graph: &graph, flow: &self.flow, edge_capacity: 1, capacity };
        let is_up = |edge: EdgeReference<NetworkEdge>| graph.is_up(&edge.adjacent, between.at);
        let path = augmenting_path(&residual, &[between.source], &between.sinks(), is_up);
        if let Some(path) = &path {
            self.flow.add(path);
            self.count += 1;
        }
        let found = path.is_some();
        graph.finish()?;
        Ok(found)
    }

    /// Returns the nodes between the anchors and the minimum cut that is nearest to them, the anchors among them. There
    /// must be no further path. Returns `None` if the search takes more than `most` vertices.
    pub fn behind_cut(
        &self,
        network: &mut Network<'_, '_>,
        between: Between<'_>,
        most: usize,
    ) -> Result<Option<HashSet<NodeId>>, ImpactError> {
        let graph = visit(network, Which::All, between.source, between.anchors);
        let capacity = |node| between.capacity(&graph, node);
        let residual = Residual { graph: &graph, flow: &self.flow, edge_capacity: 1, capacity };
        let is_up = |edge: EdgeReference<NetworkEdge>| graph.is_up(&edge.adjacent, between.at);
        let behind = sink_side(&residual, &between.sinks(), most, is_up);
        graph.finish()?;
        Ok(behind)
    }
}

/// Returns true if there is a path between a node and an anchor.
pub(super) fn has_path(network: &mut Network<'_, '_>, between: Between<'_>) -> Result<bool, ImpactError> {
    DisjointPaths::default().augment(network, between)
}
