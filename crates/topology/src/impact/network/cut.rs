//! Finds the machines that each of many failures cuts off from its anchors.
//!
//! A failure removes edges from the network. A node is *cut off* if it reached an anchor before, is up, and does not
//! reach one any more. A node is *adjacent* to the failure if it is at the end of a line with an object that went down.
//!
//! **Where to look.** Every node that is cut off is connected with an adjacent node that is cut off too. Proof: take
//! the path to an anchor that the node had, and follow it up to the first edge that is down. The node before this edge
//! is adjacent, and the first part of the path still connects it with the node. So it is enough to examine each
//! adjacent node, and the component of each that is cut off.
//!
//! **How to look.** A search for each adjacent node would visit the network again and again, although nearly every node
//! has kept its path. So the paths that searches find are kept as a spanning forest (`forest`). If the path of a node
//! to its root is up, the node needs no search. If it is not, a breadth-first search looks for an anchor or for a node
//! whose path is up. If it finds one, its path replaces the broken one in the forest. Otherwise it has visited
//! everything that the node is connected with, and all of that is cut off.
//!
//! A node that forwards no traffic reaches an anchor if a neighbor does, and is in no path of another node.
//!
//! petgraph's `articulation_points` and `dominators::simple_fast` answer this for the failure of a single node in a
//! network that is extracted as a whole. Here a failure takes down several nodes and lines together, such as a rack or
//! a power feed, and a query within a rack visits only the network around it.

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::super::error::ImpactError;
use super::super::marks::{DOWN, GONE, Mark};
use super::super::physical_state::Moment;
use super::super::propagate::Propagation;
use super::anchors::Anchors;
use super::edges::Which;
use super::forest::{Checked, Forest};
use super::graph::{About, NetworkEdge, NetworkGraph, NodeId};
use super::incidence::Incidence;
use super::lines::machine_of;
use super::visit::{Network, component, visit};
use crate::lazy::EdgeReference;
use crate::nearest::path_to_nearest;
use crate::role::{Part, Purpose};
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// The network around some objects, prepared for many failures.
pub(in super::super) struct Cuts<'a> {
    graph: NetworkGraph<'a>,
    anchors: Anchors,
    incidence: Incidence,
    forest: Forest,
}

impl<'a> Cuts<'a> {
    /// Prepares the network in which a failure of any of these objects can break a line.
    pub fn around(
        objects: &[ObjectRef],
        propagation: &mut Propagation<'a>,
        steps: &mut Steps,
    ) -> Result<Self, ImpactError> {
        let mut graph = NetworkGraph::new(propagation, About::Many);
        let mut nodes: BTreeSet<NodeId> = BTreeSet::new();
        for object in objects {
            steps.take()?;
            nodes.extend(nodes_of(*object, &mut graph, propagation));
        }
        let mut pairs = Vec::new();
        for node in nodes {
            let edges = graph.edges(propagation, node, steps)?;
            for edge in edges.iter() {
                let hops = graph.hops(edge).iter();
                pairs.extend(hops.flat_map(|hop| [(*hop, node), (*hop, edge.to)]));
            }
        }
        let incidence = Incidence::new(propagation.physical_state.snapshot, pairs);
        Ok(Self { graph, anchors: Anchors::new(None), incidence, forest: Forest::default() })
    }

    /// Returns the machines that a failure cuts off. On entry, `adjacent` contains nodes that are up but may have lost
    /// a path by earlier failures which this one takes over. On return, it contains the nodes that are up but may have
    /// lost one by this failure.
    pub fn cut_off(
        &mut self,
        propagation: &mut Propagation<'a>,
        adjacent: &mut Vec<NodeId>,
        steps: &mut Steps,
    ) -> Result<BTreeSet<ObjectRef>, ImpactError> {
        adjacent.extend(propagation.down.iter().flat_map(|down| self.incidence.nodes(down.object)));
        adjacent.sort_unstable();
        adjacent.dedup();
        let mut connectivity = Connectivity {
            network: Network { graph: &mut self.graph, propagation, steps },
            anchors: &mut self.anchors,
            forest: &mut self.forest,
            checked: HashMap::default(),
            connected: HashMap::default(),
        };
        let (mut cut_off, mut connected) = (BTreeSet::new(), Vec::new());
        let mut examined: HashSet<NodeId> = HashSet::default();
        for node in std::mem::take(adjacent) {
            // An earlier failure cut this node off, and the current failure takes over its results.
            let is_gone = connectivity.has_mark(node, GONE);
            if is_gone || examined.contains(&node) {
                continue;
            }
            if connectivity.is_connected(node)? {
                connected.push(node);
                continue;
            }
            for member in connectivity.component(node)? {
                if connectivity.is_connected(member)? {
                    // This node forwards no traffic, and has another path.
                    connected.push(member);
                } else if examined.insert(member) && !connectivity.network.graph.node(member).exempt {
                    cut_off.insert(connectivity.network.graph.node(member).object);
                }
            }
        }
        *adjacent = connected;
        Ok(cut_off)
    }
}

/// Returns the nodes at the ends of the lines that a failure of an object can break.
fn nodes_of<'a>(object: ObjectRef, graph: &mut NetworkGraph<'a>, propagation: &Propagation<'a>) -> Vec<NodeId> {
    let physical_state = &propagation.physical_state;
    match &physical_state.role(object).part {
        Part::Machine(_) => graph.find(propagation, object).into_iter().collect(),
        Part::Connector(_) => match physical_state.connector(object).map(|(_, state)| state.purpose) {
            Some(Purpose::Data) => {
                let machine = machine_of(propagation, object);
                machine.and_then(|machine| graph.find(propagation, machine)).into_iter().collect()
            }
            Some(Purpose::Inlet | Purpose::Outlet) | None => Vec::new(),
            Some(_) => graph.nodes_far(propagation, object),
        },
        // A line may merely pass through such an object, so its machines are found at the line's ends.
        Part::End(_) => graph.nodes_far(propagation, object),
        _ => Vec::new(),
    }
}

/// The nodes that still reach their anchors under one failure, as far as they were examined.
struct Connectivity<'c, 'f, 'a> {
    network: Network<'f, 'a>,
    anchors: &'c mut Anchors,
    forest: &'c mut Forest,
    checked: Checked,
    /// For each node that was examined, true if it is not cut off.
    connected: HashMap<NodeId, bool>,
}

impl Connectivity<'_, '_, '_> {
    fn has_mark(&self, node: NodeId, mark: Mark) -> bool {
        self.network.propagation.physical_state.marks.has(self.network.graph.node(node).object, mark)
    }

    /// Returns the nodes that are connected with a node, including the node itself. A node that forwards no traffic
    /// connects no others.
    fn component(&mut self, node: NodeId) -> Result<Vec<NodeId>, ImpactError> {
        match self.network.graph.node(node).forwards {
            true => component(&mut self.network, node, Moment::After),
            false => Ok(vec![node]),
        }
    }

    /// Returns true if a node reaches an anchor, did not reach one before, or is down itself.
    fn is_connected(&mut self, node: NodeId) -> Result<bool, ImpactError> {
        self.network.steps.take()?;
        if let Some(known) = self.connected.get(&node) {
            return Ok(*known);
        }
        let is_connected = self.has_mark(node, DOWN)
            || self.forest.is_connected(&self.network, node, &mut self.checked)
            || match self.anchors.of(&mut self.network, node)? {
                None => true,
                Some(anchors) if anchors.contains(&node) => true,
                Some(anchors) if self.network.graph.node(node).forwards => self.finds_path(node, &anchors)?,
                Some(anchors) => self.has_connected_neighbor(node, &anchors)?,
            };
        self.connected.insert(node, is_connected);
        Ok(is_connected)
    }

    /// Searches for a path from a node that forwards traffic to an anchor, and keeps it in the forest. If there is
    /// none, all nodes that the search reached are cut off.
    fn finds_path(&mut self, node: NodeId, anchors: &HashSet<NodeId>) -> Result<bool, ImpactError> {
        let Self { network, forest, checked, .. } = self;
        let graph = visit(network, Which::Onward, node, anchors);
        let is_open = |edge: EdgeReference<NetworkEdge>| {
            let to = edge.adjacent.to;
            (anchors.contains(&to) || graph.forwards(to)) && graph.is_up(&edge.adjacent, Moment::After)
        };
        let is_goal =
            |node: NodeId| anchors.contains(&node) || graph.read(|network| forest.is_connected(network, node, checked));
        let found = path_to_nearest(&graph, node, is_open, is_goal);
        graph.finish()?;
        match &found {
            Ok(path) => self.forest.attach(path, &mut self.checked),
            Err(reached) => self.connected.extend(reached.iter().map(|node| (*node, false))),
        }
        Ok(found.is_ok())
    }

    /// Returns true if a node that forwards no traffic has a neighbor over which it reaches one of these anchors.
    fn has_connected_neighbor(&mut self, node: NodeId, anchors: &Arc<HashSet<NodeId>>) -> Result<bool, ImpactError> {
        let Network { graph, propagation, steps } = &mut self.network;
        for edge in graph.edges_onward(propagation, node, steps)?.iter() {
            self.network.steps.take()?;
            let is_anchor = anchors.contains(&edge.to);
            let leads = is_anchor || self.network.graph.node(edge.to).forwards;
            if !leads || !self.network.is_up(edge, Moment::After)? {
                continue;
            }
            if is_anchor || self.shares_anchors(edge.to, anchors)? && self.is_connected(edge.to)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if the anchors of a neighbor are among these anchors of a node that forwards no traffic.
    ///
    /// Such a node can be next to several components. Either its anchors are exits, and then those of a component are
    /// the same exits if it reaches any. Or they are the machines of one tier in all of these components, and then
    /// those of a component are the ones among them that it contains, if it contains any.
    fn shares_anchors(&mut self, neighbor: NodeId, anchors: &Arc<HashSet<NodeId>>) -> Result<bool, ImpactError> {
        let others = self.anchors.of(&mut self.network, neighbor)?;
        Ok(others.is_some_and(|others| {
            Arc::ptr_eq(&others, anchors) || others.iter().any(|anchor| anchors.contains(anchor))
        }))
    }
}
