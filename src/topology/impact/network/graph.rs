//! The network as a graph: machines and ways out as nodes, lines as edges, extracted as far as a question looks.
//!
//! Two machines are joined by each complete, active line of users between them that is unguessed from at least one end,
//! and by a common whole when both pass traffic on. Of every edge can be asked whether it was up before and is after, and
//! what broke it.

use std::sync::Arc;

use foldhash::HashMap;

use super::super::error::ImpactError;
use super::super::fall::Fall;
use super::super::picture::{Moment, each, each_by};
use super::super::role::{Part, Purpose, Tier};
use super::condition::{Conditions, Line, LineAt};
use super::ways::Which;
use crate::inventory::{Grounds, Place};
use crate::topology::line::{Branch, Direction, Lines, Outcome, Through, Tracer};
use crate::topology::steps::Steps;

/// A node, by its number.
pub(in super::super) type NodeId = u32;

/// A machine, or a way out.
#[derive(Clone, Debug)]
pub(in super::super) struct Node {
    pub place: Place,
    /// Whether traffic passes through it.
    pub forwards: bool,
    /// Whether it is left out of the answer.
    pub exempt: bool,
    /// Whether it is a way out of the inventory.
    pub exit: bool,
    pub tier: Tier,
    /// All lines.
    pub(super) ways: Option<Arc<[Way]>>,
    /// The lines to nodes that ways lead through or to.
    pub(super) onward: Option<Arc<[Way]>>,
}

/// A line from a node to another one.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Way {
    pub to: NodeId,
    /// The line, the same seen from both ends.
    pub line: u32,
    /// The line as it was found from here.
    at: LineAt,
}

/// Whether a graph is asked about one failure or about many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum About {
    /// All has fallen that falls: what is broken is broken.
    OneFailure,
    /// What fell changes between two questions.
    Many,
}

/// The network of users in a snapshot.
pub(in super::super) struct Graph<'a> {
    /// The anchors that are given.
    pub(super) given: Vec<Place>,
    pub(super) tracer: Tracer<'a>,
    nodes: Vec<Node>,
    index: HashMap<Place, NodeId>,
    lines: HashMap<(Place, Place), u32>,
    conditions: Conditions,
}

impl<'a> Graph<'a> {
    /// The network of a snapshot; nothing is looked at yet.
    pub fn new(fall: &Fall<'a>, lines: &'a Lines, about: About) -> Self {
        let tracer = Tracer::strand_by_strand(fall.picture.snapshot, lines);
        Self {
            given: Vec::new(),
            tracer,
            nodes: Vec::new(),
            index: HashMap::default(),
            lines: HashMap::default(),
            conditions: Conditions::new(about),
        }
    }

    /// The same network, in which these are anchors.
    pub fn with_anchors(self, given: &[Place]) -> Self {
        Self { given: given.to_vec(), ..self }
    }

    /// Whether ways may lead through a node or to it.
    pub fn may_lead(&self, node: NodeId) -> bool {
        let Node { forwards, exit, tier, place, .. } = *self.node(node);
        forwards || exit || tier != Tier::Other || self.given.contains(&place)
    }

    /// Whether ways may lead through a machine or to it; it gets no number by this.
    pub fn may_lead_to(&self, fall: &Fall<'_>, machine: Place) -> bool {
        match self.index.get(&machine) {
            Some(node) => self.may_lead(*node),
            None => fall.picture.machine(machine).and_then(|(_, state)| state.network).is_some_and(|standing| {
                standing.forwards || standing.tier != Tier::Other || self.given.contains(&machine)
            }),
        }
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The node of a machine in the network of users, or of a way out.
    pub fn find(&mut self, fall: &Fall<'_>, place: Place) -> Option<NodeId> {
        if let Some(node) = self.index.get(&place) {
            return Some(*node);
        }
        let (forwards, exempt, exit, tier) = match &fall.picture.role(place).part {
            Part::Machine(_) => {
                let standing = fall.picture.machine(place)?.1.network?;
                (standing.forwards, standing.exempt, false, standing.tier)
            }
            Part::Outside | Part::Crossing(_) => {
                (matches!(fall.picture.role(place).part, Part::Outside), true, true, Tier::Other)
            }
            _ => return None,
        };
        let node = self.nodes.len() as NodeId;
        self.nodes.push(Node { place, forwards, exempt, exit, tier, ways: None, onward: None });
        self.index.insert(place, node);
        Some(node)
    }

    /// Gives the lines that were found at a node their numbers. Of several between the same two ends one counts, which
    /// was up before if any was.
    pub(super) async fn number(
        &mut self,
        fall: &mut Fall<'a>,
        node: NodeId,
        found: Vec<Line>,
        steps: &mut Steps,
    ) -> Result<Arc<[Way]>, ImpactError> {
        let mut all = Vec::with_capacity(found.len());
        for found in found {
            let Some(to) = self.find(fall, found.to).filter(|to| *to != node) else { continue };
            let next = self.lines.len() as u32;
            let line = *self.lines.entry(found.key).or_insert(next);
            all.push(Way { to, line, at: self.conditions.add(&found) });
        }
        all.sort_by_key(|way| way.line);
        let mut ways: Vec<Way> = Vec::with_capacity(all.len());
        for way in all {
            match ways.last_mut().filter(|last| last.line == way.line) {
                None => ways.push(way),
                Some(last) if self.was_up(fall, last, steps).await? => {}
                Some(last) if self.was_up(fall, &way, steps).await? => *last = way,
                Some(_) => {}
            }
        }
        Ok(ways.into())
    }

    /// Keeps the lines of a node: all of them, or those to nodes that ways lead through or to.
    pub(super) fn keep(&mut self, node: NodeId, which: Which, ways: &Arc<[Way]>) {
        let node = &mut self.nodes[node as usize];
        let place = if which == Which::All { &mut node.ways } else { &mut node.onward };
        *place = Some(Arc::clone(ways));
    }

    /// The lines of a node that are known.
    fn known_ways(&self, node: NodeId) -> &[Way] {
        let Node { ways, onward, .. } = self.node(node);
        ways.as_deref().or(onward.as_deref()).unwrap_or_default()
    }

    /// What is on a line.
    pub fn hops(&self, way: &Way) -> &[Place] {
        self.conditions.hops(way.at)
    }

    /// A line of a node, where its lines are known.
    pub fn known(&self, node: NodeId, line: u32) -> Option<Way> {
        self.known_ways(node).iter().find(|way| way.line == line).copied()
    }

    /// Whether a line is up at a moment.
    pub async fn is_up(
        &mut self,
        fall: &mut Fall<'a>,
        way: &Way,
        at: Moment,
        steps: &mut Steps,
    ) -> Result<bool, ImpactError> {
        if self.conditions.is_unknown(way.at) {
            // Lines are asked for far more often than looked at, which takes a large future.
            Box::pin(self.conditions.look(way.at, fall, steps)).await?;
        }
        Ok(self.conditions.is_up(way.at, fall, at))
    }

    /// Whether a line was up before the failure.
    pub async fn was_up(&mut self, fall: &mut Fall<'a>, way: &Way, steps: &mut Steps) -> Result<bool, ImpactError> {
        self.is_up(fall, way, Moment::Before, steps).await
    }

    /// Whether a line that was looked at is up at a moment.
    pub fn is_known_up(&self, fall: &Fall<'_>, way: &Way, at: Moment) -> bool {
        self.conditions.is_up(way.at, fall, at)
    }

    /// What broke a line. The neighbour itself says more than the plug or the joint that fell with it.
    pub async fn cause(
        &mut self,
        fall: &mut Fall<'a>,
        way: &Way,
        steps: &mut Steps,
    ) -> Result<Option<Place>, ImpactError> {
        let fell = |place: &Place| fall.picture.fell(*place);
        let neighbour = Some(self.node(way.to).place).filter(fell);
        let cause = neighbour.or_else(|| self.hops(way).iter().copied().find(fell));
        Ok(if cause.is_some() && self.was_up(fall, way, steps).await? { cause } else { None })
    }

    /// The lines between two nodes that are known to be up at a moment.
    pub fn lines_between(&self, fall: &Fall<'_>, one: NodeId, other: NodeId, at: Moment) -> Vec<u32> {
        let ways = |from: NodeId, to: NodeId| {
            self.known_ways(from)
                .iter()
                .filter(move |way| way.to == to && self.is_known_up(fall, way, at))
                .map(|way| way.line)
        };
        ways(one, other).chain(ways(other, one)).collect()
    }

    /// The lines of a plug to other machines and to ways out.
    pub(super) async fn lines_of_plug(
        &mut self,
        fall: &Fall<'a>,
        plug: Place,
        found: &mut Vec<Line>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        steps.take().await?;
        if let Some(direct) = self.tracer.direct_line(plug) {
            let machine = user_machine_of(fall, direct.end);
            let hops = [plug, direct.joint, direct.end];
            found.extend(machine.map(|to| Line::over(&hops, direct.active, (plug, direct.end), to)));
            return Ok(());
        }
        let Ok(trace) = self.tracer.trace(plug, None, Through::Stop) else { return Ok(()) };
        for branch in trace.branches.iter().filter(|branch| branch.direction == Direction::Outward) {
            let Some((to, end)) = far_side(fall, branch) else { continue };
            if branch.guessed && !self.is_told(end, plug, &mut Grounds::default()) {
                continue;
            }
            found.push(Line::of(branch, (plug, end), to));
        }
        Ok(())
    }

    /// The lines over one of its ends to a way out. They are those of the plugs at their other ends.
    pub(super) async fn lines_of_exit(
        &mut self,
        fall: &Fall<'a>,
        exit: Place,
        end: Place,
        found: &mut Vec<Line>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        steps.take().await?;
        let mut plugs = Vec::new();
        self.each_far(fall, end, &mut |to, plug| {
            if to != exit {
                plugs.push((to, plug));
            }
        });
        for (machine, plug) in plugs {
            let mut lines = Vec::new();
            self.lines_of_plug(fall, plug, &mut lines, steps).await?;
            found.extend(lines.into_iter().filter(|line| line.to == exit).map(|line| line.to(machine)));
        }
        Ok(())
    }

    /// Whether an end knows by itself that its line leads to a plug, with what that follows from.
    pub(super) fn is_told(&mut self, end: Place, plug: Place, grounds: &mut Grounds) -> bool {
        let Ok(trace) = self.tracer.trace_with_grounds(end, grounds) else { return false };
        trace.branches.iter().any(|it| it.end == Some(plug) && it.outcome == Outcome::Complete && !it.guessed)
    }

    /// Calls back with what is at the ends of the lines that pass an end: each machine or way out, and the last end.
    pub fn each_far(&mut self, fall: &Fall<'_>, end: Place, visit: &mut dyn FnMut(Place, Place)) {
        let mut visit_end = |end: Place| {
            if let Some(machine) = user_machine_of(fall, end) {
                visit(machine, end);
            }
        };
        visit_end(end);
        if let Some(direct) = self.tracer.direct_line(end).filter(|direct| direct.whole) {
            return visit_end(direct.end);
        }
        let Ok(trace) = self.tracer.trace(end, None, Through::Stop) else { return };
        trace.branches.iter().filter_map(|branch| far_side(fall, branch)).for_each(|(to, end)| visit(to, end));
    }

    /// The nodes at the ends of the lines that pass an end.
    pub fn nodes_far(&mut self, fall: &Fall<'_>, end: Place) -> Vec<NodeId> {
        let mut far = Vec::new();
        self.each_far(fall, end, &mut |to, _| far.push(to));
        far.into_iter().filter_map(|place| self.find(fall, place)).collect()
    }

    /// How a plug carries traffic, before and after, and what broke that: over any of its lines. One that nothing is
    /// known to be plugged into counts as carrying while it is up.
    pub async fn carries(
        &mut self,
        fall: &mut Fall<'a>,
        plug: Place,
        steps: &mut Steps,
    ) -> Result<(bool, bool, Option<Place>), ImpactError> {
        steps.take().await?;
        fall.explore(plug, steps).await?;
        let up = !fall.picture.is_down(plug, Moment::Before);
        let fell = fall.picture.fell(plug);
        if fall.picture.joint_on(plug).is_none() {
            return Ok((up, up && !fell, fell.then_some(plug)));
        }
        let (mut before, mut after, mut cause) = (false, false, None);
        let branches = self.tracer.trace(plug, None, Through::Stop).map(|trace| trace.branches).unwrap_or_default();
        for branch in branches.iter().filter(|branch| branch.outcome == Outcome::Complete) {
            let line = Line::of(branch, (plug, plug), plug);
            let was_up = line.was_up(fall, steps).await?;
            let broken = line.hops().iter().copied().find(|hop| fall.picture.fell(*hop));
            before |= was_up;
            after |= was_up && broken.is_none();
            let machine = broken.and_then(|_| machine_of(fall, branch.end?)).filter(|it| fall.picture.fell(*it));
            cause = cause.or(machine).or(broken);
        }
        Ok((before, after, if fell { Some(plug) } else { cause }))
    }

    /// Machines that pass traffic on are joined with those of the same whole, and with the whole.
    pub(super) async fn siblings(
        &mut self,
        fall: &Fall<'a>,
        node: NodeId,
        found: &mut Vec<Line>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        let place = self.node(node).place;
        if !self.node(node).forwards {
            return Ok(());
        }
        for other in family(fall, place) {
            steps.take().await?;
            let forwards = self.find(fall, other).is_some_and(|other| self.node(other).forwards);
            if !forwards || other == place {
                continue;
            }
            found.push(Line::over(&[other, place], true, (place, other), other));
        }
        Ok(())
    }
}

/// The machines of the same whole as a machine, its whole, and those that it is the whole of.
pub(in super::super) fn family(fall: &Fall<'_>, place: Place) -> Vec<Place> {
    let picture = &fall.picture;
    let whole = picture.machine(place).and_then(|(machine, _)| picture.follow(place, machine.whole));
    let mut found: Vec<Place> = whole.into_iter().collect();
    for by in &picture.roles.wholes {
        for whole in whole.into_iter().chain([place]) {
            each_by(picture.snapshot.incoming(whole), *by, &mut |part| found.push(part));
        }
    }
    found
}

/// The ends that lead to a way out: those that stand in it, or those of it.
pub(in super::super) fn ends_of(fall: &Fall<'_>, exit: Place) -> Vec<Place> {
    let mut found = Vec::new();
    each(fall.picture.snapshot.incoming(exit), &mut |_, end| found.push(end));
    found
}

/// Where a line ends, when it is one between machines of users or leads out: the node there, and the last end.
pub(super) fn far_side(fall: &Fall<'_>, branch: &Branch) -> Option<(Place, Place)> {
    let last = branch.end?;
    let before_last = || branch.hops().iter().rev().nth(1).copied();
    match (&fall.picture.role(last).part, branch.outcome) {
        (Part::Plug(_), Outcome::Complete) => Some((user_machine_of(fall, last)?, last)),
        (Part::Outside, Outcome::Complete) => Some((last, before_last()?)),
        (Part::Crossing(crossing), Outcome::Open) => {
            let out = (crossing.leads_out)(fall.picture.row(last)?);
            Some((last, before_last()?)).filter(|_| out)
        }
        (Part::Plain, Outcome::Open) => exit_beyond(fall, last).map(|exit| (exit, last)),
        _ => None,
    }
}

/// The crossing that leads out of the inventory by an end of it that is nowhere.
fn exit_beyond(fall: &Fall<'_>, end: Place) -> Option<Place> {
    let mut found = None;
    each(fall.picture.snapshot.outgoing(end), &mut |by, crossing| {
        if let Part::Crossing(role) = &fall.picture.role(crossing).part {
            let nowhere = role.whereabouts.iter().all(|by| fall.picture.follow(end, *by).is_none());
            let free = fall.picture.joint_on(end).is_none();
            let out = fall.picture.row(crossing).is_some_and(role.leads_out);
            if by == role.ends && nowhere && free && out {
                found = Some(crossing);
            }
        }
    });
    found
}

/// Whether an end is a plug that carries the traffic of users.
pub(super) fn is_data(fall: &Fall<'_>, end: Place) -> bool {
    fall.picture.plug(end).is_some_and(|(_, state)| state.purpose == Purpose::Data)
}

/// The machine that has a plug which carries the traffic of users.
pub(super) fn user_machine_of(fall: &Fall<'_>, end: Place) -> Option<Place> {
    is_data(fall, end).then(|| machine_of(fall, end)).flatten()
}

/// The machine that has a plug.
pub(in super::super) fn machine_of(fall: &Fall<'_>, plug: Place) -> Option<Place> {
    fall.picture.plug(plug).and_then(|(role, _)| fall.picture.follow(plug, role.machine))
}
