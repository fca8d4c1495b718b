//! A spanning forest of the network, whose roots are anchors. It proves without a search that a node still reaches an
//! anchor: the node does as long as every edge between it and its root is up.

use foldhash::HashMap;
use petgraph::visit::EdgeRef as _;

use super::super::physical_state::Moment;
use super::graph::{NetworkEdge, NodeId};
use super::visit::Network;
use crate::lazy::EdgeReference;

/// The forest as far as searches have built it. It contains only nodes that forward traffic, because a node that
/// forwards none can be next to nodes with other anchors than its own.
#[derive(Debug, Default)]
pub(super) struct Forest {
    /// The edge from each node to its parent. A root has none.
    parents: HashMap<NodeId, NetworkEdge>,
}

/// The nodes whose way to the root was checked under the current failure: true if all of its edges are up.
pub(super) type Checked = HashMap<NodeId, bool>;

impl Forest {
    /// Returns true if every edge between a node and its root is up; false if the node is not in the forest.
    pub fn is_connected(&self, network: &Network<'_, '_>, node: NodeId, checked: &mut Checked) -> bool {
        let (mut at, mut passed) = (node, Vec::new());
        let is_up = loop {
            if let Some(known) = checked.get(&at) {
                break *known;
            }
            let Some(edge) = self.parents.get(&at) else { break at != node };
            passed.push(at);
            if !network.graph.is_known_up(network.propagation, edge, Moment::After) {
                break false;
            }
            at = edge.to;
        };
        checked.extend(passed.into_iter().map(|node| (node, is_up)));
        is_up
    }

    /// Moves the nodes of a path to the tree of its last node, which is an anchor or is connected with its root.
    ///
    /// This cannot make a cycle. The nodes before the last one are not connected with their roots, so none of them is
    /// between the last node and its root.
    pub fn attach(&mut self, path: &[EdgeReference<NetworkEdge>], checked: &mut Checked) {
        for edge in path {
            self.parents.insert(edge.source(), edge.adjacent);
            checked.insert(edge.source(), true);
        }
    }
}
