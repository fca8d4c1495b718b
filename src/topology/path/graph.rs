//! The network as a graph, found as far as a question looks: machines, networks of others and, where logical joints
//! are asked for, groups as nodes; lines and joints as ways between them.
//!
//! Two machines are joined by each complete, active line between their plugs that is unguessed from at least one end,
//! and by a common whole when both pass traffic on. Ways lead only to nodes that a path can pass or end at, and are the
//! same, at the same cost, from both of their ends.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::HashMap;

use super::cost::Cost;
use super::error::{PathError, Side};
use super::logical;
use super::neighbours::Neighbours;
use super::role::{Machine, MachineState, Network, Part, PlugState, Roles};
use super::{Question, View};
use crate::inventory::{Place, ReferenceId, Snapshot};
use crate::topology::line::{Lines, Tracer};
use crate::topology::steps::Steps;

/// A node, by its number.
pub(super) type NodeId = u32;
/// What joins two nodes, by its number.
pub(super) type ViaId = u32;

/// What paths run over or end at.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub place: Place,
    /// Whether paths can pass it.
    pub passes: bool,
    /// The end of the question that it is of.
    pub side: Option<Side>,
    /// Whether it stands between its group and others.
    pub outward: bool,
    /// Whether any number of ways may meet in it: it is no machine, but holds some.
    pub holds: bool,
    ways: Option<Arc<[Way]>>,
}

/// A way from a node to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub to: NodeId,
    pub via: ViaId,
    pub cost: Cost,
}

/// What joins two nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Via {
    /// A line: it is the branch with this number of the trace from this end.
    Line { from: Place, branch: usize },
    /// A common whole.
    Whole,
    /// A line that leads to a group and not beyond.
    Loose { from: Place, branch: usize },
    /// What says that they are joined.
    Association(Place),
    /// The one is in the other.
    Member,
}

/// The same seen from both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    ends: (Place, Place),
    /// The association, where it is one.
    by: Option<Place>,
}

impl Key {
    /// What joins two places, and by what when that is no line.
    pub fn new(one: Place, other: Place, by: Option<Place>) -> Self {
        Self { ends: (one.min(other), one.max(other)), by }
    }
}

/// A way as it was found.
pub(super) struct Found {
    pub to: Place,
    pub key: Key,
    pub via: Via,
    pub cost: Cost,
}

/// The network that a question is about.
pub(super) struct Graph<'a> {
    pub snapshot: &'a Snapshot,
    pub roles: &'a Roles,
    pub lines: &'a Lines,
    pub question: &'a Question,
    /// What no path may touch.
    pub avoided: &'a HashSet<Place>,
    ends: HashMap<Place, Side>,
    pub tracer: Tracer<'a>,
    nodes: Vec<Node>,
    index: HashMap<Place, Option<NodeId>>,
    vias: Vec<(Via, Cost)>,
    by_key: HashMap<Key, ViaId>,
    /// Whether groups have logical joints at all.
    pub(super) joined: HashMap<Place, bool>,
}

impl<'a> Graph<'a> {
    /// The network between two ends; nothing is looked at yet.
    pub fn new(
        view: View<'a>,
        question: &'a Question,
        avoided: &'a HashSet<Place>,
        ends: HashMap<Place, Side>,
    ) -> Self {
        Self {
            snapshot: view.snapshot,
            roles: view.roles,
            lines: view.lines,
            question,
            avoided,
            ends,
            tracer: Tracer::strand_by_strand(view.snapshot, view.lines),
            nodes: Vec::new(),
            index: HashMap::default(),
            vias: Vec::new(),
            by_key: HashMap::default(),
            joined: HashMap::default(),
        }
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// What joins two nodes.
    pub fn via(&self, id: ViaId) -> Via {
        self.vias[id as usize].0
    }

    /// Whether the question has one machine at an end: all ways share it then.
    pub fn is_single(&self, side: Side) -> bool {
        let holds = |place: &Place| matches!(self.roles.of(place.kind).part, Part::Group(_));
        self.ends.iter().filter(|(place, of)| **of == side && !holds(place)).count() == 1
    }

    /// What no path may touch.
    pub fn is_avoided(&self, place: Place) -> bool {
        self.avoided.contains(&place)
    }

    /// The node of a place; `None` where no path can pass or end.
    pub fn find(&mut self, place: Place) -> Option<NodeId> {
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

    /// Whether a place has a node. It is not numbered by this: nodes are in the order in which ways lead to them.
    pub fn has_node(&mut self, place: Place) -> bool {
        if let Some(known) = self.index.get(&place) {
            return known.is_some();
        }
        let has_node = self.look_at(place).is_some();
        if !has_node {
            self.index.insert(place, None);
        }
        has_node
    }

    /// Whether paths can pass a place, as far as it has a number.
    pub fn passes(&self, place: Place) -> bool {
        self.index.get(&place).copied().flatten().is_some_and(|node| self.node(node).passes)
    }

    fn look_at(&self, place: Place) -> Option<Node> {
        if self.is_avoided(place) {
            return None;
        }
        let side = self.ends.get(&place).copied();
        let (passes, outward, holds) = match &self.roles.of(place.kind).part {
            Part::Machine(_) => {
                let (_, state) = self.machine(place)?;
                if !state.runs && !self.question.include_planned {
                    return None;
                }
                (state.forwards && state.plane == self.question.plane, state.outward, false)
            }
            Part::Network(_) => (true, true, false),
            Part::Group(_) if self.question.include_logical => (true, false, true),
            _ => return None,
        };
        let passes = passes && side.is_none();
        (passes || side.is_some()).then_some(Node { place, passes, side, outward, holds, ways: None })
    }

    /// What a machine says of itself.
    pub fn machine(&self, place: Place) -> Option<(&'a Machine, MachineState)> {
        match &self.roles.of(place.kind).part {
            Part::Machine(machine) => Some((machine, (machine.state)(self.snapshot.row(place)?.as_ref()))),
            _ => None,
        }
    }

    /// The ways from a node.
    pub async fn ways(&mut self, node: NodeId, steps: &mut Steps) -> Result<Arc<[Way]>, PathError> {
        if let Some(ways) = &self.node(node).ways {
            return Ok(Arc::clone(ways));
        }
        let place = self.node(node).place;
        let mut found = Vec::new();
        match &self.roles.of(place.kind).part {
            Part::Machine(_) => {
                self.lines_of_machine(node, &mut found, steps).await?;
                self.siblings(place, &mut found);
            }
            Part::Network(Network { ends }) => {
                let ends: Vec<Place> = self.snapshot.incoming(place).by(*ends).collect();
                for end in ends {
                    steps.take().await?;
                    self.lines_of_stander(place, end, &mut found);
                }
            }
            _ => {}
        }
        if self.question.include_logical {
            logical::ways(self, place, &mut found, steps).await?;
        }
        // Where several branches join the same ends, the least counts.
        found.sort_by_key(|found| found.cost);
        let mut ways: Vec<Way> = found.into_iter().filter_map(|found| self.way(node, found)).collect();
        ways.sort_by_key(|way| (way.via, way.to));
        ways.dedup_by_key(|way| way.via);
        let ways: Arc<[Way]> = ways.into();
        self.nodes[node as usize].ways = Some(Arc::clone(&ways));
        Ok(ways)
    }

    fn way(&mut self, node: NodeId, found: Found) -> Option<Way> {
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
        // Seen from its other end a line may seem to cost something else, where strands run side by side.
        Some(Way { to, via, cost: self.vias[via as usize].1 })
    }

    /// The lines of a machine.
    async fn lines_of_machine(
        &mut self,
        node: NodeId,
        found: &mut Vec<Found>,
        steps: &mut Steps,
    ) -> Result<(), PathError> {
        let Node { place, passes, .. } = *self.node(node);
        // Few questions come to a machine that paths do not pass. What is avoided may be anywhere on a line.
        if !passes || !self.avoided.is_empty() {
            for plug in self.plugs(place) {
                steps.take().await?;
                self.lines_of_plug(place, plug, found);
            }
            return Ok(());
        }
        let neighbours = Neighbours::of(self, place, steps).await?;
        for line in &neighbours.lines {
            steps.take().await?;
            self.add_known(line, found);
        }
        for (plug, machine) in &neighbours.last {
            if self.ends.contains_key(machine) {
                steps.take().await?;
                self.lines_of_plug(place, *plug, found);
            }
        }
        Ok(())
    }

    /// The plugs of a machine.
    pub fn plugs(&self, machine: Place) -> Vec<Place> {
        let incoming = self.snapshot.incoming(machine);
        self.roles.machines.iter().flat_map(|by| incoming.by(*by)).collect()
    }

    /// What a plug that carries traffic says of itself.
    pub fn plug(&self, place: Place) -> Option<PlugState> {
        match &self.roles.of(place.kind).part {
            Part::Plug(plug) => (plug.state)(self.snapshot.row(place)?.as_ref()),
            _ => None,
        }
    }

    /// The machine that has a plug.
    pub fn machine_of(&self, place: Place) -> Option<Place> {
        match &self.roles.of(place.kind).part {
            Part::Plug(plug) => self.snapshot.outgoing(place).first_by(plug.machine),
            _ => None,
        }
    }

    /// The machines of the same whole, where both pass traffic on.
    fn siblings(&self, place: Place, found: &mut Vec<Found>) {
        let Some((machine, state)) = self.machine(place).filter(|(_, state)| state.forwards) else { return };
        let whole = self.snapshot.outgoing(place).first_by(machine.whole);
        let parts = |of: Place| self.roles.wholes.iter().flat_map(move |by| self.snapshot.incoming(of).by(*by));
        let family = whole.into_iter().chain(whole.into_iter().flat_map(parts)).chain(parts(place));
        for other in family.filter(|other| *other != place) {
            let fits = |other: &MachineState| other.forwards && other.plane == state.plane;
            if self.machine(other).is_some_and(|(_, state)| fits(&state)) && state.plane == self.question.plane {
                found.push(Found { to: other, key: Key::new(place, other, None), via: Via::Whole, cost: Cost::HOP });
            }
        }
    }

    /// The objects by one reference to a place, or from it.
    pub fn referring(&self, place: Place, by: ReferenceId) -> impl Iterator<Item = Place> + use<'a> {
        self.snapshot.incoming(place).by(by)
    }
}
