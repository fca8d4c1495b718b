//! Events: the changes that match a filter, in order, from a position on.
//!
//! Besides changes, the events include the objects that enter or leave a selected container because an object that
//! contains them moved. At a steady pace the progress is reported, even if nothing matches.

mod filter;
mod moves;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::{Instant, timeout_at};
use underlay_entity::change;

pub use filter::{EventFilter, EventType};
pub use moves::Move;

use super::error::ReadError;
use crate::feed::{Cursor, EventPosition, Form, LostError, Progress, RevisionPart, Stand, Subscriber, Walk, WalkError};
use crate::runtime::TimeSlice;
use crate::store::Store;
use underlay_inventory::{Head, Snapshot};

/// The maximum time without an event.
pub const MAX_EVENT_INTERVAL: Duration = Duration::from_secs(10);
/// The maximum number of changes that are applied or undone to compute the snapshot of an old revision.
const MOST_UNDONE: usize = 100_000;

/// An event, or a report of progress.
#[derive(Clone, Debug)]
pub struct Event {
    /// The position after the event.
    pub cursor: Cursor,
    /// The time of its revision.
    pub at: DateTime<Utc>,
    /// The snapshot in which the object is read: that of the revision, or a newer one.
    pub snapshot: Arc<Snapshot>,
    /// The content of the event.
    pub what: What,
}

/// The content of an event.
#[derive(Clone, Debug)]
pub enum What {
    /// An object changed.
    Change(Arc<change::Model>),
    /// An object entered or left a container together with an object that contains it.
    Move(Move),
    /// Only progress: nothing matched.
    Progress,
}

/// The events after a position.
pub struct Events {
    subscriber: Subscriber,
    filter: EventFilter,
    progress: Arc<Progress>,
    /// The position up to which every event was emitted.
    at: Cursor,
    made_at: DateTime<Utc>,
    looks_at: LooksAt,
    seen: Seen,
    /// Computes the snapshots of old revisions, once one was needed.
    walk: Option<Walk>,
    /// The time by which the next event or progress is reported.
    due: Instant,
    slice: TimeSlice,
}

/// The part of the log that is being examined.
enum LooksAt {
    /// Nothing is examined. The next part is awaited.
    Nothing,
    /// The changes of a part, and the index of the next one.
    Changes(RevisionPart, usize),
    /// The moves that follow from the changes of a revision.
    Moves(RevisionPart, VecDeque<Move>),
}

/// The facts about a revision that arrives in parts.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    revision: i64,
    /// True if all of its changes so far were examined.
    whole: bool,
    /// True if one of them moved an object.
    moved: bool,
}

impl Events {
    /// Creates the events of a subscriber that match a filter.
    pub fn new(subscriber: Subscriber, filter: EventFilter, progress: Arc<Progress>) -> Self {
        let events = Self {
            at: subscriber.at(),
            made_at: subscriber.current().head().at,
            subscriber,
            filter,
            progress,
            looks_at: LooksAt::Nothing,
            seen: Seen::default(),
            walk: None,
            due: Instant::now() + MAX_EVENT_INTERVAL,
            slice: TimeSlice::begin(),
        };
        events.reached(Liveness::Behind);
        events
    }

    /// Waits for the next event and returns it.
    ///
    /// # Errors
    /// Returns an error if the next events were dropped, or cannot be determined.
    pub async fn next(&mut self) -> Result<Event, ReadError> {
        let event = self.find().await?;
        self.due = Instant::now() + MAX_EVENT_INTERVAL;
        self.progress.set_emitted(event.cursor);
        Ok(event)
    }

    async fn find(&mut self) -> Result<Event, ReadError> {
        loop {
            match &mut self.looks_at {
                LooksAt::Nothing => match timeout_at(self.due, self.next_part()).await {
                    Ok(part) => self.open(part?),
                    Err(_) => return Ok(self.event(self.subscriber.current(), What::Progress)),
                },
                LooksAt::Changes(part, next) => {
                    self.slice.step().await;
                    let Some(record) = part.changes.get(*next) else {
                        self.close().await?;
                        continue;
                    };
                    *next += 1;
                    self.at = Cursor::within(part.head, EventPosition::Change(record.position));
                    let judged = self.filter.judge(record)?;
                    self.seen.moved |= judged.moved;
                    if judged.fits {
                        let (record, revised) = (Arc::new(record.clone()), part.revised.clone());
                        let snapshot = revised.map_or_else(|| self.subscriber.current(), |it| Arc::clone(&it.after));
                        return Ok(self.event(snapshot, What::Change(record)));
                    }
                }
                LooksAt::Moves(part, moves) => {
                    let Some(moved) = moves.pop_front() else {
                        self.at = Cursor::end_of(part.head);
                        self.looks_at = LooksAt::Nothing;
                        continue;
                    };
                    self.at = Cursor::within(part.head, EventPosition::Moved(moved.object));
                    let revised = part.revised.clone();
                    let snapshot = revised.map_or_else(|| self.subscriber.current(), |it| Arc::clone(&it.after));
                    return Ok(self.event(snapshot, What::Move(moved)));
                }
            }
        }
    }

    fn event(&self, snapshot: Arc<Snapshot>, what: What) -> Event {
        Event { cursor: self.at, at: self.made_at, snapshot, what }
    }

    /// Returns the next part. Reports the progress before it waits. The future may be dropped while it waits.
    async fn next_part(&mut self) -> Result<RevisionPart, ReadError> {
        self.reached(Liveness::Behind);
        if !self.subscriber.fetch().await.map_err(lost)? {
            self.reached(Liveness::Live);
        }
        self.subscriber.next().await.map_err(lost)
    }

    fn reached(&self, liveness: Liveness) {
        let live = liveness == Liveness::Live;
        self.progress.reached(Stand { cursor: self.at, live, form: Form::Events });
    }

    fn open(&mut self, part: RevisionPart) {
        let revision = part.head.revision;
        if self.seen.revision != revision {
            // A subscriber that begins in the middle of a revision does not see all of it.
            self.seen = Seen { revision, whole: self.at.revision != revision, moved: false };
        }
        self.made_at = part.head.at;
        let first = part.first;
        self.looks_at = LooksAt::Changes(part, first);
    }

    /// Continues after the changes of a part.
    async fn close(&mut self) -> Result<(), ReadError> {
        let LooksAt::Changes(part, _) = std::mem::replace(&mut self.looks_at, LooksAt::Nothing) else { return Ok(()) };
        if part.ends {
            let moves = self.moves(&part).await?;
            self.looks_at = LooksAt::Moves(part, moves);
        }
        Ok(())
    }

    /// Returns the moves that follow from the changes of a revision, in the order of ids, without those that were
    /// emitted before.
    async fn moves(&mut self, part: &RevisionPart) -> Result<VecDeque<Move>, ReadError> {
        let Some(within) = self.filter.within.filter(|_| self.seen.moved || !self.seen.whole) else {
            return Ok(VecDeque::new());
        };
        let mut found = match &part.revised {
            Some(revised) => moves::find(&revised.before, &revised.after, &revised.changes, within, &self.filter).await,
            None => {
                let gone =
                    || ReadError::Gone { asked: part.head.revision, oldest: part.head.revision.saturating_add(1) };
                let log = self.subscriber.log().cloned().ok_or_else(gone)?;
                let (before, after) = self.snapshots_of(&log, part.head).await?;
                let changes = log.changes_at(part.head.revision).await?;
                moves::find(&before, &after, &changes, within, &self.filter).await
            }
        };
        if let (EventPosition::Moved(last), true) = (self.at.position, self.at.revision == part.head.revision) {
            found.retain(|it| it.object > last);
        }
        Ok(found.into())
    }

    /// Returns the snapshots before and after an old revision.
    async fn snapshots_of(&mut self, log: &Store, head: Head) -> Result<(Arc<Snapshot>, Arc<Snapshot>), ReadError> {
        let current = self.subscriber.current();
        let walk = self.walk.get_or_insert_with(|| Walk::begin(log.clone(), current, MOST_UNDONE));
        let failed = |error| match error {
            WalkError::Store(error) => error.into(),
            WalkError::Record(error) => error.into(),
            WalkError::Dropped { revision } => ReadError::Gone { asked: revision, oldest: revision.saturating_add(1) },
            WalkError::TooFar { most } => ReadError::TooFar { revision: head.revision, most },
        };
        let before = walk.to(head.revision - 1).await.map_err(failed)?;
        let after = walk.to(head.revision).await.map_err(failed)?;
        Ok((before, after))
    }
}

/// The state of a stream of events: more events can follow at once, or it waits for the next revision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Liveness {
    Behind,
    Live,
}

/// Returns the error of events that cannot continue or begin.
pub fn lost(error: LostError) -> ReadError {
    match error {
        LostError::Store(error) => error.into(),
        LostError::Compacted { asked, oldest } => ReadError::Gone { asked, oldest },
    }
}
