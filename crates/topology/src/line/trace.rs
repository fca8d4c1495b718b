//! Traces: all branches of a line from one of its ends.

use super::branch::{Branch, FarEnd, FarEnds, WalkedLine};
use super::error::LineError;
use super::node::{Direction, Outcome, Through};
use super::strands::Strands;
use super::walk::{MAX_BRANCHES, MAX_HOPS, Walk};
use crate::role::{Onward, Roles};
use underlay_inventory::{Dependencies, ObjectRef, Snapshot};

/// All branches of a line from one of its ends. The objects in it are those of the snapshot that was traced.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The end at which the walk began.
    pub origin: ObjectRef,
    /// The branches: first outward, then inward, each in the order of lanes and positions.
    pub branches: Vec<Branch>,
    /// True if the limits of a trace cut off further branches.
    pub truncated: bool,
}

impl Trace {
    /// Returns true if every branch ends where lines are meant to end.
    pub fn complete(&self) -> bool {
        let mut outcomes = self.branches.iter().map(|branch| branch.outcome);
        !self.truncated && !self.branches.is_empty() && outcomes.all(|outcome| outcome == Outcome::Complete)
    }

    /// Returns true if every object on every strand is plugged in, in use and switched on.
    pub fn active(&self) -> bool {
        !self.branches.is_empty() && self.branches.iter().all(|branch| branch.active)
    }

    /// Returns true if a position had to be guessed.
    pub fn split(&self) -> bool {
        self.branches.iter().any(|branch| branch.guessed)
    }
}

/// A line over a single cable, from the end that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectLine {
    /// The cable between the two ends.
    pub span: ObjectRef,
    /// The end at the other side of the cable.
    pub end: ObjectRef,
    /// True if every object on the line is plugged in, in use and switched on.
    pub active: bool,
    /// True if lines do not continue through the end that was asked for, so that the line begins there.
    pub whole: bool,
}

/// Traces lines in one snapshot. It reuses its memory, so use one tracer for many lines.
pub struct Tracer<'a> {
    walk: Walk<'a>,
    /// True if strands from several positions of the origin that arrive at one end form one branch.
    joins_strands: bool,
}

impl<'a> Tracer<'a> {
    /// Returns a tracer whose traces are shown to users: strands from several positions of the origin that arrive at
    /// one end form one branch.
    pub fn new(snapshot: &'a Snapshot, roles: &'a Roles) -> Self {
        Self { walk: Walk::new(snapshot, roles), joins_strands: true }
    }

    /// Returns a tracer whose traces are evaluated further: strands from several positions of the origin are separate
    /// branches, because one of them can fail without the others.
    pub fn strand_by_strand(snapshot: &'a Snapshot, roles: &'a Roles) -> Self {
        Self { walk: Walk::new(snapshot, roles), joins_strands: false }
    }

    /// Traces the line of an end, from one of its positions or from all.
    ///
    /// # Errors
    /// Returns an error if the object is not an end, or if the end does not have the position.
    pub fn trace(&mut self, origin: ObjectRef, position: Option<u32>, through: Through) -> Result<Trace, LineError> {
        let mut trace = Trace { origin, branches: Vec::new(), truncated: false };
        let mut hops = 0;
        self.each_line(origin, position, through, |walk, line, direction| {
            let branch = Branch::of(walk, line, direction);
            hops += branch.hops().len();
            let fits = hops <= MAX_HOPS;
            if fits {
                trace.branches.push(branch);
            }
            fits
        })?;
        trace.truncated = self.walk.truncated;
        Ok(trace)
    }

    /// Traces the line of an end from all of its positions, and adds the dependencies of the trace.
    ///
    /// # Errors
    /// Returns the same errors as [`trace`](Self::trace).
    pub fn trace_with_dependencies(
        &mut self,
        origin: ObjectRef,
        dependencies: &mut Dependencies,
    ) -> Result<Trace, LineError> {
        dependencies.row(origin);
        self.walk.dependencies = Some(std::mem::take(dependencies));
        let trace = self.trace(origin, None, Through::Stop);
        *dependencies = self.walk.dependencies.take().unwrap_or_default();
        trace
    }

    /// Returns the far ends of the line of an end, without the hops between, within the limits of a trace.
    ///
    /// # Errors
    /// Returns the same errors as [`trace`](Self::trace).
    pub fn far_ends(&mut self, origin: ObjectRef) -> Result<FarEnds, LineError> {
        let mut ends = Vec::new();
        self.each_line(origin, None, Through::Stop, |walk, line, direction| {
            ends.push(FarEnd::of(walk, line, direction));
            true
        })?;
        Ok(FarEnds { ends, truncated: self.walk.truncated })
    }

    /// Returns the outward line from an end if it is one cable without lanes to a single other end, at which it ends.
    /// This holds for most lines, and needs no trace.
    pub fn direct_line(&self, origin: ObjectRef) -> Option<DirectLine> {
        let walk = &self.walk;
        let (_, from) = walk.end(origin).filter(|(_, state)| state.positions.is_none_or(|positions| positions == 1))?;
        let (_, span, side) = walk.span_on(origin)?;
        let packed = walk.packed_state(span).filter(|packed| !packed.has_lanes())?;
        let mut others = walk.snapshot.outgoing(span).by(side.other);
        let end = others.next().filter(|end| *end != origin && others.next().is_none())?;
        let (_, to) = walk.end(end).filter(|(_, state)| state.onward == Onward::Ends)?;
        let (active, whole) = (from.active && packed.is_active() && to.active, from.onward == Onward::Ends);
        Some(DirectLine { span, end, active, whole })
    }

    /// Calls `visit` with each line from an end, as long as it returns true and the limits allow.
    fn each_line(
        &mut self,
        origin: ObjectRef,
        position: Option<u32>,
        through: Through,
        mut visit: impl FnMut(&Walk<'a>, &WalkedLine, Direction) -> bool,
    ) -> Result<(), LineError> {
        let walk = &mut self.walk;
        walk.begin(through);
        let Some((end, state)) = walk.end(origin) else { return Err(refused(walk, origin)) };
        let positions = starts(walk.positions(origin, state), position)?;
        let (mut branches, mut strands) = (0, 0);
        for direction in [Direction::Outward, Direction::Inward] {
            if direction == Direction::Inward && !walk.leads_inward(origin, end, state) {
                continue;
            }
            walk.run(origin, state, direction, &positions);
            let mut together =
                if self.joins_strands && positions.len() > 1 { Strands::of(walk) } else { Strands::default() };
            for object in 0..walk.endings.len() {
                let ending = walk.endings[object];
                if together.is_another(ending) {
                    continue;
                }
                let line = WalkedLine::of_strands(walk, ending, together.others(ending));
                (branches, strands) = (branches + 1, strands + line.strands());
                if branches > MAX_BRANCHES || strands > MAX_HOPS || !visit(walk, &line, direction) {
                    walk.truncated = true;
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Returns the positions that a walk begins with; none for an end that has one position.
fn starts(most: u32, position: Option<u32>) -> Result<Vec<u32>, LineError> {
    match position {
        Some(position) if !(1..=most).contains(&position) => Err(LineError::Position { most }),
        _ if most == 1 => Ok(Vec::new()),
        Some(position) => Ok(vec![position]),
        // Lanes may name any number of positions. Positions past the limits are not walked.
        None => Ok((1..=most.min(MAX_HOPS as u32 + 1)).collect()),
    }
}

fn refused(walk: &Walk<'_>, origin: ObjectRef) -> LineError {
    if walk.snapshot.row(origin).is_none() {
        return LineError::Missing;
    }
    let registry = walk.snapshot.registry();
    LineError::NoEnd { kind: registry.get(origin.kind).name, allowed: walk.roles.ends_of_lines(registry).join(", ") }
}
