//! Finds the lines of ports, of exits and inside machines, which are the edges of the graph.

use super::super::error::ImpactError;
use super::super::physical_state::{Moment, each, each_by};
use super::super::propagate::Propagation;
use super::condition::NetworkLine;
use super::graph::{NetworkGraph, NodeId};
use crate::line::{Branch, Direction, Outcome, Through};
use crate::role::{Part, Purpose};
use crate::steps::Steps;
use underlay_inventory::{Dependencies, ObjectRef};

impl<'a> NetworkGraph<'a> {
    /// Adds the lines of a port to other machines and to exits.
    pub(super) fn lines_of_connector(
        &mut self,
        propagation: &Propagation<'a>,
        connector: ObjectRef,
        found: &mut Vec<NetworkLine>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        steps.take()?;
        if let Some(direct) = self.tracer.direct_line(connector) {
            let machine = user_machine_of(propagation, direct.end);
            let hops = [connector, direct.span, direct.end];
            found.extend(machine.map(|to| NetworkLine::over(&hops, direct.active, (connector, direct.end), to)));
            return Ok(());
        }
        let Ok(trace) = self.tracer.trace(connector, None, Through::Stop) else { return Ok(()) };
        for branch in trace.branches.iter().filter(|branch| branch.direction == Direction::Outward) {
            let Some((to, end)) = far_side(propagation, branch) else { continue };
            if branch.guessed && !self.leads_back(end, connector, &mut Dependencies::default()) {
                continue;
            }
            found.push(NetworkLine::of(branch, (connector, end), to));
        }
        Ok(())
    }

    /// Adds the lines of an exit over one of its ends. They are found from the ports at their other ends.
    pub(super) fn lines_of_exit(
        &mut self,
        propagation: &Propagation<'a>,
        exit: ObjectRef,
        end: ObjectRef,
        found: &mut Vec<NetworkLine>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        steps.take()?;
        let mut connectors = Vec::new();
        self.each_far(propagation, end, &mut |to, connector| {
            if to != exit {
                connectors.push((to, connector));
            }
        });
        for (machine, connector) in connectors {
            let mut lines = Vec::new();
            self.lines_of_connector(propagation, connector, &mut lines, steps)?;
            found.extend(lines.into_iter().filter(|line| line.to == exit).map(|line| line.to(machine)));
        }
        Ok(())
    }

    /// Returns true if a trace from an end leads to a port without a guess. Adds the dependencies of the trace.
    pub(super) fn leads_back(&mut self, end: ObjectRef, connector: ObjectRef, dependencies: &mut Dependencies) -> bool {
        let Ok(trace) = self.tracer.trace_with_dependencies(end, dependencies) else { return false };
        trace.branches.iter().any(|it| it.end == Some(connector) && it.outcome == Outcome::Complete && !it.guessed)
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
        far.into_iter().filter_map(|object| self.find(propagation, object)).collect()
    }

    /// Returns whether a port carries traffic over any of its lines before and after the failure, and the object that
    /// broke it. A port without a known cable counts as carrying traffic while it is up.
    pub fn carries(
        &mut self,
        propagation: &mut Propagation<'a>,
        connector: ObjectRef,
        steps: &mut Steps,
    ) -> Result<(bool, bool, Option<ObjectRef>), ImpactError> {
        steps.take()?;
        propagation.explore(connector, steps)?;
        let up = !propagation.physical_state.is_down(connector, Moment::Before);
        let went_down = propagation.physical_state.went_down(connector);
        if propagation.physical_state.span_on(connector).is_none() {
            return Ok((up, up && !went_down, went_down.then_some(connector)));
        }
        let (mut before, mut after, mut cause) = (false, false, None);
        let branches =
            self.tracer.trace(connector, None, Through::Stop).map(|trace| trace.branches).unwrap_or_default();
        for branch in branches.iter().filter(|branch| branch.outcome == Outcome::Complete) {
            let line = NetworkLine::of(branch, (connector, connector), connector);
            let was_up = line.was_up(propagation, steps)?;
            let broken = line.hops().iter().copied().find(|hop| propagation.physical_state.went_down(*hop));
            before |= was_up;
            after |= was_up && broken.is_none();
            let machine = broken
                .and_then(|_| machine_of(propagation, branch.end?))
                .filter(|it| propagation.physical_state.went_down(*it));
            cause = cause.or(machine).or(broken);
        }
        Ok((before, after, if went_down { Some(connector) } else { cause }))
    }

    /// Adds the connections inside a machine: those parts of it that forward traffic are connected with each other and
    /// with it.
    pub(super) fn siblings(
        &mut self,
        propagation: &Propagation<'a>,
        node: NodeId,
        found: &mut Vec<NetworkLine>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        let object = self.node(node).object;
        if !self.node(node).forwards {
            return Ok(());
        }
        for other in family(propagation, object) {
            steps.take()?;
            let forwards = self.find(propagation, other).is_some_and(|other| self.node(other).forwards);
            if !forwards || other == object {
                continue;
            }
            found.push(NetworkLine::over(&[other, object], true, (object, other), other));
        }
        Ok(())
    }
}

/// Returns the machine that a machine is a part of, its other parts, and the parts of the machine itself.
pub(in super::super) fn family(propagation: &Propagation<'_>, object: ObjectRef) -> Vec<ObjectRef> {
    let physical_state = &propagation.physical_state;
    let whole = physical_state.machine(object).and_then(|(machine, _)| physical_state.follow(object, machine.whole));
    let mut found: Vec<ObjectRef> = whole.into_iter().collect();
    for by in &physical_state.roles.wholes {
        for whole in whole.into_iter().chain([object]) {
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
        (Part::Connector(_), Outcome::Complete) => Some((user_machine_of(propagation, last)?, last)),
        (Part::Outside(_), Outcome::Complete) => Some((last, before_last()?)),
        (Part::OpaqueSpan(opaque_span), Outcome::Open) => {
            let out = (opaque_span.leads_out)(propagation.physical_state.row(last)?);
            Some((last, before_last()?)).filter(|_| out)
        }
        (Part::End(_), Outcome::Open) => exit_beyond(propagation, last).map(|exit| (exit, last)),
        _ => None,
    }
}

/// Returns the circuit that leads out of the inventory from an end whose location is not set.
fn exit_beyond(propagation: &Propagation<'_>, end: ObjectRef) -> Option<ObjectRef> {
    let mut found = None;
    each(propagation.physical_state.snapshot.outgoing(end), &mut |by, opaque_span| {
        if let Part::OpaqueSpan(role) = &propagation.physical_state.role(opaque_span).part {
            let nowhere = propagation.physical_state.is_nowhere(end);
            let free = propagation.physical_state.span_on(end).is_none();
            let out = propagation.physical_state.row(opaque_span).is_some_and(role.leads_out);
            if by == role.ends && nowhere && free && out {
                found = Some(opaque_span);
            }
        }
    });
    found
}

/// Returns true if an end is a port that carries user traffic.
fn is_data(propagation: &Propagation<'_>, end: ObjectRef) -> bool {
    propagation.physical_state.connector(end).is_some_and(|(_, state)| state.purpose == Purpose::Data)
}

/// Returns the machine of a port that carries user traffic.
pub(super) fn user_machine_of(propagation: &Propagation<'_>, end: ObjectRef) -> Option<ObjectRef> {
    is_data(propagation, end).then(|| machine_of(propagation, end)).flatten()
}

/// Returns the machine that has a port.
pub(in super::super) fn machine_of(propagation: &Propagation<'_>, connector: ObjectRef) -> Option<ObjectRef> {
    propagation
        .physical_state
        .connector(connector)
        .and_then(|(role, _)| propagation.physical_state.follow(connector, role.machine))
}
