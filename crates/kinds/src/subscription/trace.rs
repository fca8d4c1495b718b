//! Follows the trace of an object, and returns it again whenever it has changed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::ID;
use tokio::sync::watch;
use tokio::time::Instant;
use underlay_entity::change;
use uuid::Uuid;

use super::Subscribed;
use crate::errors::refused;
use crate::request::Request;
use crate::trace::{Trace, follow};
use underlay_engine::feed::{CurrentSnapshot, Cursor, Form, Revised, StreamPosition};
use underlay_engine::runtime::TimeSlice;
use underlay_inventory::{Head, ObjectRef, Snapshot, parse_id};
use underlay_topology::line::{self, Direction, Outcome, Through};

/// The minimum time between two computations of a trace.
const MIN_TRACE_INTERVAL: Duration = Duration::from_millis(250);

/// The parts of a trace whose change is reported to clients.
#[derive(PartialEq)]
struct Shape {
    branches: Vec<BranchShape>,
    truncated: bool,
}

/// The same for one branch: its hops, its outcome and its activity.
#[derive(PartialEq)]
struct BranchShape {
    direction: Direction,
    /// The positions of the origin, and those of the end.
    positions: [Vec<u32>; 2],
    steps: Vec<Vec<Option<Uuid>>>,
    end: Option<Uuid>,
    outcome: Outcome,
    active: bool,
}

/// The objects that a trace depends on.
#[derive(Default)]
struct Near {
    /// The objects that the trace runs over.
    visited: HashSet<Uuid>,
    /// The objects that the visited objects refer to.
    beside: HashSet<Uuid>,
}

/// A trace that a client subscribes to.
pub(super) struct TraceSubscription {
    from: Uuid,
    current: CurrentSnapshot,
    subscribed: Subscribed,
    receiver: watch::Receiver<Arc<Snapshot>>,
    /// The head of the snapshot that was checked last.
    looked_at: Head,
    /// The shape that was reported last; `None` if the object is gone.
    sent: Option<Shape>,
    near: Near,
    /// The time of the last computation; `None` before the first one.
    worked_out: Option<Instant>,
}

impl TraceSubscription {
    /// Begins a subscription to the trace of an object.
    ///
    /// # Errors
    /// Returns an error if there is no such object, or if no line begins at it.
    pub fn begin(from: &ID, subscribed: Subscribed, request: &Request) -> async_graphql::Result<Self> {
        let from = parse_id("from", from).map_err(|refusal| refused(&refusal, None, None))?;
        follow(&request.snapshot(), "from", from, None, Through::Stop)
            .map_err(|refusal| refused(&refusal, None, Some(from)))?;
        let current = request.view.current.clone();
        let (receiver, looked_at) = (current.watch(), current.get().head());
        Ok(Self { from, current, subscribed, receiver, looked_at, sent: None, near: Near::default(), worked_out: None })
    }

    /// Returns the next trace that differs from the last one, with its snapshot. A client that resumes after a position
    /// already knows the trace at that position.
    pub async fn next(&mut self) -> (Option<Trace>, Arc<Snapshot>) {
        loop {
            let first = self.worked_out.is_none();
            if !first {
                self.wait().await;
            }
            let snapshot = self.receiver.borrow_and_update().clone();
            let trace = follow(&snapshot, "from", self.from, None, Through::Stop).ok();
            (self.looked_at, self.worked_out) = (snapshot.head(), Some(Instant::now()));
            let shape = trace.as_ref().map(|trace| Shape::of(&snapshot, trace));
            self.near = Near::of(&snapshot, self.from, trace.as_ref());
            let known = match self.subscribed.progress.start {
                Some(start) if first => !self.is_touched(start.revision, start.batch_id, snapshot.head()).await,
                _ => !first && shape == self.sent,
            };
            self.sent = shape;
            if !known {
                self.subscribed.progress.set_emitted(Cursor::end_of(snapshot.head()));
                return (trace.map(|trace| Trace::new(Arc::clone(&snapshot), trace)), snapshot);
            }
        }
    }

    /// Waits until an object that the trace depends on has changed, and until `MIN_TRACE_INTERVAL` has passed.
    async fn wait(&mut self) {
        loop {
            let cursor = Cursor::end_of(self.looked_at);
            self.subscribed.progress.reached(StreamPosition { cursor, live: true, form: Form::States });
            let head = self.receiver.borrow_and_update().head();
            if head == self.looked_at {
                // The sender lives as long as the current snapshot is published.
                let _ = self.receiver.changed().await;
                continue;
            }
            let touched = self.is_touched(self.looked_at.revision, Some(self.looked_at.batch_id), head).await;
            self.looked_at = head;
            if touched {
                break;
            }
        }
        if let Some(worked_out) = self.worked_out {
            tokio::time::sleep_until(worked_out + MIN_TRACE_INTERVAL).await;
        }
    }

    /// Returns true if a revision after `since` has changed an object that the trace depends on, or if this is not
    /// known.
    async fn is_touched(&self, mut since: i64, mut batch_id: Option<Uuid>, head: Head) -> bool {
        let mut slice = TimeSlice::begin();
        while since < head.revision {
            let revised = self.current.recent(since + 1);
            let Some(revised) = revised.filter(|revised| Some(revised.before.head().batch_id) == batch_id) else {
                return true;
            };
            for change in revised.changes.iter() {
                slice.step().await;
                if self.near.is_touched(&revised, change) {
                    return true;
                }
            }
            (since, batch_id) = (revised.head().revision, Some(revised.head().batch_id));
        }
        (since, batch_id) != (head.revision, Some(head.batch_id))
    }
}

impl Near {
    fn of(snapshot: &Snapshot, from: Uuid, trace: Option<&line::Trace>) -> Self {
        let mut near = Self { visited: HashSet::from([from]), beside: HashSet::new() };
        let hops = trace.iter().flat_map(|trace| &trace.branches).flat_map(|branch| branch.hops().iter().copied());
        let objects: HashSet<ObjectRef> = hops.chain(snapshot.find(from)).collect();
        for object in objects {
            near.visited.extend(snapshot.row(object).map(|row| row.common().id));
            near.beside.extend(neighbours(snapshot, object));
        }
        near
    }

    /// Returns true if a change is of one of these objects, or of an object that refers to one that the trace runs
    /// over, before or after the change.
    fn is_touched(&self, revised: &Revised, change: &change::Model) -> bool {
        let refers = |snapshot: &Snapshot| {
            let object = snapshot.find(change.object_id);
            object.is_some_and(|object| neighbours(snapshot, object).any(|id| self.visited.contains(&id)))
        };
        let id = &change.object_id;
        self.visited.contains(id) || self.beside.contains(id) || refers(&revised.before) || refers(&revised.after)
    }
}

impl Shape {
    fn of(snapshot: &Snapshot, trace: &line::Trace) -> Self {
        let id = |object: ObjectRef| snapshot.row(object).map(|row| row.common().id);
        let branches = trace.branches.iter().map(|branch| BranchShape {
            direction: branch.direction,
            positions: [branch.positions.clone(), branch.end_positions.clone()],
            steps: branch.steps().map(|objects| objects.iter().map(|object| id(*object)).collect()).collect(),
            end: branch.end.and_then(id),
            outcome: branch.outcome,
            active: branch.active,
        });
        Self { branches: branches.collect(), truncated: trace.truncated }
    }
}

/// Returns the ids of the objects that an object refers to.
fn neighbours(snapshot: &Snapshot, object: ObjectRef) -> impl Iterator<Item = Uuid> + '_ {
    snapshot.outgoing(object).iter().filter_map(|edge| snapshot.row(edge.other())).map(|row| row.common().id)
}
