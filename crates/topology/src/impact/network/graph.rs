//! The network as a graph: machines and exits are nodes, lines are edges. Only the part that a query visits is
//! extracted.
//!
//! Two machines are connected by each complete, active line for user traffic between them whose position on at least
//! one end is known without a guess. They are also connected if they belong to the same machine and both forward
//! traffic. For every edge, the graph knows its state before and after the failure, and which object broke
//! it.

use std::sync::Arc;

use foldhash::HashMap;

use super::super::error::ImpactError;
use super::super::physical_state::{Moment, PhysicalState};
use super::super::propagate::Propagation;
use super::condition::{Conditions, LineAt, NetworkLine};
use super::edges::Which;
pub(in super::super) use crate::lazy::NodeId;
use crate::lazy::{Adjacent, EdgeId};
use crate::line::Tracer;
use crate::role::{Part, Plane, Tier};
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// A node of the graph: a machine or an exit.
#[derive(Clone, Debug)]
pub(in super::super) struct NetworkNode {
    pub object: ObjectRef,
    /// True if traffic can pass through the node.
    pub forwards: bool,
    /// True if the node is left out of the answer.
    pub exempt: bool,
    /// True if the node is an exit from the inventory.
    pub exit: bool,
    pub tier: Tier,
    /// All edges of the node, once they were found.
    pub(super) edges: Option<Arc<[NetworkEdge]>>,
    /// The edges to nodes that paths can pass or end at, once they were found.
    pub(super) onward: Option<Arc<[NetworkEdge]>>,
}

/// An edge from a node to another one: a line.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct NetworkEdge {
    pub to: NodeId,
    /// The number of the line. It is the same from both ends.
    pub id: EdgeId,
    /// The index of the line in the conditions, as found from this end.
    at: LineAt,
}

impl Adjacent for NetworkEdge {
    type Weight = ();

    fn target(&self) -> NodeId {
        self.to
    }

    fn id(&self) -> EdgeId {
        self.id
    }

    fn weight(&self) -> &() {
        &()
    }
}

/// The use of a graph: for one failure or for many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum About {
    /// The failure is complete, so a broken line stays broken.
    OneFailure,
    /// The set of objects that are down changes between two queries.
    Many,
}

/// The network for user traffic in a snapshot.
pub(in super::super) struct NetworkGraph<'a> {
    /// The anchors that the query gives.
    pub(super) requested_anchors: Vec<ObjectRef>,
    pub(super) tracer: Tracer<'a>,
    nodes: Vec<NetworkNode>,
    index: HashMap<ObjectRef, NodeId>,
    lines: HashMap<(ObjectRef, ObjectRef), EdgeId>,
    conditions: Conditions,
}

impl<'a> NetworkGraph<'a> {
    /// Returns the network of a snapshot, of which nothing is extracted yet.
    pub fn new(propagation: &Propagation<'a>, about: About) -> Self {
        let PhysicalState { snapshot, roles, .. } = propagation.physical_state;
        let tracer = Tracer::strand_by_strand(snapshot, roles);
        Self {
            requested_anchors: Vec::new(),
            tracer,
            nodes: Vec::new(),
            index: HashMap::default(),
            lines: HashMap::default(),
            conditions: Conditions::new(about),
        }
    }

    /// Returns the same network with these anchors.
    pub fn with_anchors(self, requested_anchors: &[ObjectRef]) -> Self {
        Self { requested_anchors: requested_anchors.to_vec(), ..self }
    }

    /// Returns true if paths may pass a node or end at it.
    pub fn may_lead(&self, node: NodeId) -> bool {
        let NetworkNode { forwards, exit, tier, object, .. } = *self.node(node);
        forwards || exit || tier != Tier::Other || self.requested_anchors.contains(&object)
    }

    /// Returns true if paths may pass a machine or end at it. The machine gets no node number by this.
    pub fn may_lead_to(&self, propagation: &Propagation<'_>, machine: ObjectRef) -> bool {
        match self.index.get(&machine) {
            Some(node) => self.may_lead(*node),
            None => {
                propagation.physical_state.machine(machine).and_then(|(_, state)| state.on(Plane::Data)).is_some_and(
                    |machine_state| {
                        machine_state.forwards
                            || machine_state.tier != Tier::Other
                            || self.requested_anchors.contains(&machine)
                    },
                )
            }
        }
    }

    /// Returns the number of nodes that are known so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns a node by its number.
    pub fn node(&self, id: NodeId) -> &NetworkNode {
        &self.nodes[id as usize]
    }

    /// Returns the node of a machine in the network for user traffic, or of an exit. Creates the node if it is new.
    pub fn find(&mut self, propagation: &Propagation<'_>, object: ObjectRef) -> Option<NodeId> {
        if let Some(node) = self.index.get(&object) {
            return Some(*node);
        }
        let (forwards, exempt, exit, tier) = match &propagation.physical_state.role(object).part {
            Part::Machine(_) => {
                let machine_state = propagation.physical_state.machine(object)?.1.on(Plane::Data)?;
                (machine_state.forwards, machine_state.exempt, false, machine_state.tier)
            }
            Part::Outside(_) | Part::OpaqueSpan(_) => {
                (matches!(propagation.physical_state.role(object).part, Part::Outside(_)), true, true, Tier::Other)
            }
            _ => return None,
        };
        let node = self.nodes.len() as NodeId;
        self.nodes.push(NetworkNode { object, forwards, exempt, exit, tier, edges: None, onward: None });
        self.index.insert(object, node);
        Some(node)
    }

    /// Numbers the lines that were found at a node. Of several lines between the same two ends only one is kept: one
    /// that was up before, if there is any.
    pub(super) fn number(
        &mut self,
        propagation: &mut Propagation<'a>,
        node: NodeId,
        found: Vec<NetworkLine>,
        steps: &mut Steps,
    ) -> Result<Arc<[NetworkEdge]>, ImpactError> {
        let mut all = Vec::with_capacity(found.len());
        for found in found {
            let Some(to) = self.find(propagation, found.to).filter(|to| *to != node) else { continue };
            let next = self.lines.len() as u32;
            let id = *self.lines.entry(found.key).or_insert(next);
            all.push(NetworkEdge { to, id, at: self.conditions.add(&found) });
        }
        all.sort_by_key(|edge| edge.id);
        let mut edges: Vec<NetworkEdge> = Vec::with_capacity(all.len());
        for edge in all {
            match edges.last_mut().filter(|last| last.id == edge.id) {
                None => edges.push(edge),
                Some(last) if self.was_up(propagation, last, steps)? => {}
                Some(last) if self.was_up(propagation, &edge, steps)? => *last = edge,
                Some(_) => {}
            }
        }
        Ok(edges.into())
    }

    /// Keeps the lines of a node: all of them, or those to nodes that paths can pass or end at.
    pub(super) fn keep(&mut self, node: NodeId, which: Which, edges: &Arc<[NetworkEdge]>) {
        let node = &mut self.nodes[node as usize];
        let kept = if which == Which::All { &mut node.edges } else { &mut node.onward };
        *kept = Some(Arc::clone(edges));
    }

    /// Returns the objects on a line.
    pub fn hops(&self, edge: &NetworkEdge) -> &[ObjectRef] {
        self.conditions.hops(edge.at)
    }

    /// Returns true if a line is up at a moment. Checks the line if necessary.
    pub fn is_up(
        &mut self,
        propagation: &mut Propagation<'a>,
        edge: &NetworkEdge,
        at: Moment,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        if self.conditions.is_unknown(edge.at) {
            self.conditions.look(edge.at, propagation, steps)?;
        }
        Ok(self.conditions.is_up(edge.at, propagation, at))
    }

    /// Returns true if a line was up before the failure.
    pub fn was_up(
        &mut self,
        propagation: &mut Propagation<'a>,
        edge: &NetworkEdge,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        self.is_up(propagation, edge, Moment::Before, steps)
    }

    /// Returns true if a line that was checked is up at a moment.
    pub fn is_known_up(&self, propagation: &Propagation<'_>, edge: &NetworkEdge, at: Moment) -> bool {
        self.conditions.is_up(edge.at, propagation, at)
    }

    /// Returns the object that broke a line. If the neighbour went down, it is reported instead of the port or cable
    /// that went down with it.
    pub fn cause(
        &mut self,
        propagation: &mut Propagation<'a>,
        edge: &NetworkEdge,
        steps: &mut Steps,
    ) -> Result<Option<ObjectRef>, ImpactError> {
        let went_down = |object: &ObjectRef| propagation.physical_state.went_down(*object);
        let neighbour = Some(self.node(edge.to).object).filter(went_down);
        let cause = neighbour.or_else(|| self.hops(edge).iter().copied().find(went_down));
        Ok(if cause.is_some() && self.was_up(propagation, edge, steps)? { cause } else { None })
    }
}
