//! Lines as edges: the nodes to which the lines of a port lead, or of an end that stands in a network or group, and
//! their costs.

use super::cost::{Cost, Weight};
use super::graph::{FoundEdge, Key, PathGraph, Via};
use super::neighbours::{Leads, LineOfConnector};
use crate::line::{Branch, Direction, FarEnd, Measure, Outcome, Through};
use crate::role::{Part, Plane};
use underlay_inventory::ObjectRef;

/// A line as seen from one end.
struct PathLine {
    from: ObjectRef,
    /// The network or group that the end stands in, if the end is not a port.
    stood_in: Option<ObjectRef>,
    /// The node to which the line leads.
    to: ObjectRef,
    /// The last object on the line.
    end: ObjectRef,
    key: Key,
}

/// The far side of a line, with its number among the lines from the same end.
struct LineView {
    far: FarEnd,
    at: usize,
    /// The cost of the line; `None` if the line is avoided.
    cost: Option<Cost>,
    before_last: Option<ObjectRef>,
}

impl PathGraph<'_> {
    /// Returns the network that a port of a machine belongs to: that of the machine, unless the port is for management.
    fn plane_of(&self, machine: ObjectRef, connector: Plane) -> Option<Plane> {
        let (_, state) = self.machine(machine)?;
        Some(if connector == Plane::Management { Plane::Management } else { state.plane })
    }

    /// Adds the lines of a port of a machine.
    pub fn lines_of_connector(&mut self, machine: ObjectRef, connector: ObjectRef, found: &mut Vec<FoundEdge>) {
        let Some(own) = self.connector(connector).and_then(|plane| self.plane_of(machine, plane)) else { return };
        if own == Plane::Management && self.question.plane == Plane::Data {
            return;
        }
        if self.only_machine_beside(connector).is_some_and(|(_, machine)| !self.has_node(machine)) {
            return;
        }
        for line_view in self.line_views(connector, Direction::Outward) {
            if let Some(leads) = self.leads(&line_view.far) {
                self.add_line_of_connector(connector, own, leads, line_view, found);
            }
        }
    }

    /// Adds a memoized line of a machine that paths pass and that belongs to the network of the query.
    pub fn add_known(&mut self, line: &LineOfConnector, found: &mut Vec<FoundEdge>) {
        let own = if line.own == Plane::Management { line.own } else { self.question.plane };
        if self.has_node(line.leads.to) {
            let cost = Some(self.weigh(&line.measure));
            let line_view = LineView { far: line.far, at: line.at, cost, before_last: None };
            self.add_line_of_connector(line.connector, own, line.leads, line_view, found);
        }
    }

    /// Adds a line from a port that belongs to a network.
    fn add_line_of_connector(
        &mut self,
        connector: ObjectRef,
        own: Plane,
        leads: Leads,
        line_view: LineView,
        found: &mut Vec<FoundEdge>,
    ) {
        let Leads { to, end, plane } = leads;
        if line_view.far.outcome == Outcome::Open && !self.question.include_logical {
            return;
        }
        let other = match plane {
            Some(Plane::Management) => Plane::Management,
            Some(Plane::Data) if self.passes(to) => self.question.plane,
            Some(Plane::Data) => match self.machine(to) {
                Some((_, state)) => state.plane,
                None => return,
            },
            None => Plane::Data,
        };
        // A line belongs to the management network if one of its ends does.
        let managed = own == Plane::Management || other == Plane::Management;
        if managed == (self.question.plane == Plane::Management) {
            let line = PathLine { from: connector, stood_in: None, to, end, key: Key::new(connector, end, None) };
            self.add_line(line, line_view, found);
        }
    }

    /// Adds the lines to a network or a group over an end that stands in it.
    pub fn lines_of_stander(&mut self, stood_in: ObjectRef, stander: ObjectRef, found: &mut Vec<FoundEdge>) {
        for line_view in self.line_views(stander, Direction::Inward) {
            let Some(end) = line_view.far.end else { continue };
            match (self.connector(end), line_view.far.outcome) {
                (Some(plane), Outcome::Complete) => {
                    let Some(machine) = self.machine_of(end) else { continue };
                    let managed = self.plane_of(machine, plane) == Some(Plane::Management);
                    if managed == (self.question.plane == Plane::Management) {
                        // From its other end, the key of the line contains the network or group, not the end that
                        // stands in it.
                        let key = Key::new(end, stood_in, None);
                        let line = PathLine { from: stander, stood_in: Some(stood_in), to: machine, end, key };
                        self.add_line(line, line_view, found);
                    }
                }
                (None, outcome) if self.question.plane == Plane::Data => {
                    let leads = match outcome {
                        Outcome::Complete => self.is_network(end),
                        Outcome::Open => self.is_loose_end(end),
                        _ => false,
                    };
                    let other = line_view.before_last.unwrap_or(end);
                    if leads && end != stood_in {
                        let key = Key::new(stander, other, None);
                        let line = PathLine { from: stander, stood_in: Some(stood_in), to: end, end, key };
                        self.add_line(line, line_view, found);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a line, if it is known where the line leads.
    fn add_line(&mut self, line: PathLine, line_view: LineView, found: &mut Vec<FoundEdge>) {
        let PathLine { from, stood_in, to, end, key } = line;
        let LineView { far, at, cost, .. } = line_view;
        let Some(mut cost) = cost.filter(|_| far.active || self.question.include_planned) else { return };
        let (mut origin, mut branch) = (from, at);
        if far.guessed {
            // The line may be known without a guess from its far end. Then the trace from there is used.
            let Some(back) = self.found_from_other_end(from, end, at) else { return };
            (origin, branch, cost) = back;
        }
        let is_group = |object: ObjectRef| self.roles.of(object.kind).group().is_some();
        let (via, cost) = match is_group(to) || stood_in.is_some_and(is_group) {
            true => (Via::Loose { from: origin, branch }, cost.logical()),
            false => (Via::Line { from: origin, branch }, cost),
        };
        found.push(FoundEdge { to, key, via, cost });
    }

    /// Returns the line that leads without a guess from the far end of another line back to its beginning.
    fn found_from_other_end(&mut self, from: ObjectRef, end: ObjectRef, at: usize) -> Option<(ObjectRef, usize, Cost)> {
        let (origin, direction) = match self.connector(end) {
            Some(_) => (end, Direction::Outward),
            None => {
                let trace = self.tracer.trace(from, None, Through::Stop).ok()?;
                (trace.branches.get(at)?.hops().iter().rev().nth(1).copied()?, Direction::Inward)
            }
        };
        let stood_in: Vec<ObjectRef> = self.snapshot.outgoing(from).iter().map(|edge| edge.other()).collect();
        let of_connector = self.connector(from).is_some();
        let leads_back = |object: ObjectRef| object == from || !of_connector && stood_in.contains(&object);
        let line_views = self.line_views(origin, direction).into_iter();
        let mut back =
            line_views.filter(|line_view| !line_view.far.guessed && line_view.far.end.is_some_and(leads_back));
        back.find_map(|line_view| Some((origin, line_view.at, line_view.cost?)))
    }

    fn is_network(&self, object: ObjectRef) -> bool {
        matches!(self.roles.of(object.kind).part, Part::Outside(_))
    }

    /// Returns true if a line that ends at an object, and leads nowhere else, is a logical connection.
    fn is_loose_end(&self, object: ObjectRef) -> bool {
        self.question.include_logical && self.roles.of(object.kind).group().is_some()
    }

    /// Returns the far sides of the lines from an end in a direction.
    fn line_views(&mut self, end: ObjectRef, direction: Direction) -> Vec<LineView> {
        let of_connector = self.connector(end).is_some();
        if self.question.weight == Weight::Hops && self.avoided.is_empty() && of_connector {
            let far = self.tracer.far_ends(end).unwrap_or_default();
            let line_views = far.ends.into_iter().enumerate();
            let line_view = |(at, far)| LineView { far, at, cost: Some(Cost::HOP), before_last: None };
            return line_views.filter(|(_, far)| far.direction == direction).map(line_view).collect();
        }
        let Ok(trace) = self.tracer.trace(end, None, Through::Stop) else { return Vec::new() };
        let branches = trace.branches.iter().enumerate().filter(|(_, branch)| branch.direction == direction);
        let line_view = |(at, branch): (usize, &Branch)| LineView {
            far: FarEnd::from(branch),
            at,
            cost: self.cost(branch),
            before_last: branch.hops().iter().rev().nth(1).copied(),
        };
        branches.map(line_view).collect()
    }

    /// Returns the cost of a line; `None` if the line is avoided.
    fn cost(&self, branch: &Branch) -> Option<Cost> {
        if branch.hops().iter().any(|hop| self.is_avoided(*hop)) {
            return None;
        }
        Some(self.weigh(&branch.measure))
    }

    /// Returns the cost of a hop with a length and a latency.
    pub fn weigh(&self, measure: &Measure) -> Cost {
        match self.question.weight {
            Weight::Hops => Cost::HOP,
            Weight::Length => Cost::measured(measure.known_length_m, u32::from(measure.length_unknown)),
            Weight::Latency => Cost::measured(measure.known_latency_ms(), measure.unknown_latencies),
        }
    }
}
