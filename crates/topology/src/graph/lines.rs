//! Traces lines from the ends at which they begin.

use std::collections::BTreeMap;

use super::answer::ConnectionState;
use crate::line::{Branch, Direction, Outcome, Through, Tracer};
use crate::path::View;
use crate::role::Part;
use crate::steps::{Ended, Steps};
use underlay_inventory::ObjectRef;

/// Traces lines in one snapshot.
pub(super) struct LineFinder<'a> {
    view: View<'a>,
    tracer: Tracer<'a>,
}

/// The far side of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Far {
    /// The end, or the network, at which the line ends.
    pub object: ObjectRef,
    /// The last object before it.
    pub before_last: Option<ObjectRef>,
    pub state: ConnectionState,
}

/// The strands that connect an end with another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EndStrands {
    /// The state of the strands that are known without a guess; `None` if a position was guessed on each of them.
    known: Option<ConnectionState>,
    /// The last object before the other end.
    before_last: Option<ObjectRef>,
}

impl<'a> LineFinder<'a> {
    pub fn new(view: View<'a>) -> Self {
        Self { view, tracer: Tracer::strand_by_strand(view.snapshot, view.roles) }
    }

    /// Returns the objects at which the complete lines of an end lead outward, each with the state of the line. As on
    /// paths, a line counts if its positions are known without a guess from at least one of its ends.
    pub fn far_ends(&mut self, end: ObjectRef, steps: &mut Steps) -> Result<Vec<(ObjectRef, ConnectionState)>, Ended> {
        let far = self.lines(end, (end, Direction::Outward), steps)?;
        Ok(far.into_iter().map(|far| (far.object, far.state)).collect())
    }

    /// Returns the objects to which complete lines lead from a network, over an end that stands in it.
    pub fn beyond(&mut self, network: ObjectRef, stander: ObjectRef, steps: &mut Steps) -> Result<Vec<Far>, Ended> {
        self.lines(network, (stander, Direction::Inward), steps)
    }

    /// Returns the far sides of the lines of an object, over an end and in a direction.
    fn lines(
        &mut self,
        of: ObjectRef,
        (end, direction): (ObjectRef, Direction),
        steps: &mut Steps,
    ) -> Result<Vec<Far>, Ended> {
        let mut found = Vec::new();
        for (object, EndStrands { known, before_last }) in self.strands(end, direction, steps)? {
            let state = match known {
                Some(state) => Some(state),
                None => self.found_from_other_end(of, (object, before_last), steps)?,
            };
            found.extend(state.map(|state| Far { object, before_last, state }));
        }
        Ok(found)
    }

    /// Returns the state of a line as a trace from its far end finds it, if that trace does so without a guess.
    fn found_from_other_end(
        &mut self,
        of: ObjectRef,
        (far, before_last): (ObjectRef, Option<ObjectRef>),
        steps: &mut Steps,
    ) -> Result<Option<ConnectionState>, Ended> {
        let is_end = self.view.roles.end(far.kind).is_some();
        let back = match (is_end, before_last) {
            (true, _) => self.strands(far, Direction::Outward, steps)?,
            // The line leads to a network, in which its last end stands.
            (false, Some(stander)) => self.strands(stander, Direction::Inward, steps)?,
            (false, None) => return Ok(None),
        };
        Ok(back.get(&of).and_then(|strands| strands.known))
    }

    /// Returns the ends to which complete lines lead from an end.
    fn strands(
        &mut self,
        end: ObjectRef,
        direction: Direction,
        steps: &mut Steps,
    ) -> Result<BTreeMap<ObjectRef, EndStrands>, Ended> {
        steps.take()?;
        // Most lines are one plain cable between two ends at which lines end, and need no trace.
        if let Some(line) = self.tracer.direct_line(end).filter(|line| line.whole) {
            let strands = EndStrands { known: Some(ConnectionState::of(line.active)), before_last: Some(line.span) };
            return Ok(BTreeMap::from([(line.end, strands)]));
        }
        let mut found: BTreeMap<ObjectRef, EndStrands> = BTreeMap::new();
        for branch in self.branches(end, direction, steps)? {
            let Some(far) = branch.end else { continue };
            let known = (!branch.guessed).then(|| ConnectionState::of(branch.active));
            let before_last = branch.hops().iter().rev().nth(1).copied();
            let strands = found.entry(far).or_insert(EndStrands { known, before_last });
            strands.known = match (strands.known, known) {
                (Some(one), Some(other)) => Some(one.and(other)),
                (one, other) => one.or(other),
            };
        }
        Ok(found)
    }

    /// Returns the complete lines of an end in a direction. Each hop of its trace is a step.
    fn branches(&mut self, end: ObjectRef, direction: Direction, steps: &mut Steps) -> Result<Vec<Branch>, Ended> {
        // A trace from an object that is no end has no lines.
        let mut branches = self.tracer.trace(end, None, Through::Stop).map_or_else(|_| Vec::new(), |it| it.branches);
        for _ in branches.iter().flat_map(Branch::hops) {
            steps.take()?;
        }
        branches.retain(|branch| branch.direction == direction && branch.outcome == Outcome::Complete);
        Ok(branches)
    }

    /// Returns true if the object that has an end exists and runs.
    pub fn runs(&self, end: ObjectRef) -> bool {
        let machine = match self.view.roles.of(end.kind).part {
            Part::Connector(connector) => self.view.snapshot.outgoing(end).first_by(connector.machine),
            _ => Some(end),
        };
        // A port that no machine has runs with its own state, which is a part of its line.
        machine.is_none_or(|machine| runs(self.view, machine))
    }
}

/// Returns true if a row says that the object exists and runs.
pub(super) fn runs(view: View<'_>, object: ObjectRef) -> bool {
    view.snapshot.row(object).is_some_and(|row| (view.roles.of(object.kind).status)(row.as_ref()).runs())
}
