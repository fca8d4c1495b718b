//! The lines of the network, and whether each was up before and after the failure. A line is checked when a query first
//! asks for it. Most lines lead to nodes that the query has visited already, and are never checked.

use std::sync::Arc;

use super::super::error::ImpactError;
use super::super::marks::Mark;
use super::super::physical_state::Moment;
use super::super::propagate::Propagation;
use super::graph::About;
use crate::line::Branch;
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// A line regardless of its state: the node at its far end and the objects on it.
#[derive(Clone, Debug)]
pub(super) struct NetworkLine {
    pub to: ObjectRef,
    /// The two ends of the line, the smaller one first.
    pub key: (ObjectRef, ObjectRef),
    /// True if every object on the line is plugged in, in use and switched on.
    active: bool,
    hops: Arc<[ObjectRef]>,
}

impl NetworkLine {
    /// Returns a line that was traced from one of its ends.
    pub fn of(branch: &Branch, ends: (ObjectRef, ObjectRef), to: ObjectRef) -> Self {
        Self::over(branch.hops(), branch.active, ends, to)
    }

    /// Returns a line over these objects.
    pub fn over(hops: &[ObjectRef], active: bool, ends: (ObjectRef, ObjectRef), to: ObjectRef) -> Self {
        Self { to, key: (ends.0.min(ends.1), ends.0.max(ends.1)), active, hops: hops.into() }
    }

    /// Returns the same line with another far end.
    pub fn to(self, to: ObjectRef) -> Self {
        Self { to, ..self }
    }

    /// Returns the objects on the line.
    pub fn hops(&self) -> &[ObjectRef] {
        &self.hops
    }

    /// Returns true if the line was up before the failure.
    pub fn was_up(&self, propagation: &mut Propagation<'_>, steps: &mut Steps) -> Result<bool, ImpactError> {
        Ok(self.active && stood(&self.hops, propagation, steps)?)
    }
}

/// Returns true if none of these objects was down before.
fn stood(hops: &[ObjectRef], propagation: &mut Propagation<'_>, steps: &mut Steps) -> Result<bool, ImpactError> {
    for hop in hops {
        steps.take()?;
        propagation.explore(*hop, steps)?;
        if propagation.physical_state.marks.has(*hop, Mark::BEFORE) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The known state of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// The line was not checked yet.
    Unknown,
    /// The line was not up before the failure.
    WasDown,
    /// The line was up before the failure and is down now.
    Broke,
    /// The line was up before. In a graph for one failure, this also says that the line is still up.
    Up,
}

/// The index of a line in the conditions of a graph.
pub(super) type LineAt = u32;

/// The objects on the lines of a graph, and the known state of each line.
#[derive(Debug)]
pub(super) struct Conditions {
    about: About,
    hops: Vec<ObjectRef>,
    /// For each line, the end of its range in `hops`, and its known state.
    known: Vec<(u32, Condition)>,
}

impl Conditions {
    /// Returns an empty list of conditions.
    pub fn new(about: About) -> Self {
        Self { about, hops: Vec::new(), known: Vec::new() }
    }

    /// Adds a line that is not checked yet. A line that is not active is known to have been down.
    pub fn add(&mut self, line: &NetworkLine) -> LineAt {
        self.hops.extend_from_slice(&line.hops);
        let condition = if line.active { Condition::Unknown } else { Condition::WasDown };
        self.known.push((self.hops.len() as u32, condition));
        self.known.len() as LineAt - 1
    }

    /// Returns the objects on a line.
    pub fn hops(&self, line: LineAt) -> &[ObjectRef] {
        let at = line as usize;
        let from = at.checked_sub(1).map_or(0, |before| self.known[before].0);
        &self.hops[from as usize..self.known[at].0 as usize]
    }

    /// Checks a line that was not checked yet.
    pub fn look(
        &mut self,
        line: LineAt,
        propagation: &mut Propagation<'_>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        self.known[line as usize].1 = match stood(self.hops(line), propagation, steps)? {
            false => Condition::WasDown,
            true if self.about == About::OneFailure && self.is_down(line, propagation) => Condition::Broke,
            true => Condition::Up,
        };
        Ok(())
    }

    /// Returns true if a line was not checked yet.
    #[inline]
    pub fn is_unknown(&self, line: LineAt) -> bool {
        self.known[line as usize].1 == Condition::Unknown
    }

    /// Returns true if a line is known to be up at a moment. A line is down when any object on it is.
    pub fn is_up(&self, line: LineAt, propagation: &Propagation<'_>, at: Moment) -> bool {
        match (self.known[line as usize].1, at) {
            (Condition::Unknown | Condition::WasDown, _) | (Condition::Broke, Moment::After) => false,
            (Condition::Broke | Condition::Up, Moment::Before) => true,
            (Condition::Up, Moment::After) => self.about == About::OneFailure || !self.is_down(line, propagation),
        }
    }

    fn is_down(&self, line: LineAt, propagation: &Propagation<'_>) -> bool {
        self.hops(line).iter().any(|hop| propagation.physical_state.went_down(*hop))
    }
}
