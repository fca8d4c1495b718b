//! The network as a graph, of which only the part is built that a query visits. Nodes are machines, networks of other
//! operators and, if the query includes logical connections, groups. Edges are lines and other connections between
//! them.
//!
//! Two machines are connected by each complete, active line between their ports whose position on at least one end is
//! known without a guess. They are also connected if they belong to the same machine and both forward traffic. Edges
//! lead only to nodes that a path can pass or end at. They are the same, with the same cost, from both ends.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::HashMap;

use super::cost::Cost;
use super::error::{PathError, Side};
use super::logical;
use super::neighbours::Neighbours;
use super::{PathQuery, View};
pub(super) use crate::lazy::{EdgeId as ViaId, NodeId};
use crate::line::Tracer;
use crate::role::{Machine, MachineState, Outside, PackedState, Part, Plane, Purpose, Roles};
use crate::steps::Steps;
use underlay_inventory::{ObjectRef, ReferenceId, Snapshot};

/// A node that paths pass or end at.
#[derive(Clone, Debug)]
pub(super) struct PathNode {
    pub object: ObjectRef,
    /// True if paths can pass the node.
    pub passes: bool,
    /// The end of the query that the node belongs to.
    pub side: Option<Side>,
    /// True if the machine connects its group with others.
    pub outward: bool,
    /// True if any number of paths may meet in the node, because it is not a machine but contains machines.
    pub holds: bool,
    edges: Option<Arc<[PathEdge]>>,
}

/// An edge from a node to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathEdge {
    pub to: NodeId,
    pub via: ViaId,
    pub cost: Cost,
}

/// A connection between two nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Via {
    /// A line: the branch with this number in the trace from this end.
    Line { from: ObjectRef, branch: usize },
    /// The machine that both nodes are parts of.
    Whole,
    /// A line that leads to a group and not to a machine in it.
    Loose { from: ObjectRef, branch: usize },
    /// An object that says that the two nodes are connected.
    Association(ObjectRef),
    /// The membership of a machine in a group.
    Member,
}

/// The key of a connection, which is the same from both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    ends: (ObjectRef, ObjectRef),
    /// The association, if the connection is one.
    by: Option<ObjectRef>,
}

impl Key {
    /// Returns the key of the connection of two objects. `by` is the association, if it is one.
    pub fn new(one: ObjectRef, other: ObjectRef, by: Option<ObjectRef>) -> Self {
        Self { ends: (one.min(other), one.max(other)), by }
    }
}

/// An edge as it was found, before it is numbered.
pub(super) struct FoundEdge {
    pub to: ObjectRef,
    pub key: Key,
    pub via: Via,
    pub cost: Cost,
}

/// The network that a query searches.
pub(super) struct PathGraph<'a> {
    pub snapshot: &'a Snapshot,
    pub roles: &'a Roles,
    pub question: &'a PathQuery,
    /// Objects that no path may touch.
    pub avoided: &'a HashSet<ObjectRef>,
    ends: HashMap<ObjectRef, Side>,
    pub tracer: Tracer<'a>,
    nodes: Vec<PathNode>,
    index: HashMap<ObjectRef, Option<NodeId>>,
    vias: Vec<(Via, Cost)>,
    by_key: HashMap<Key, ViaId>,
    /// For each group visited, true if it has logical connections.
    pub(super) joined: HashMap<ObjectRef, bool>,
}

impl<'a> PathGraph<'a> {
    /// Returns the network between two ends, of which nothing is built yet.
    pub fn new(
        view: View<'a>,
        question: &'a PathQuery,
        avoided: &'a HashSet<ObjectRef>,
        ends: HashMap<ObjectRef, Side>,
    ) -> Self {
        Self {
            snapshot: view.snapshot,
            roles: view.roles,
            question,
            avoided,
            ends,
            tracer: Tracer::strand_by_strand(view.snapshot, view.roles),
            nodes: Vec::new(),
            index: HashMap::default(),
            vias: Vec::new(),
            by_key: HashMap::default(),
            joined: HashMap::default(),
        }
    }

    /// Returns the number of nodes that are known so far. Their numbers are below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns a node by its number.
    pub fn node(&self, id: NodeId) -> &PathNode {
        &self.nodes[id as usize]
    }

    /// Returns a connection by its number.
    pub fn via(&self, id: ViaId) -> Via {
        self.vias[id as usize].0
    }

    /// Returns true if an end of the query is a single machine, which all paths then share.
    pub fn is_single(&self, side: Side) -> bool {
        let holds = |object: &ObjectRef| self.roles.of(object.kind).group().is_some();
        self.ends.iter().filter(|(object, of)| **of == side && !holds(object)).count() == 1
    }

    /// Returns true if no path may touch the object.
    pub fn is_avoided(&self, object: ObjectRef) -> bool {
        self.avoided.contains(&object)
    }

    /// Returns the node of an object; `None` if paths can neither pass it nor end there. Creates the node if it is new.
    pub fn find(&mut self, object: ObjectRef) -> Option<NodeId> {
        if let Some(known) = self.index.get(&object) {
            return *known;
        }
        let node = self.look_at(object).map(|node| {
            self.nodes.push(node);
            (self.nodes.len() - 1) as NodeId
        });
        self.index.insert(object, node);
        node
    }

    /// Returns true if an object has a node. Creates no node, because nodes are numbered in the order in which edges
    /// lead to them.
    pub fn has_node(&mut self, object: ObjectRef) -> bool {
        if let Some(known) = self.index.get(&object) {
            return known.is_some();
        }
        let has_node = self.look_at(object).is_some();
        if !has_node {
            self.index.insert(object, None);
        }
        has_node
    }

    /// Returns true if an object has a node already and paths can pass it.
    pub fn passes(&self, object: ObjectRef) -> bool {
        self.index.get(&object).copied().flatten().is_some_and(|node| self.node(node).passes)
    }

    fn look_at(&self, object: ObjectRef) -> Option<PathNode> {
        if self.is_avoided(object) {
            return None;
        }
        let side = self.ends.get(&object).copied();
        let (passes, outward, holds) = match &self.roles.of(object.kind).part {
            Part::Machine(_) => {
                let (_, state) = self.machine(object)?;
                if !self.question.include_planned && !self.runs(object) {
                    return None;
                }
                (state.forwards && state.plane == self.question.plane, state.outward, false)
            }
            Part::Outside(_) => (true, true, false),
            Part::Group(_) | Part::Pool(_) if self.question.include_logical => (true, false, true),
            _ => return None,
        };
        let passes = passes && side.is_none();
        (passes || side.is_some()).then_some(PathNode { object, passes, side, outward, holds, edges: None })
    }

    /// Returns the role of a machine and its state.
    pub fn machine(&self, object: ObjectRef) -> Option<(&'a Machine, MachineState)> {
        match &self.roles.of(object.kind).part {
            Part::Machine(machine) => Some((machine, machine.state_at(self.snapshot, object)?)),
            _ => None,
        }
    }

    /// Returns true if an object exists and runs according to its own row.
    pub fn runs(&self, object: ObjectRef) -> bool {
        PackedState::at(self.snapshot, object).is_some_and(PackedState::runs)
    }

    /// Returns the edges from a node.
    pub fn edges(&mut self, node: NodeId, steps: &mut Steps) -> Result<Arc<[PathEdge]>, PathError> {
        if let Some(edges) = &self.node(node).edges {
            return Ok(Arc::clone(edges));
        }
        let object = self.node(node).object;
        let mut found = Vec::new();
        match &self.roles.of(object.kind).part {
            Part::Machine(_) => {
                self.lines_of_machine(node, &mut found, steps)?;
                self.siblings(object, &mut found);
            }
            Part::Outside(Outside { ends }) => {
                let ends: Vec<ObjectRef> = self.snapshot.incoming(object).by(*ends).collect();
                for end in ends {
                    steps.take()?;
                    self.lines_of_stander(object, end, &mut found);
                }
            }
            _ => {}
        }
        if self.question.include_logical {
            logical::edges(self, object, &mut found, steps)?;
        }
        // If several branches connect the same ends, the cheapest counts.
        found.sort_by_key(|found| found.cost);
        let mut edges: Vec<PathEdge> = found.into_iter().filter_map(|found| self.edge(node, found)).collect();
        edges.sort_by_key(|edge| (edge.via, edge.to));
        edges.dedup_by_key(|edge| edge.via);
        let edges: Arc<[PathEdge]> = edges.into();
        self.nodes[node as usize].edges = Some(Arc::clone(&edges));
        Ok(edges)
    }

    fn edge(&mut self, node: NodeId, found: FoundEdge) -> Option<PathEdge> {
        let to = self.find(found.to).filter(|to| *to != node)?;
        let via = match self.by_key.get(&found.key) {
            Some(via) => *via,
            None => {
                let via = self.vias.len() as ViaId;
                self.vias.push((found.via, found.cost));
                self.by_key.insert(found.key, via);
                via
            }
        };
        // If strands run side by side, the cost of a line can differ between its ends. The first cost found is used.
        Some(PathEdge { to, via, cost: self.vias[via as usize].1 })
    }

    /// Adds the lines of a machine.
    fn lines_of_machine(
        &mut self,
        node: NodeId,
        found: &mut Vec<FoundEdge>,
        steps: &mut Steps,
    ) -> Result<(), PathError> {
        let PathNode { object, passes, .. } = *self.node(node);
        // The memo of neighbours pays only for machines that paths pass. It cannot be used if objects are avoided,
        // because these may be anywhere on a line.
        if !passes || !self.avoided.is_empty() {
            for connector in self.connectors(object) {
                steps.take()?;
                self.lines_of_connector(object, connector, found);
            }
            return Ok(());
        }
        let neighbours = Neighbours::of(self, object, steps)?;
        for line in &neighbours.lines {
            steps.take()?;
            self.add_known(line, found);
        }
        for (connector, machine) in &neighbours.last {
            if self.ends.contains_key(machine) {
                steps.take()?;
                self.lines_of_connector(object, *connector, found);
            }
        }
        Ok(())
    }

    /// Returns the ports of a machine.
    pub fn connectors(&self, machine: ObjectRef) -> Vec<ObjectRef> {
        let incoming = self.snapshot.incoming(machine);
        self.roles.machines.iter().flat_map(|by| incoming.by(*by)).collect()
    }

    /// Returns the network that a port is for; `None` if the object is not a port that carries traffic.
    pub fn connector(&self, object: ObjectRef) -> Option<Plane> {
        let Part::Connector(_) = &self.roles.of(object.kind).part else { return None };
        match PackedState::at(self.snapshot, object)?.connector().purpose {
            Purpose::Data => Some(Plane::Data),
            Purpose::Management => Some(Plane::Management),
            Purpose::Inlet | Purpose::Outlet | Purpose::Bundle | Purpose::Other => None,
        }
    }

    /// Returns the bandwidth of a port in bits per second, which is `None` if unknown. The outer value is `None` if the
    /// object is not a port that carries traffic.
    pub fn bandwidth_of_connector(&self, object: ObjectRef) -> Option<Option<i64>> {
        self.connector(object)?;
        let Part::Connector(connector) = &self.roles.of(object.kind).part else { return None };
        Some((connector.bandwidth_bps)(self.snapshot.row(object)?.as_ref()))
    }

    /// Returns the machine that has a port.
    pub fn machine_of(&self, object: ObjectRef) -> Option<ObjectRef> {
        match &self.roles.of(object.kind).part {
            Part::Connector(connector) => self.snapshot.outgoing(object).first_by(connector.machine),
            _ => None,
        }
    }

    /// Adds the machines that are parts of the same machine, if both forward traffic.
    fn siblings(&self, object: ObjectRef, found: &mut Vec<FoundEdge>) {
        let Some((machine, state)) = self.machine(object).filter(|(_, state)| state.forwards) else { return };
        let whole = self.snapshot.outgoing(object).first_by(machine.whole);
        let parts = |of: ObjectRef| self.roles.wholes.iter().flat_map(move |by| self.snapshot.incoming(of).by(*by));
        let family = whole.into_iter().chain(whole.into_iter().flat_map(parts)).chain(parts(object));
        for other in family.filter(|other| *other != object) {
            let fits = |other: &MachineState| other.forwards && other.plane == state.plane;
            if self.machine(other).is_some_and(|(_, state)| fits(&state)) && state.plane == self.question.plane {
                found.push(FoundEdge {
                    to: other,
                    key: Key::new(object, other, None),
                    via: Via::Whole,
                    cost: Cost::HOP,
                });
            }
        }
    }

    /// Returns the objects that refer to an object by a reference.
    pub fn referring(&self, object: ObjectRef, by: ReferenceId) -> impl Iterator<Item = ObjectRef> + use<'a> {
        self.snapshot.incoming(object).by(by)
    }
}
