//! The network as a graph: machines and exits are nodes, lines are edges. Only the part that a query visits is
//! extracted.
//!
//! Two machines are connected by each complete, active line for user traffic between them whose position on at least
//! one end is known without a guess. They are also connected if they belong to the same machine and both forward
//! traffic. For every edge, the graph can tell whether it was up before, whether it is up after, and which object broke
//! it.

use std::sync::Arc;

use foldhash::HashMap;

use super::super::error::ImpactError;
use super::super::physical_state::{Moment, PhysicalState, each, each_by};
use super::super::propagate::Propagation;
use super::condition::{Conditions, Line, LineAt};
use super::ways::Which;
use crate::line::{Branch, Direction, Outcome, Through, Tracer};
use crate::role::{Part, Plane, Purpose, Tier};
use crate::steps::Steps;
use underlay_inventory::{Dependencies, ObjectRef};

/// The number of a node, counted in the order in which the nodes are found.
pub(in super::super) type NodeId = u32;

/// A node of the graph: a machine or an exit.
#[derive(Clone, Debug)]
pub(in super::super) struct Node {
    pub place: ObjectRef,
    /// True if traffic can pass through the node.
    pub forwards: bool,
    /// True if the node is left out of the answer.
    pub exempt: bool,
    /// True if the node is an exit from the inventory.
    pub exit: bool,
    pub tier: Tier,
    /// All lines of the node, once they were found.
    pub(super) ways: Option<Arc<[Way]>>,
    /// The lines to nodes that paths can pass or end at, once they were found.
    pub(super) onward: Option<Arc<[Way]>>,
}

/// A line from a node to another one.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Way {
    pub to: NodeId,
    /// The number of the line. It is the same from both ends.
    pub line: u32,
    /// The index of the line in the conditions, as found from this end.
    at: LineAt,
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
pub(in super::super) struct Graph<'a> {
    /// The anchors that the query gives.
    pub(super) given: Vec<ObjectRef>,
    pub(super) tracer: Tracer<'a>,
    nodes: Vec<Node>,
    index: HashMap<ObjectRef, NodeId>,
    lines: HashMap<(ObjectRef, ObjectRef), u32>,
    conditions: Conditions,
}

impl<'a> Graph<'a> {
    /// Returns the network of a snapshot, of which nothing is extracted yet.
    pub fn new(propagation: &Propagation<'a>, about: About) -> Self {
        let PhysicalState { snapshot, roles, .. } = propagation.physical_state;
        let tracer = Tracer::strand_by_strand(snapshot, roles);
        Self {
            given: Vec::new(),
            tracer,
            nodes: Vec::new(),
            index: HashMap::default(),
            lines: HashMap::default(),
            conditions: Conditions::new(about),
        }
    }

    /// Returns the same network with these anchors.
    pub fn with_anchors(self, given: &[ObjectRef]) -> Self {
        Self { given: given.to_vec(), ..self }
    }

    /// Returns true if paths may pass a node or end at it.
    pub fn may_lead(&self, node: NodeId) -> bool {
        let Node { forwards, exit, tier, place, .. } = *self.node(node);
        forwards || exit || tier != Tier::Other || self.given.contains(&place)
    }

    /// Returns true if paths may pass a machine or end at it. The machine gets no node number by this.
    pub fn may_lead_to(&self, propagation: &Propagation<'_>, machine: ObjectRef) -> bool {
        match self.index.get(&machine) {
            Some(node) => self.may_lead(*node),
            None => {
                propagation.physical_state.machine(machine).and_then(|(_, state)| state.on(Plane::Data)).is_some_and(
                    |standing| standing.forwards || standing.tier != Tier::Other || self.given.contains(&machine),
                )
            }
        }
    }

    /// Returns a node by its number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Returns the node of a machine in the network for user traffic, or of an exit. Creates the node if it is new.
    pub fn find(&mut self, propagation: &Propagation<'_>, place: ObjectRef) -> Option<NodeId> {
        if let Some(node) = self.index.get(&place) {
            return Some(*node);
        }
        let (forwards, exempt, exit, tier) = match &propagation.physical_state.role(place).part {
            Part::Machine(_) => {
                let standing = propagation.physical_state.machine(place)?.1.on(Plane::Data)?;
                (standing.forwards, standing.exempt, false, standing.tier)
            }
            Part::Outside(_) | Part::Crossing(_) => {
                (matches!(propagation.physical_state.role(place).part, Part::Outside(_)), true, true, Tier::Other)
            }
            _ => return None,
        };
        let node = self.nodes.len() as NodeId;
        self.nodes.push(Node { place, forwards, exempt, exit, tier, ways: None, onward: None });
        self.index.insert(place, node);
        Some(node)
    }

    /// Numbers the lines that were found at a node. Of several lines between the same two ends only one is kept: one
    /// that was up before, if there is any.
    pub(super) fn number(
        &mut self,
        propagation: &mut Propagation<'a>,
        node: NodeId,
        found: Vec<Line>,
        steps: &mut Steps,
    ) -> Result<Arc<[Way]>, ImpactError> {
        let mut all = Vec::with_capacity(found.len());
        for found in found {
            let Some(to) = self.find(propagation, found.to).filter(|to| *to != node) else { continue };
            let next = self.lines.len() as u32;
            let line = *self.lines.entry(found.key).or_insert(next);
            all.push(Way { to, line, at: self.conditions.add(&found) });
        }
        all.sort_by_key(|way| way.line);
        let mut ways: Vec<Way> = Vec::with_capacity(all.len());
        for way in all {
            match ways.last_mut().filter(|last| last.line == way.line) {
                None => ways.push(way),
                Some(last) if self.was_up(propagation, last, steps)? => {}
                Some(last) if self.was_up(propagation, &way, steps)? => *last = way,
                Some(_) => {}
            }
        }
        Ok(ways.into())
    }

    /// Keeps the lines of a node: all of them, or those to nodes that paths can pass or end at.
    pub(super) fn keep(&mut self, node: NodeId, which: Which, ways: &Arc<[Way]>) {
        let node = &mut self.nodes[node as usize];
        let place = if which == Which::All { &mut node.ways } else { &mut node.onward };
        *place = Some(Arc::clone(ways));
    }

    /// Returns the lines of a node that are kept.
    fn known_ways(&self, node: NodeId) -> &[Way] {
        let Node { ways, onward, .. } = self.node(node);
        ways.as_deref().or(onward.as_deref()).unwrap_or_default()
    }

    /// Returns the objects on a line.
    pub fn hops(&self, way: &Way) -> &[ObjectRef] {
        self.conditions.hops(way.at)
    }

    /// Returns a line of a node by its number, if it is kept.
    pub fn known(&self, node: NodeId, line: u32) -> Option<Way> {
        self.known_ways(node).iter().find(|way| way.line == line).copied()
    }

    /// Returns true if a line is up at a moment. Checks the line if necessary.
    pub fn is_up(
        &mut self,
        propagation: &mut Propagation<'a>,
        way: &Way,
        at: Moment,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        if self.conditions.is_unknown(way.at) {
            // Most calls find the line checked already, and the future of the check is large.
            self.conditions.look(way.at, propagation, steps)?;
        }
        Ok(self.conditions.is_up(way.at, propagation, at))
    }

    /// Returns true if a line was up before the failure.
    pub fn was_up(
        &mut self,
        propagation: &mut Propagation<'a>,
        way: &Way,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        self.is_up(propagation, way, Moment::Before, steps)
    }

    /// Returns true if a line that was checked is up at a moment.
    pub fn is_known_up(&self, propagation: &Propagation<'_>, way: &Way, at: Moment) -> bool {
        self.conditions.is_up(way.at, propagation, at)
    }

    /// Returns the object that broke a line. If the neighbour went down, it is reported instead of the port or cable
    /// that went down with it.
    pub fn cause(
        &mut self,
        propagation: &mut Propagation<'a>,
        way: &Way,
        steps: &mut Steps,
    ) -> Result<Option<ObjectRef>, ImpactError> {
        let fell = |place: &ObjectRef| propagation.physical_state.fell(*place);
        let neighbour = Some(self.node(way.to).place).filter(fell);
        let cause = neighbour.or_else(|| self.hops(way).iter().copied().find(fell));
        Ok(if cause.is_some() && self.was_up(propagation, way, steps)? { cause } else { None })
    }

    /// Returns the lines between two nodes that are known to be up at a moment.
    pub fn lines_between(&self, propagation: &Propagation<'_>, one: NodeId, other: NodeId, at: Moment) -> Vec<u32> {
        let ways = |from: NodeId, to: NodeId| {
            self.known_ways(from)
                .iter()
                .filter(move |way| way.to == to && self.is_known_up(propagation, way, at))
                .map(|way| way.line)
        };
        ways(one, other).chain(ways(other, one)).collect()
    }

    /// Adds the lines of a port to other machines and to exits.
    pub(super) fn lines_of_plug(
        &mut self,
        propagation: &Propagation<'a>,
        plug: ObjectRef,
        found: &mut Vec<Line>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        steps.take()?;
        if let Some(direct) = self.tracer.direct_line(plug) {
            let machine = user_machine_of(propagation, direct.end);
            let hops = [plug, direct.joint, direct.end];
            found.extend(machine.map(|to| Line::over(&hops, direct.active, (plug, direct.end), to)));
            return Ok(());
        }
        let Ok(trace) = self.tracer.trace(plug, None, Through::Stop) else { return Ok(()) };
        for branch in trace.branches.iter().filter(|branch| branch.direction == Direction::Outward) {
            let Some((to, end)) = far_side(propagation, branch) else { continue };
            if branch.guessed && !self.is_told(end, plug, &mut Dependencies::default()) {
                continue;
            }
            found.push(Line::of(branch, (plug, end), to));
        }
        Ok(())
    }

    /// Adds the lines of an exit over one of its ends. They are found from the ports at their other ends.
    pub(super) fn lines_of_exit(
        &mut self,
        propagation: &Propagation<'a>,
        exit: ObjectRef,
        end: ObjectRef,
        found: &mut Vec<Line>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        steps.take()?;
        let mut plugs = Vec::new();
        self.each_far(propagation, end, &mut |to, plug| {
            if to != exit {
                plugs.push((to, plug));
            }
        });
        for (machine, plug) in plugs {
            let mut lines = Vec::new();
            self.lines_of_plug(propagation, plug, &mut lines, steps)?;
            found.extend(lines.into_iter().filter(|line| line.to == exit).map(|line| line.to(machine)));
        }
        Ok(())
    }

    /// Returns true if a trace from an end leads to a port without a guess. Adds the dependencies of the trace.
    pub(super) fn is_told(&mut self, end: ObjectRef, plug: ObjectRef, dependencies: &mut Dependencies) -> bool {
        let Ok(trace) = self.tracer.trace_with_dependencies(end, dependencies) else { return false };
        trace.branches.iter().any(|it| it.end == Some(plug) && it.outcome == Outcome::Complete && !it.guessed)
    }

    /// Calls `visit` for both sides of each line that passes an end: with the machine or exit there, and the last end
    /// before it.
    pub fn each_far(
        &mut self,
        propagation: &Propagation<'_>,
        end: ObjectRef,
        visit: &mut dyn FnMut(ObjectRef, ObjectRef),
    ) {
        let mut visit_end = |end: ObjectRef| {
            if let Some(machine) = user_machine_of(propagation, end) {
                visit(machine, end);
            }
        };
        visit_end(end);
        if let Some(direct) = self.tracer.direct_line(end).filter(|direct| direct.whole) {
            return visit_end(direct.end);
        }
        let Ok(trace) = self.tracer.trace(end, None, Through::Stop) else { return };
        trace.branches.iter().filter_map(|branch| far_side(propagation, branch)).for_each(|(to, end)| visit(to, end));
    }

    /// Returns the nodes at the ends of the lines that pass an end.
    pub fn nodes_far(&mut self, propagation: &Propagation<'_>, end: ObjectRef) -> Vec<NodeId> {
        let mut far = Vec::new();
        self.each_far(propagation, end, &mut |to, _| far.push(to));
        far.into_iter().filter_map(|place| self.find(propagation, place)).collect()
    }

    /// Returns whether a port carries traffic over any of its lines before and after the failure, and the object that
    /// broke it. A port without a known cable counts as carrying traffic while it is up.
    pub fn carries(
        &mut self,
        propagation: &mut Propagation<'a>,
        plug: ObjectRef,
        steps: &mut Steps,
    ) -> Result<(bool, bool, Option<ObjectRef>), ImpactError> {
        steps.take()?;
        propagation.explore(plug, steps)?;
        let up = !propagation.physical_state.is_down(plug, Moment::Before);
        let fell = propagation.physical_state.fell(plug);
        if propagation.physical_state.joint_on(plug).is_none() {
            return Ok((up, up && !fell, fell.then_some(plug)));
        }
        let (mut before, mut after, mut cause) = (false, false, None);
        let branches = self.tracer.trace(plug, None, Through::Stop).map(|trace| trace.branches).unwrap_or_default();
        for branch in branches.iter().filter(|branch| branch.outcome == Outcome::Complete) {
            let line = Line::of(branch, (plug, plug), plug);
            let was_up = line.was_up(propagation, steps)?;
            let broken = line.hops().iter().copied().find(|hop| propagation.physical_state.fell(*hop));
            before |= was_up;
            after |= was_up && broken.is_none();
            let machine = broken
                .and_then(|_| machine_of(propagation, branch.end?))
                .filter(|it| propagation.physical_state.fell(*it));
            cause = cause.or(machine).or(broken);
        }
        Ok((before, after, if fell { Some(plug) } else { cause }))
    }

    /// Adds the connections inside a machine: those parts of it that forward traffic are connected with each other and
    /// with it.
    pub(super) fn siblings(
        &mut self,
        propagation: &Propagation<'a>,
        node: NodeId,
        found: &mut Vec<Line>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        let place = self.node(node).place;
        if !self.node(node).forwards {
            return Ok(());
        }
        for other in family(propagation, place) {
            steps.take()?;
            let forwards = self.find(propagation, other).is_some_and(|other| self.node(other).forwards);
            if !forwards || other == place {
                continue;
            }
            found.push(Line::over(&[other, place], true, (place, other), other));
        }
        Ok(())
    }
}

/// Returns the machine that a machine is a part of, its other parts, and the parts of the machine itself.
pub(in super::super) fn family(propagation: &Propagation<'_>, place: ObjectRef) -> Vec<ObjectRef> {
    let physical_state = &propagation.physical_state;
    let whole = physical_state.machine(place).and_then(|(machine, _)| physical_state.follow(place, machine.whole));
    let mut found: Vec<ObjectRef> = whole.into_iter().collect();
    for by in &physical_state.roles.wholes {
        for whole in whole.into_iter().chain([place]) {
            each_by(physical_state.snapshot.incoming(whole), *by, &mut |part| found.push(part));
        }
    }
    found
}

/// Returns the ends that lead to an exit: the ends in it, or the ends of the circuit.
pub(in super::super) fn ends_of(propagation: &Propagation<'_>, exit: ObjectRef) -> Vec<ObjectRef> {
    let mut found = Vec::new();
    each(propagation.physical_state.snapshot.incoming(exit), &mut |_, end| found.push(end));
    found
}

/// Returns the node at the far side of a line and the last end before it. Returns `None` unless the line leads to a
/// machine of the user network or to an exit.
pub(super) fn far_side(propagation: &Propagation<'_>, branch: &Branch) -> Option<(ObjectRef, ObjectRef)> {
    let last = branch.end?;
    let before_last = || branch.hops().iter().rev().nth(1).copied();
    match (&propagation.physical_state.role(last).part, branch.outcome) {
        (Part::Plug(_), Outcome::Complete) => Some((user_machine_of(propagation, last)?, last)),
        (Part::Outside(_), Outcome::Complete) => Some((last, before_last()?)),
        (Part::Crossing(crossing), Outcome::Open) => {
            let out = (crossing.leads_out)(propagation.physical_state.row(last)?);
            Some((last, before_last()?)).filter(|_| out)
        }
        (Part::End(_), Outcome::Open) => exit_beyond(propagation, last).map(|exit| (exit, last)),
        _ => None,
    }
}

/// Returns the circuit that leads out of the inventory from an end whose location is not set.
fn exit_beyond(propagation: &Propagation<'_>, end: ObjectRef) -> Option<ObjectRef> {
    let mut found = None;
    each(propagation.physical_state.snapshot.outgoing(end), &mut |by, crossing| {
        if let Part::Crossing(role) = &propagation.physical_state.role(crossing).part {
            let nowhere = propagation.physical_state.is_nowhere(end);
            let free = propagation.physical_state.joint_on(end).is_none();
            let out = propagation.physical_state.row(crossing).is_some_and(role.leads_out);
            if by == role.ends && nowhere && free && out {
                found = Some(crossing);
            }
        }
    });
    found
}

/// Returns true if an end is a port that carries user traffic.
pub(super) fn is_data(propagation: &Propagation<'_>, end: ObjectRef) -> bool {
    propagation.physical_state.plug(end).is_some_and(|(_, state)| state.purpose == Purpose::Data)
}

/// Returns the machine of a port that carries user traffic.
pub(super) fn user_machine_of(propagation: &Propagation<'_>, end: ObjectRef) -> Option<ObjectRef> {
    is_data(propagation, end).then(|| machine_of(propagation, end)).flatten()
}

/// Returns the machine that has a port.
pub(in super::super) fn machine_of(propagation: &Propagation<'_>, plug: ObjectRef) -> Option<ObjectRef> {
    propagation.physical_state.plug(plug).and_then(|(role, _)| propagation.physical_state.follow(plug, role.machine))
}
