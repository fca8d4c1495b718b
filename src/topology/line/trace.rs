//! A trace: all that a line leads to from one end of it.

use super::branch::{Branch, FarEnd, FarEnds, Line};
use super::brief;
use super::error::LineError;
use super::role::{Lines, Onward};
use super::strands::Strands;
use super::walk::{Direction, MOST_BRANCHES, MOST_HOPS, Outcome, Through, Walk};
use crate::inventory::{Grounds, Place, Snapshot};

/// What a line leads to from one end of it. It holds places of the snapshot that it was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The end that the walk began at.
    pub origin: Place,
    /// Its branches: first those outward, then those inward, each in the order of lanes and positions.
    pub branches: Vec<Branch>,
    /// Whether there is more than the bounds allow to say.
    pub truncated: bool,
}

impl Trace {
    /// Whether every branch ends where lines are meant to end.
    pub fn complete(&self) -> bool {
        let mut outcomes = self.branches.iter().map(|branch| branch.outcome);
        !self.truncated && !self.branches.is_empty() && outcomes.all(|outcome| outcome == Outcome::Complete)
    }

    /// Whether everything on every strand is plugged in, in use and switched on.
    pub fn active(&self) -> bool {
        !self.branches.is_empty() && self.branches.iter().all(|branch| branch.active)
    }

    /// Whether a position had to be guessed.
    pub fn split(&self) -> bool {
        self.branches.iter().any(|branch| branch.guessed)
    }
}

/// A line over one joint, from the end that it was asked of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectLine {
    /// The joint.
    pub joint: Place,
    /// The end at its other side.
    pub end: Place,
    /// Whether all on it is plugged in, in use and switched on.
    pub active: bool,
    /// Whether it begins at the end that was asked, which lines do not pass.
    pub whole: bool,
}

/// Follows lines in one snapshot. What it needs for a walk it uses again for the next: one tracer for many lines.
pub struct Tracer<'a> {
    walk: Walk<'a>,
    /// Whether strands from several positions of the origin that arrive at one end are one branch.
    joins_strands: bool,
}

impl<'a> Tracer<'a> {
    /// A tracer in a snapshot, for those who read traces: strands from several positions of the origin
    /// that arrive at one end are one branch.
    pub fn new(snapshot: &'a Snapshot, lines: &'a Lines) -> Self {
        Self { walk: Walk::new(snapshot, lines), joins_strands: true }
    }

    /// A tracer in a snapshot, for what is worked out from lines: strands from several positions of the origin
    /// are branches of their own, as one of them can fail without the others.
    pub fn strand_by_strand(snapshot: &'a Snapshot, lines: &'a Lines) -> Self {
        Self { walk: Walk::new(snapshot, lines), joins_strands: false }
    }

    /// Follows the line of an end, from one of its positions or from all.
    ///
    /// # Errors
    /// When there is no end at the place, or the end does not have the position.
    pub fn trace(&mut self, origin: Place, position: Option<u32>, through: Through) -> Result<Trace, LineError> {
        let mut trace = Trace { origin, branches: Vec::new(), truncated: false };
        let mut hops = 0;
        self.each_line(origin, position, through, |walk, line, direction| {
            let branch = Branch::of(walk, line, direction);
            hops += branch.hops().len();
            let fits = hops <= MOST_HOPS;
            if fits {
                trace.branches.push(branch);
            }
            fits
        })?;
        trace.truncated = self.walk.truncated;
        Ok(trace)
    }

    /// Follows the line of an end from all of its positions, and adds what the trace is worked out from.
    ///
    /// # Errors
    /// As [`trace`](Self::trace).
    pub fn trace_with_grounds(&mut self, origin: Place, grounds: &mut Grounds) -> Result<Trace, LineError> {
        grounds.row(origin);
        self.walk.grounds = Some(std::mem::take(grounds));
        let trace = self.trace(origin, None, Through::Stop);
        *grounds = self.walk.grounds.take().unwrap_or_default();
        trace
    }

    /// What the line of an end leads to, without the way there; within the bounds of a trace.
    ///
    /// # Errors
    /// As [`trace`](Self::trace).
    pub fn far_ends(&mut self, origin: Place) -> Result<FarEnds, LineError> {
        let mut ends = Vec::new();
        self.each_line(origin, None, Through::Stop, |walk, line, direction| {
            ends.push(FarEnd::of(walk, line, direction));
            true
        })?;
        Ok(FarEnds { ends, truncated: self.walk.truncated })
    }

    /// The line from an end outward, where it is one joint without lanes to one other end, at which it ends: what is
    /// true of most lines, and seen without following them.
    pub fn direct_line(&self, origin: Place) -> Option<DirectLine> {
        let walk = &self.walk;
        let (_, from) = walk.end(origin).filter(|(_, state)| state.positions.is_none_or(|positions| positions == 1))?;
        let (_, joint, side) = walk.joint_on(origin)?;
        let word = walk.brief(joint).filter(|word| !brief::has_lanes(*word))?;
        let mut others = walk.snapshot.outgoing(joint).by(side.other);
        let end = others.next().filter(|end| *end != origin && others.next().is_none())?;
        let (_, to) = walk.end(end).filter(|(_, state)| state.onward == Onward::Stays)?;
        let (active, whole) = (from.active && brief::is_active(word) && to.active, from.onward == Onward::Stays);
        Some(DirectLine { joint, end, active, whole })
    }

    /// Calls back with each line from an end, for as long as the answer is yes and the bounds allow.
    fn each_line(
        &mut self,
        origin: Place,
        position: Option<u32>,
        through: Through,
        mut visit: impl FnMut(&Walk<'a>, &Line, Direction) -> bool,
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
            for place in 0..walk.endings.len() {
                let ending = walk.endings[place];
                if together.is_another(ending) {
                    continue;
                }
                let line = Line::of_strands(walk, ending, together.others(ending));
                (branches, strands) = (branches + 1, strands + line.strands());
                if branches > MOST_BRANCHES || strands > MOST_HOPS || !visit(walk, &line, direction) {
                    walk.truncated = true;
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// The positions that a walk begins with; none for an end that has one.
fn starts(most: u32, position: Option<u32>) -> Result<Vec<u32>, LineError> {
    match position {
        Some(position) if !(1..=most).contains(&position) => Err(LineError::Position { most }),
        _ if most == 1 => Ok(Vec::new()),
        Some(position) => Ok(vec![position]),
        // Lanes may name any number; what is past the bounds is not walked.
        None => Ok((1..=most.min(MOST_HOPS as u32 + 1)).collect()),
    }
}

fn refused(walk: &Walk<'_>, origin: Place) -> LineError {
    if walk.snapshot.row(origin).is_none() {
        return LineError::Missing;
    }
    let registry = walk.snapshot.registry();
    LineError::NoEnd { kind: registry.get(origin.kind).name, allowed: walk.lines.ends(registry).join(", ") }
}
