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
use super::{Question, View};
pub(super) use crate::lazy::{EdgeId as ViaId, NodeId};
use crate::line::Tracer;
use crate::role::{Machine, MachineState, Outside, PackedState, Part, Plane, Purpose, Roles};
use crate::steps::Steps;
use underlay_inventory::{ObjectRef, ReferenceId, Snapshot};

/// A node that paths pass or end at.
#[derive(Clone, Debug)]
pub(super) struct PathNode {
    pub place: ObjectRef,
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
    /// Returns the key of the connection of two places. `by` is the association, if it is one.
    pub fn new(one: ObjectRef, other: ObjectRef, by: Option<ObjectRef>) -> Self {
        Self { ends: (one.min(other), one.max(other)), by }
    }
}

/// An edge as it was found, before it is numbered.
pub(super) struct Found {
    pub to: ObjectRef,
    pub key: Key,
    pub via: Via,
    pub cost: Cost,
}

/// The network that a query searches.
pub(super) struct PathGraph<'a> {
    pub snapshot: &'a Snapshot,
    pub roles: &'a Roles,
    pub question: &'a Question,
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
        question: &'a Question,
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
        let holds = |place: &ObjectRef| self.roles.of(place.kind).group().is_some();
        self.ends.iter().filter(|(place, of)| **of == side && !holds(place)).count() == 1
    }

    /// Returns true if no path may touch the object.
    pub fn is_avoided(&self, place: ObjectRef) -> bool {
        self.avoided.contains(&place)
    }

    /// Returns the node of a place; `None` if paths can neither pass it nor end there. Creates the node if it is new.
    pub fn find(&mut self, place: ObjectRef) -> Option<NodeId> {
        if let Some(known) = self.index.get(&place) {
            return *known;
        }
        let node = self.look_at(place).map(|node| {
            self.nodes.push(node);
            (self.nodes.len() - 1) as NodeId
        });
        self.index.insert(place, node);
        node
    }

    /// Returns true if a place has a node. Creates no node, because nodes are numbered in the order in which edges lead
    /// to them.
    pub fn has_node(&mut self, place: ObjectRef) -> bool {
        if let Some(known) = self.index.get(&place) {
            return known.is_some();
        }
        let has_node = self.look_at(place).is_some();
        if !has_node {
            self.index.insert(place, None);
        }
        has_node
    }

    /// Returns true if a place has a node already and paths can pass it.
    pub fn passes(&self, place: ObjectRef) -> bool {
        self.index.get(&place).copied().flatten().is_some_and(|node| self.node(node).passes)
    }

    fn look_at(&self, place: ObjectRef) -> Option<PathNode> {
        if self.is_avoided(place) {
            return None;
        }
        let side = self.ends.get(&place).copied();
        let (passes, outward, holds) = match &self.roles.of(place.kind).part {
            Part::Machine(_) => {
                let (_, state) = self.machine(place)?;
                if !self.question.include_planned && !self.runs(place) {
                    return None;
                }
                (state.forwards && state.plane == self.question.plane, state.outward, false)
            }
            Part::Outside(_) => (true, true, false),
            Part::Group(_) | Part::Pool(_) if self.question.include_logical => (true, false, true),
            _ => return None,
        };
        let passes = passes && side.is_none();
        (passes || side.is_some()).then_some(PathNode { place, passes, side, outward, holds, edges: None })
    }

    /// Returns the role of a machine and its state.
    pub fn machine(&self, place: ObjectRef) -> Option<(&'a Machine, MachineState)> {
        match &self.roles.of(place.kind).part {
            Part::Machine(machine) => Some((machine, machine.state_at(self.snapshot, place)?)),
            _ => None,
        }
    }

    /// Returns true if an object exists and runs according to its own row.
    pub fn runs(&self, place: ObjectRef) -> bool {
        PackedState::at(self.snapshot, place).is_some_and(PackedState::runs)
    }

    /// Returns the edges from a node.
    pub fn edges(&mut self, node: NodeId, steps: &mut Steps) -> Result<Arc<[PathEdge]>, PathError> {
        if let Some(edges) = &self.node(node).edges {
            return Ok(Arc::clone(edges));
        }
        let place = self.node(node).place;
        let mut found = Vec::new();
        match &self.roles.of(place.kind).part {
            Part::Machine(_) => {
                self.lines_of_machine(node, &mut found, steps)?;
                self.siblings(place, &mut found);
            }
            Part::Outside(Outside { ends }) => {
                let ends: Vec<ObjectRef> = self.snapshot.incoming(place).by(*ends).collect();
                for end in ends {
                    steps.take()?;
                    self.lines_of_stander(place, end, &mut found);
                }
            }
            _ => {}
        }
        if self.question.include_logical {
            logical::edges(self, place, &mut found, steps)?;
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

    fn edge(&mut self, node: NodeId, found: Found) -> Option<PathEdge> {
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
    fn lines_of_machine(&mut self, node: NodeId, found: &mut Vec<Found>, steps: &mut Steps) -> Result<(), PathError> {
        let PathNode { place, passes, .. } = *self.node(node);
        // The memo of neighbours pays only for machines that paths pass. It cannot be used if objects are avoided,
        // because these may be anywhere on a line.
        if !passes || !self.avoided.is_empty() {
            for connector in self.connectors(place) {
                steps.take()?;
                self.lines_of_connector(place, connector, found);
            }
            return Ok(());
        }
        let neighbours = Neighbours::of(self, place, steps)?;
        for line in &neighbours.lines {
            steps.take()?;
            self.add_known(line, found);
        }
        for (connector, machine) in &neighbours.last {
            if self.ends.contains_key(machine) {
                steps.take()?;
                self.lines_of_connector(place, *connector, found);
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
    pub fn connector(&self, place: ObjectRef) -> Option<Plane> {
        let Part::Connector(_) = &self.roles.of(place.kind).part else { return None };
        match PackedState::at(self.snapshot, place)?.connector().purpose {
            Purpose::Data => Some(Plane::Data),
            Purpose::Management => Some(Plane::Management),
            Purpose::Inlet | Purpose::Outlet | Purpose::Bundle | Purpose::Other => None,
        }
    }

    /// Returns the bandwidth of a port in bits per second, which is `None` if unknown. The outer value is `None` if the
    /// object is not a port that carries traffic.
    pub fn bandwidth_of_connector(&self, place: ObjectRef) -> Option<Option<i64>> {
        self.connector(place)?;
        let Part::Connector(connector) = &self.roles.of(place.kind).part else { return None };
        Some((connector.bandwidth_bps)(self.snapshot.row(place)?.as_ref()))
    }

    /// Returns the machine that has a port.
    pub fn machine_of(&self, place: ObjectRef) -> Option<ObjectRef> {
        match &self.roles.of(place.kind).part {
            Part::Connector(connector) => self.snapshot.outgoing(place).first_by(connector.machine),
            _ => None,
        }
    }

    /// Adds the machines that are parts of the same machine, if both forward traffic.
    fn siblings(&self, place: ObjectRef, found: &mut Vec<Found>) {
        let Some((machine, state)) = self.machine(place).filter(|(_, state)| state.forwards) else { return };
        let whole = self.snapshot.outgoing(place).first_by(machine.whole);
        let parts = |of: ObjectRef| self.roles.wholes.iter().flat_map(move |by| self.snapshot.incoming(of).by(*by));
        let family = whole.into_iter().chain(whole.into_iter().flat_map(parts)).chain(parts(place));
        for other in family.filter(|other| *other != place) {
            let fits = |other: &MachineState| other.forwards && other.plane == state.plane;
            if self.machine(other).is_some_and(|(_, state)| fits(&state)) && state.plane == self.question.plane {
                found.push(Found { to: other, key: Key::new(place, other, None), via: Via::Whole, cost: Cost::HOP });
            }
        }
    }

    /// Returns the objects that refer to a place by a reference.
    pub fn referring(&self, place: ObjectRef, by: ReferenceId) -> impl Iterator<Item = ObjectRef> + use<'a> {
        self.snapshot.incoming(place).by(by)
    }
}
