//! The state of the objects before and after a failure, and the physical rules. Each rule reads the objects that an
//! object depends on.

use std::sync::Arc;

use super::marks::{DOWN, Mark, Marks};
use crate::role::{
    Connector, ConnectorState, Dependency, Machine, MachineState, PackedState, Part, Propagates, Purpose, Role, Roles,
    Rule,
};
use underlay_entity::row::Row;
use underlay_inventory::{Dependencies, Edges, ObjectRef, ReferenceId, Snapshot};

/// The number of referrers up to which an object's inlets are searched each time instead of being memoized.
const FEW_REFERRERS: usize = 16;

/// The time at which a state is asked for: before or after the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// The state that follows from the statuses.
    Before,
    /// The state with the given objects down.
    After,
}

/// A snapshot with the marks of its objects.
#[derive(Debug)]
pub(super) struct PhysicalState<'a> {
    pub snapshot: &'a Snapshot,
    pub roles: &'a Roles,
    pub marks: Marks,
}

/// An object that may change when another object goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dependent {
    /// The object may go down by a physical rule.
    GoesDown(ObjectRef),
    /// The object may change by a service rule.
    Serves(ObjectRef),
}

/// The inlets of a machine, as memoized.
#[derive(Debug)]
struct Inlets(Vec<ObjectRef>);

impl PhysicalState<'_> {
    /// Returns true if an object is down. For [`Moment::Before`] the answer is valid only for objects that were
    /// explored.
    #[inline]
    pub fn is_down(&self, object: ObjectRef, at: Moment) -> bool {
        let marks = match at {
            Moment::Before => Mark::BEFORE,
            Moment::After => DOWN,
        };
        self.marks.has(object, marks)
    }

    /// Returns true if an object went down by the failure.
    #[inline]
    pub fn went_down(&self, object: ObjectRef) -> bool {
        self.marks.has(object, Mark::WENT_DOWN)
    }

    /// Returns the role of an object's kind.
    pub fn role(&self, object: ObjectRef) -> &Role {
        self.roles.of(object.kind)
    }

    /// Returns the row of an object.
    pub fn row(&self, object: ObjectRef) -> Option<&dyn Row> {
        self.snapshot.row(object).map(AsRef::as_ref)
    }

    /// Returns true if an object exists and runs according to its own row.
    pub fn runs(&self, object: ObjectRef) -> bool {
        self.packed_state(object).is_some_and(PackedState::runs)
    }

    /// Returns the role of a machine and the state in its row.
    pub fn machine(&self, object: ObjectRef) -> Option<(&Machine, MachineState)> {
        match &self.role(object).part {
            Part::Machine(machine) => Some((machine, machine.state_at(self.snapshot, object)?)),
            _ => None,
        }
    }

    /// Returns the role of a port and the state in its row.
    pub fn connector(&self, object: ObjectRef) -> Option<(&Connector, ConnectorState)> {
        match &self.role(object).part {
            Part::Connector(connector) => Some((connector, self.packed_state(object)?.connector())),
            _ => None,
        }
    }

    fn packed_state(&self, object: ObjectRef) -> Option<PackedState> {
        PackedState::at(self.snapshot, object)
    }

    /// Returns the object that another one refers to by a reference.
    pub fn follow(&self, object: ObjectRef, by: ReferenceId) -> Option<ObjectRef> {
        self.snapshot.outgoing(object).first_by(by)
    }

    /// Returns true if an end is known to be nowhere in the inventory: it is plugged into no other end and stands in
    /// nothing.
    pub fn is_nowhere(&self, end: ObjectRef) -> bool {
        let Some(role) = self.role(end).end() else { return false };
        role.stands_in.iter().copied().chain(role.plugged_into).all(|by| self.follow(end, by).is_none())
    }

    /// Returns the pool that a machine belongs to.
    pub fn pool_of(&self, machine: ObjectRef) -> Option<ObjectRef> {
        let outgoing = self.snapshot.outgoing(machine);
        self.roles.pools.iter().find_map(|by| outgoing.first_by(*by))
    }

    /// Returns the cable on a port.
    pub fn span_on(&self, connector: ObjectRef) -> Option<ObjectRef> {
        let incoming = self.snapshot.incoming(connector);
        self.roles.sides.iter().find_map(|side| incoming.first_by(side.own))
    }

    /// Calls `visit` with each port of a machine that has a purpose.
    pub fn each_connector(&self, machine: ObjectRef, purpose: Purpose, visit: &mut (impl FnMut(ObjectRef) + ?Sized)) {
        for by in &self.roles.machines {
            each_by(self.snapshot.incoming(machine), *by, &mut |connector| {
                if self.connector(connector).is_some_and(|(_, state)| state.purpose == purpose) {
                    visit(connector);
                }
            });
        }
    }

    /// Calls `visit` with each inlet of a machine. For a machine with many referrers, the snapshot memoizes the list of
    /// inlets: most queries visit switches and power sources again and again.
    fn each_inlet(&self, machine: ObjectRef, visit: &mut (impl FnMut(ObjectRef) + ?Sized)) {
        if self.snapshot.incoming(machine).iter().nth(FEW_REFERRERS).is_none() {
            return self.each_connector(machine, Purpose::Inlet, visit);
        }
        let inlets = self.snapshot.memo(machine).unwrap_or_else(|| {
            let (mut found, mut dependencies) = (Vec::new(), Dependencies::default());
            dependencies.referrers(machine);
            self.each_connector(machine, Purpose::Inlet, &mut |inlet| found.push(inlet));
            let inlets = Arc::new(Inlets(found));
            self.snapshot.memoize(machine, Arc::clone(&inlets), dependencies);
            inlets
        });
        inlets.0.iter().copied().for_each(visit);
    }

    /// Returns the inlets that count for the power of a machine: those with a cord, or all of them if no cord is known.
    /// An inlet that is switched off never counts.
    pub fn inlets(&self, machine: ObjectRef) -> Vec<ObjectRef> {
        let (mut all, mut corded) = (Vec::new(), Vec::new());
        self.each_inlet(machine, &mut |inlet| {
            if !self.runs(inlet) {
                return;
            }
            all.push(inlet);
            let outside = self.connector(inlet).is_some_and(|(_, state)| state.outside);
            if outside || self.span_on(inlet).is_some_and(|span| self.runs(span)) {
                corded.push(inlet);
            }
        });
        if corded.is_empty() { all } else { corded }
    }

    /// Returns the physical rule by which an object is down at a moment, if any. Adds the objects that caused it to
    /// `because`.
    pub fn reason(&self, object: ObjectRef, at: Moment, because: &mut Vec<ObjectRef>) -> Option<Rule> {
        for dependency in self.roles.dependencies(object.kind) {
            let mut found = None;
            self.each_target(object, dependency, &mut |target| {
                found = found.or(self.is_down(target, at).then_some(target));
            });
            if let Some(target) = found {
                because.push(target);
                return Some(dependency.rule);
            }
        }
        match &self.role(object).part {
            Part::Span(span) => {
                let down = span.sides.iter().any(|side| self.all_down(object, *side, at, because));
                down.then_some(Rule::Line)
            }
            Part::Connector(connector) => self.is_dead(object, connector, at, because).then_some(Rule::Power),
            Part::Machine(machine) => self.lacks_power(object, machine, at, because).then_some(Rule::Power),
            _ => None,
        }
    }

    /// Returns true if an object refers to at least one object by a reference, and all of these are down.
    fn all_down(&self, object: ObjectRef, by: ReferenceId, at: Moment, because: &mut Vec<ObjectRef>) -> bool {
        let (mut count, mut all, before) = (0, true, because.len());
        each_by(self.snapshot.outgoing(object), by, &mut |target| {
            count += 1;
            all &= self.is_down(target, at);
            if self.went_down(target) {
                because.push(target);
            }
        });
        if count == 0 || !all {
            because.truncate(before);
        }
        count > 0 && all
    }

    /// Returns true if a port has no power. An inlet fails with its cord, and the cord fails with its source. An outlet
    /// fails with everything that feeds it, unless its machine has a battery.
    fn is_dead(&self, object: ObjectRef, connector: &Connector, at: Moment, because: &mut Vec<ObjectRef>) -> bool {
        let Some(packed) = self.packed_state(object) else { return false };
        match packed.connector().purpose {
            Purpose::Inlet => {
                let cord = self.span_on(object).filter(|cord| self.is_down(*cord, at));
                because.extend(cord);
                cord.is_some()
            }
            Purpose::Outlet => {
                let machine = self.follow(object, connector.machine).and_then(|machine| self.machine(machine));
                let has_battery = machine.is_some_and(|(_, state)| state.has_battery);
                !has_battery && connector.end.fed_by.is_some_and(|by| self.all_down(object, by, at, because))
            }
            Purpose::Data | Purpose::Management | Purpose::Bundle | Purpose::Other => false,
        }
    }

    /// Returns true if a machine without a battery has fewer live inlets than it needs. A machine never needs more than
    /// it has.
    fn lacks_power(&self, object: ObjectRef, machine: &Machine, at: Moment, because: &mut Vec<ObjectRef>) -> bool {
        let Some(state) = machine.state_at(self.snapshot, object) else { return false };
        if state.has_battery {
            return false;
        }
        let inlets = self.inlets(object);
        let needed = inlets.len().min(state.inlets_required as usize);
        let live = inlets.iter().filter(|inlet| !self.is_down(**inlet, at)).count();
        if live < needed {
            because.extend(inlets.into_iter().filter(|inlet| self.went_down(*inlet)));
        }
        live < needed
    }

    /// Returns the rule by which an object that is up lost redundancy: ends of a cable, or inlets of a machine.
    pub fn loss(&self, object: ObjectRef, because: &mut Vec<ObjectRef>) -> Option<Rule> {
        let before = because.len();
        let rule = match &self.role(object).part {
            Part::Span(span) => {
                for side in span.sides {
                    each_by(self.snapshot.outgoing(object), side, &mut |end| {
                        if self.went_down(end) {
                            because.push(end);
                        }
                    });
                }
                Rule::Line
            }
            Part::Machine(_) => {
                because.extend(self.inlets(object).into_iter().filter(|inlet| self.went_down(*inlet)));
                Rule::Power
            }
            _ => return None,
        };
        (because.len() > before).then_some(rule)
    }

    /// Calls `visit` with every object that the physical rules read for an object.
    pub fn each_needed(&self, object: ObjectRef, visit: &mut (impl FnMut(ObjectRef) + ?Sized)) {
        for dependency in self.roles.dependencies(object.kind) {
            self.each_target(object, dependency, visit);
        }
        let outgoing = self.snapshot.outgoing(object);
        match &self.role(object).part {
            Part::Span(span) => span.sides.iter().for_each(|side| each_by(outgoing, *side, visit)),
            Part::Connector(connector) => match self.connector(object).map(|(_, state)| state.purpose) {
                Some(Purpose::Inlet) => self.span_on(object).into_iter().for_each(visit),
                Some(Purpose::Outlet) => connector.end.fed_by.into_iter().for_each(|by| each_by(outgoing, by, visit)),
                _ => {}
            },
            Part::Machine(_) => self.each_inlet(object, visit),
            _ => {}
        }
    }

    /// Calls `visit` with each object that contains an object.
    pub fn each_container(&self, object: ObjectRef, visit: &mut (impl FnMut(ObjectRef) + ?Sized)) {
        let contains = |dependency: &&Dependency| dependency.rule == Rule::Containment;
        self.roles.dependencies(object.kind).iter().filter(contains).for_each(|it| self.each_target(object, it, visit));
    }

    fn each_target(&self, object: ObjectRef, dependency: &Dependency, visit: &mut (impl FnMut(ObjectRef) + ?Sized)) {
        if dependency.unless.is_some_and(|by| self.follow(object, by).is_some()) {
            return;
        }
        match dependency.part_of {
            None => each_by(self.snapshot.outgoing(object), dependency.by, visit),
            Some(part_of) => each_by(self.snapshot.incoming(object), part_of, &mut |part| {
                each_by(self.snapshot.outgoing(part), dependency.by, visit);
            }),
        }
    }

    /// Calls `visit` with every object that may change when an object changes.
    pub fn each_dependent(&self, object: ObjectRef, visit: &mut (impl FnMut(Dependent) + ?Sized)) {
        each(self.snapshot.incoming(object), &mut |reference, other| match self.roles.propagates(reference) {
            Propagates::Nowhere => {}
            Propagates::ToReferrer => visit(Dependent::GoesDown(other)),
            Propagates::ToWhole(part_of) => {
                if let Some(whole) = self.follow(other, part_of) {
                    visit(Dependent::GoesDown(whole));
                }
            }
            Propagates::ByService => visit(Dependent::Serves(other)),
        });
        match &self.role(object).part {
            // Of the ends of a cable, only inlets go down with it.
            Part::Span(span) => each(self.snapshot.outgoing(object), &mut |reference, end| {
                let draws = || self.connector(end).is_some_and(|(_, state)| state.purpose == Purpose::Inlet);
                if span.sides.contains(&reference) && draws() {
                    visit(Dependent::GoesDown(end));
                }
            }),
            Part::Connector(connector)
                if self.connector(object).is_some_and(|(_, state)| state.purpose == Purpose::Inlet) =>
            {
                if let Some(machine) = self.follow(object, connector.machine) {
                    visit(Dependent::GoesDown(machine));
                }
            }
            Part::Machine(_) => {
                if let Some(pool) = self.pool_of(object) {
                    visit(Dependent::Serves(pool));
                }
            }
            _ => {}
        }
    }
}

/// Calls `visit` with every reference and the object at its other end.
pub(super) fn each(edges: &Edges, visit: &mut (impl FnMut(ReferenceId, ObjectRef) + ?Sized)) {
    match edges {
        Edges::None => {}
        Edges::One(edge) => visit(edge.reference(), edge.other()),
        Edges::Few(edges) => edges.iter().for_each(|edge| visit(edge.reference(), edge.other())),
        Edges::Many(edges) => edges.iter().for_each(|(edge, ())| visit(edge.reference(), edge.other())),
    }
}

/// Calls `visit` with the objects at the other ends of the references of one field.
pub(super) fn each_by(edges: &Edges, by: ReferenceId, visit: &mut (impl FnMut(ObjectRef) + ?Sized)) {
    match edges {
        Edges::None => {}
        Edges::One(edge) if edge.reference() == by => visit(edge.other()),
        Edges::One(_) => {}
        Edges::Few(edges) => edges.iter().filter(|edge| edge.reference() == by).for_each(|edge| visit(edge.other())),
        Edges::Many(_) => edges.by(by).for_each(visit),
    }
}
