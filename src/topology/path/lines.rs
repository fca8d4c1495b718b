//! Lines as ways: what the lines of a plug, or of an end that stands in something, lead to, and what they cost.

use super::cost::{Cost, Weight};
use super::graph::{Found, Graph, Key, Via};
use super::neighbours::{Leads, LineOfPlug};
use super::role::{Part, Plane, PlugState};
use crate::inventory::Place;
use crate::topology::line::{self, Branch, Direction, FarEnd, Outcome, Through};

/// A line as it is seen from one end.
struct Line {
    from: Place,
    /// What the end stands in that it is seen from, where that is no plug.
    stood_in: Option<Place>,
    /// The node that it leads to.
    to: Place,
    /// What it ends at.
    end: Place,
    key: Key,
}

/// What a line leads to, with its number among those from the same end.
struct Sight {
    far: FarEnd,
    at: usize,
    /// `None`: it is avoided.
    cost: Option<Cost>,
    before_last: Option<Place>,
}

impl Graph<'_> {
    /// The network that a plug of a machine is of: that of the machine, unless it is for its management.
    fn plane_of(&self, machine: Place, plug: PlugState) -> Option<Plane> {
        let (_, state) = self.machine(machine)?;
        Some(if plug.plane == Plane::Management { Plane::Management } else { state.plane })
    }

    /// The lines of a plug of a machine.
    pub fn lines_of_plug(&mut self, machine: Place, plug: Place, found: &mut Vec<Found>) {
        let Some(own) = self.plug(plug).and_then(|state| self.plane_of(machine, state)) else { return };
        if own == Plane::Management && self.question.plane == Plane::Data {
            return;
        }
        if self.only_machine_beside(plug).is_some_and(|(_, machine)| !self.has_node(machine)) {
            return;
        }
        for sight in self.sights(plug, Direction::Outward) {
            if let Some(leads) = self.leads(&sight.far) {
                self.add_line_of_plug(plug, own, leads, sight, found);
            }
        }
    }

    /// Adds a line of a machine that paths pass, and which is of the network that is asked about.
    pub fn add_known(&mut self, line: &LineOfPlug, found: &mut Vec<Found>) {
        let own = if line.own == Plane::Management { line.own } else { self.question.plane };
        if self.has_node(line.leads.to) {
            let cost = Some(self.weigh(line.length_m, line.latency_ms));
            let sight = Sight { far: line.far, at: line.at, cost, before_last: None };
            self.add_line_of_plug(line.plug, own, line.leads, sight, found);
        }
    }

    /// Adds a line from a plug that is of a network.
    fn add_line_of_plug(&mut self, plug: Place, own: Plane, leads: Leads, sight: Sight, found: &mut Vec<Found>) {
        let Leads { to, end, plane } = leads;
        if sight.far.outcome == Outcome::Open && !self.question.include_logical {
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
        // A line is of the network of management when one of its ends is.
        let managed = own == Plane::Management || other == Plane::Management;
        if managed == (self.question.plane == Plane::Management) {
            let line = Line { from: plug, stood_in: None, to, end, key: Key::new(plug, end, None) };
            self.add_line(line, sight, found);
        }
    }

    /// The lines to a network or a group over an end that stands in it.
    pub fn lines_of_stander(&mut self, stood_in: Place, stander: Place, found: &mut Vec<Found>) {
        for sight in self.sights(stander, Direction::Inward) {
            let Some(end) = sight.far.end else { continue };
            match (self.plug(end), sight.far.outcome) {
                (Some(state), Outcome::Complete) => {
                    let Some(machine) = self.machine_of(end) else { continue };
                    let managed = self.plane_of(machine, state) == Some(Plane::Management);
                    if managed == (self.question.plane == Plane::Management) {
                        // From its other end the line is known by what it leads to.
                        let key = Key::new(end, stood_in, None);
                        let line = Line { from: stander, stood_in: Some(stood_in), to: machine, end, key };
                        self.add_line(line, sight, found);
                    }
                }
                (None, outcome) if self.question.plane == Plane::Data => {
                    let leads = match outcome {
                        Outcome::Complete => self.is_network(end),
                        Outcome::Open => self.is_loose_end(end),
                        _ => false,
                    };
                    let other = sight.before_last.unwrap_or(end);
                    if leads && end != stood_in {
                        let key = Key::new(stander, other, None);
                        let line = Line { from: stander, stood_in: Some(stood_in), to: end, end, key };
                        self.add_line(line, sight, found);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a line, when it can be told where it leads.
    fn add_line(&mut self, line: Line, sight: Sight, found: &mut Vec<Found>) {
        let Line { from, stood_in, to, end, key } = line;
        let Sight { far, at, cost, .. } = sight;
        let Some(mut cost) = cost.filter(|_| far.active || self.question.include_planned) else { return };
        let (mut origin, mut branch) = (from, at);
        if far.guessed {
            // The far end may know by itself where the line comes from; that way is the one that is drawn then.
            let Some(back) = self.told_back(from, end, at) else { return };
            (origin, branch, cost) = back;
        }
        let is_group = |place: Place| matches!(self.roles.of(place.kind).part, Part::Group(_));
        let (via, cost) = match is_group(to) || stood_in.is_some_and(is_group) {
            true => (Via::Loose { from: origin, branch }, cost.logical()),
            false => (Via::Line { from: origin, branch }, cost),
        };
        found.push(Found { to, key, via, cost });
    }

    /// The line that leads unguessed from the far end of another one back to where that begins.
    fn told_back(&mut self, from: Place, end: Place, at: usize) -> Option<(Place, usize, Cost)> {
        let (origin, direction) = match self.plug(end) {
            Some(_) => (end, Direction::Outward),
            None => {
                let trace = self.tracer.trace(from, None, Through::Stop).ok()?;
                (trace.branches.get(at)?.hops().iter().rev().nth(1).copied()?, Direction::Inward)
            }
        };
        let stood_in: Vec<Place> = self.snapshot.outgoing(from).iter().map(|edge| edge.other()).collect();
        let of_plug = self.plug(from).is_some();
        let leads_back = |place: Place| place == from || !of_plug && stood_in.contains(&place);
        let sights = self.sights(origin, direction).into_iter();
        let mut back = sights.filter(|sight| !sight.far.guessed && sight.far.end.is_some_and(leads_back));
        back.find_map(|sight| Some((origin, sight.at, sight.cost?)))
    }

    fn is_network(&self, place: Place) -> bool {
        matches!(self.roles.of(place.kind).part, Part::Network(_))
    }

    /// Whether a line that ends there, and leads nowhere else, joins logically.
    fn is_loose_end(&self, place: Place) -> bool {
        self.question.include_logical && matches!(self.roles.of(place.kind).part, Part::Group(_))
    }

    /// What a line leads to from one end of it, one way.
    fn sights(&mut self, end: Place, direction: Direction) -> Vec<Sight> {
        let of_plug = self.plug(end).is_some();
        if self.question.weight == Weight::Hops && self.avoided.is_empty() && of_plug {
            let far = self.tracer.far_ends(end).unwrap_or_default();
            let sights = far.ends.into_iter().enumerate();
            let sight = |(at, far)| Sight { far, at, cost: Some(Cost::HOP), before_last: None };
            return sights.filter(|(_, far)| far.direction == direction).map(sight).collect();
        }
        let Ok(trace) = self.tracer.trace(end, None, Through::Stop) else { return Vec::new() };
        let branches = trace.branches.iter().enumerate().filter(|(_, branch)| branch.direction == direction);
        let sight = |(at, branch): (usize, &Branch)| Sight {
            far: FarEnd::from(branch),
            at,
            cost: self.cost(branch),
            before_last: branch.hops().iter().rev().nth(1).copied(),
        };
        branches.map(sight).collect()
    }

    /// What a line costs; `None`: it is avoided.
    fn cost(&self, branch: &Branch) -> Option<Cost> {
        if branch.hops().iter().any(|hop| self.is_avoided(*hop)) {
            return None;
        }
        Some(self.weigh(branch.length_m, self.latency(branch)))
    }

    /// What a line of a length and a latency costs.
    fn weigh(&self, length_m: Option<f64>, latency_ms: Option<f64>) -> Cost {
        match self.question.weight {
            Weight::Hops => Cost::HOP,
            Weight::Length => Cost::measured(length_m),
            Weight::Latency => Cost::measured(latency_ms),
        }
    }

    /// The latency of the crossings of a line, nothing where it has none; `None`: that of one is unknown.
    pub fn latency(&self, branch: &Branch) -> Option<f64> {
        let crosses = |hop: &Place| matches!(self.lines.role(hop.kind), Some(line::Role::Crossing(_)));
        branch.latency_ms.or_else(|| (!branch.hops().iter().any(crosses)).then_some(0.0))
    }
}
