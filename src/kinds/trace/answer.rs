//! A trace and its branches in the API.

use std::sync::Arc;

use async_graphql::{Enum, Object};

use super::drawing;
use super::hop::Hop;
use crate::inventory::{Place, Snapshot};
use crate::kinds::errors::internal;
use crate::kinds::scalars::Revision;
use crate::topology::line;

/// All that a line leads to from one end of it.
#[derive(Clone, Debug)]
pub struct Trace {
    snapshot: Arc<Snapshot>,
    trace: Arc<line::Trace>,
}

impl Trace {
    /// A trace of this snapshot.
    pub fn new(snapshot: Arc<Snapshot>, trace: line::Trace) -> Self {
        Self { snapshot, trace: Arc::new(trace) }
    }
}

/// All that a line leads to from one end of it.
#[Object]
impl Trace {
    /// Where the walk began.
    async fn origin(&self) -> async_graphql::Result<Hop> {
        hop(&self.snapshot, self.trace.origin)
    }

    /// The revision that it is of.
    async fn revision(&self) -> Revision {
        Revision(self.snapshot.revision())
    }

    /// One for each place where the line ends. Strands that come back together are one branch, and so are strands from
    /// several positions of the origin that arrive at the same end.
    async fn branches(&self) -> Vec<Branch> {
        let branch = |at| Branch { snapshot: Arc::clone(&self.snapshot), trace: Arc::clone(&self.trace), at };
        (0..self.trace.branches.len()).map(branch).collect()
    }

    /// Whether every branch is COMPLETE.
    async fn complete(&self) -> bool {
        self.trace.complete()
    }

    /// Whether everything on every strand is CONNECTED, ACTIVE and enabled.
    async fn active(&self) -> bool {
        self.trace.active()
    }

    /// Whether a position had to be guessed: which branch the line really takes is not known then.
    async fn split(&self) -> bool {
        self.trace.split()
    }

    /// Whether the answer is incomplete: there are more than 1,000 branches or 10,000 hops, or a strand has more than
    /// 1,000 hops and was cut.
    async fn truncated(&self) -> bool {
        self.trace.truncated
    }

    /// The line as a drawing, an SVG document: hops from left to right, broken ends in red. The first branches, of
    /// together at most 1,500 hops; the drawing says how many more there are.
    async fn svg(&self) -> String {
        drawing::svg(&self.snapshot, &self.trace)
    }
}

/// One line from the origin of a trace to where it ends.
#[derive(Clone, Debug)]
pub struct Branch {
    snapshot: Arc<Snapshot>,
    trace: Arc<line::Trace>,
    at: usize,
}

/// One line from the origin of a trace to where it ends.
#[Object]
impl Branch {
    /// The way, from the origin on. A step is the hops that are passed side by side, usually one.
    async fn steps(&self) -> async_graphql::Result<Vec<Vec<Hop>>> {
        let step = |places: &[Place]| places.iter().map(|place| hop(&self.snapshot, *place)).collect();
        self.of().steps().map(step).collect()
    }

    /// On which way it leaves the origin.
    async fn direction(&self) -> BranchDirection {
        self.of().direction.into()
    }

    /// The positions of the origin that it carries, from 1; none where the origin has one position.
    async fn positions(&self) -> Vec<u32> {
        self.of().positions.clone()
    }

    /// The positions of its last hop at which it arrives, from 1. Empty where that has one position, or where the
    /// positions are not known.
    async fn end_positions(&self) -> Vec<u32> {
        self.of().end_positions.clone()
    }

    /// What it ends at: its last hop; null: something outside the inventory.
    async fn end(&self) -> async_graphql::Result<Option<Hop>> {
        self.of().end.map(|end| hop(&self.snapshot, end)).transpose()
    }

    /// How it ends.
    async fn outcome(&self) -> BranchOutcome {
        self.of().outcome.into()
    }

    /// Whether everything on every strand is CONNECTED, ACTIVE and enabled.
    async fn active(&self) -> bool {
        self.of().active
    }

    /// The length in metres, of parallel strands the longest; null where a part is unknown. Circuits count when they
    /// are crossed.
    async fn length_m(&self) -> Option<f64> {
        self.of().length_m
    }

    /// The length in metres, as far as it is known.
    async fn known_length_m(&self) -> f64 {
        self.of().known_length_m
    }

    /// The latency one way in milliseconds of the circuits that are crossed, of parallel strands the slowest; null
    /// where none is crossed or one is unknown.
    async fn latency_ms(&self) -> Option<f64> {
        self.of().latency_ms
    }

    /// How many cables it runs over.
    async fn cable_count(&self) -> u32 {
        self.of().joints
    }
}

impl Branch {
    fn of(&self) -> &line::Branch {
        &self.trace.branches[self.at]
    }
}

fn hop(snapshot: &Arc<Snapshot>, place: Place) -> async_graphql::Result<Hop> {
    Hop::at(snapshot, place).ok_or_else(|| internal("a line runs over what is no hop"))
}

/// The way on which a branch leaves the origin of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum BranchDirection {
    /// Over what is plugged into it.
    Cable,
    /// The other way, from the middle of a line: through the panel, or across the circuit.
    Through,
}

impl From<line::Direction> for BranchDirection {
    fn from(direction: line::Direction) -> Self {
        match direction {
            line::Direction::Outward => Self::Cable,
            line::Direction::Inward => Self::Through,
        }
    }
}

/// How a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum BranchOutcome {
    /// At a device, a power feed or a provider network, or outside the inventory.
    Complete,
    /// Where nothing is plugged in, no lane leads on, or a circuit ends at a bare site or has no other end.
    Open,
    /// Where it has been before.
    Loop,
    /// At a patch port that is not joined inside at the position of the line.
    Unmapped,
}

impl From<line::Outcome> for BranchOutcome {
    fn from(outcome: line::Outcome) -> Self {
        match outcome {
            line::Outcome::Complete => Self::Complete,
            line::Outcome::Open => Self::Open,
            line::Outcome::Loop => Self::Loop,
            line::Outcome::Unmapped => Self::Unmapped,
        }
    }
}
