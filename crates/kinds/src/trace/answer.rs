//! A trace and its branches in the API.

use std::sync::Arc;

use async_graphql::{Enum, Object};

use super::hop::Hop;
use super::scene::scene_of;
use crate::errors::internal;
use crate::scalars::Revision;
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::line;

/// The trace of a line: everything that the line leads to from one of its ends.
#[derive(Clone, Debug)]
pub struct Trace {
    snapshot: Arc<Snapshot>,
    trace: Arc<line::Trace>,
}

impl Trace {
    /// Creates the API object of a trace of a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, trace: line::Trace) -> Self {
        Self { snapshot, trace: Arc::new(trace) }
    }
}

/// The trace of a line: everything that the line leads to from one of its ends.
#[Object]
impl Trace {
    /// The object where the trace begins.
    async fn origin(&self) -> async_graphql::Result<Hop> {
        hop(&self.snapshot, self.trace.origin)
    }

    /// The revision of the trace.
    async fn revision(&self) -> Revision {
        Revision(self.snapshot.revision())
    }

    /// The branches: one for each place where the line ends. Strands that come back together are one branch. So are
    /// strands from several positions of the origin that arrive at the same end.
    async fn branches(&self) -> Vec<Branch> {
        let branch = |at| Branch { snapshot: Arc::clone(&self.snapshot), trace: Arc::clone(&self.trace), at };
        (0..self.trace.branches.len()).map(branch).collect()
    }

    /// True if every branch is COMPLETE.
    async fn complete(&self) -> bool {
        self.trace.complete()
    }

    /// True if everything on every strand is CONNECTED, ACTIVE and enabled.
    async fn active(&self) -> bool {
        self.trace.active()
    }

    /// True if a position had to be guessed. Then it is not known which branch the line really takes.
    async fn split(&self) -> bool {
        self.trace.split()
    }

    /// True if the answer is incomplete: the line has more than 1,000 branches or 10,000 hops, or a strand has more
    /// than 1,000 hops and was cut.
    async fn truncated(&self) -> bool {
        self.trace.truncated
    }

    /// A drawing of the line as an SVG document: hops from left to right, broken ends in red. It shows the first
    /// branches, of together at most 1,500 hops, and says how many more there are.
    async fn svg(&self) -> String {
        underlay_drawing::page(&scene_of(&self.snapshot, &self.trace))
    }
}

/// One line from the origin of a trace to the place where it ends.
#[derive(Clone, Debug)]
pub struct Branch {
    snapshot: Arc<Snapshot>,
    trace: Arc<line::Trace>,
    at: usize,
}

/// One line from the origin of a trace to the place where it ends.
#[Object]
impl Branch {
    /// The steps of the branch, from the origin on. A step is the list of hops that are passed side by side, usually
    /// one.
    async fn steps(&self) -> async_graphql::Result<Vec<Vec<Hop>>> {
        let step = |objects: &[ObjectRef]| objects.iter().map(|object| hop(&self.snapshot, *object)).collect();
        self.of().steps().map(step).collect()
    }

    /// The direction in which the branch leaves the origin.
    async fn direction(&self) -> BranchDirection {
        self.of().direction.into()
    }

    /// The positions of the origin that the branch carries, from 1. Empty if the origin has one position.
    async fn positions(&self) -> Vec<u32> {
        self.of().positions.clone()
    }

    /// The positions of the last hop at which the branch arrives, from 1. Empty if that hop has one position, or if the
    /// positions are not known.
    async fn end_positions(&self) -> Vec<u32> {
        self.of().end_positions.clone()
    }

    /// The last hop, where the branch ends. Null if it ends outside the inventory.
    async fn end(&self) -> async_graphql::Result<Option<Hop>> {
        self.of().end.map(|end| hop(&self.snapshot, end)).transpose()
    }

    /// The way in which the branch ends.
    async fn outcome(&self) -> BranchOutcome {
        self.of().outcome.into()
    }

    /// True if everything on every strand is CONNECTED, ACTIVE and enabled.
    async fn active(&self) -> bool {
        self.of().active
    }

    /// The length in metres; of parallel strands, the longest. Null if the length of a part is unknown. Circuits count
    /// if they are crossed.
    async fn length_m(&self) -> Option<f64> {
        self.of().measure.length_m()
    }

    /// The sum of all known lengths in metres.
    async fn known_length_m(&self) -> f64 {
        self.of().measure.known_length_m
    }

    /// The one-way latency in milliseconds of the circuits that are crossed; of parallel strands, the slowest. Null if
    /// none is crossed or one latency is unknown.
    async fn latency_ms(&self) -> Option<f64> {
        self.of().measure.latency_ms()
    }

    /// The sum in milliseconds of all one-way latencies that are known: of circuits, and of cables of known length, which
    /// count 5 microseconds per kilometre. Circuits of the type CROSS_CONNECT without a latency count like cables. Of
    /// parallel strands, the slowest counts.
    async fn known_latency_ms(&self) -> f64 {
        self.of().measure.known_latency_ms()
    }

    /// The number of circuits of unknown latency. Circuits of the type CROSS_CONNECT are not counted.
    async fn unknown_latencies(&self) -> u32 {
        self.of().measure.unknown_latencies
    }

    /// The number of cables that the branch runs over.
    async fn cable_count(&self) -> u32 {
        self.of().spans
    }
}

impl Branch {
    fn of(&self) -> &line::Branch {
        &self.trace.branches[self.at]
    }
}

fn hop(snapshot: &Arc<Snapshot>, object: ObjectRef) -> async_graphql::Result<Hop> {
    Hop::at(snapshot, object).ok_or_else(|| internal("a line runs over what is no hop"))
}

/// The direction in which a branch leaves the origin of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum BranchDirection {
    /// The branch leaves over the cable or circuit that is plugged into the origin.
    Cable,
    /// The branch leaves the other way, from the middle of a line: through the panel, or across the circuit.
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

/// The way in which a branch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum BranchOutcome {
    /// The branch ends at a device, a power feed or a provider network, or outside the inventory.
    Complete,
    /// The branch ends where nothing is plugged in, no lane leads on, or a circuit ends at a bare site or has no other
    /// end.
    Open,
    /// The branch returns to a place where it has been before.
    Loop,
    /// The branch ends at a patch port that is not connected inside at the position of the line.
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
