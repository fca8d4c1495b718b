//! Events: the changes that match a filter, in order, from a position on.
//!
//! Besides changes, the events include the objects that enter or leave a selected container because an object that
//! contains them moved. At a steady pace the progress is reported, even if nothing matches.

mod filter;
mod moves;
mod past;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::{Instant, timeout_at};
use underlay_entity::change;

pub use filter::{EventFilter, EventType};
pub use moves::Move;

use self::past::{Around, Past};
use super::error::ReadError;
use underlay_engine::access::CallerKey;
use underlay_engine::feed::{
    Cursor, EventPosition, Form, LostError, Progress, RevisionPart, StreamPosition, Subscriber, WalkError,
};
use underlay_engine::runtime::{FairSemaphore, TimeSlice};
use underlay_engine::store::Store;
use underlay_inventory::{Head, Snapshot};

/// The maximum time without an event.
pub const MAX_EVENT_INTERVAL: Duration = Duration::from_secs(10);

/// An event, or a report of progress.
#[derive(Clone, Debug)]
pub struct Event {
    /// The position after the event.
    pub cursor: Cursor,
    /// The time of its revision.
    pub at: DateTime<Utc>,
    /// The snapshot in which the object is read: that of the revision, or a newer one.
    pub snapshot: Arc<Snapshot>,
    /// The snapshot before the revision, if it is held.
    pub before: Option<Arc<Snapshot>>,
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
    /// The snapshots of old revisions.
    past: Past,
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
    /// Creates the events of a subscriber that match a filter. Walks through the log need one of the places that the
    /// caller shares with others.
    pub fn new(
        subscriber: Subscriber,
        filter: EventFilter,
        progress: Arc<Progress>,
        walks: (FairSemaphore<CallerKey>, CallerKey),
    ) -> Self {
        let events = Self {
            at: subscriber.at(),
            made_at: subscriber.current().head().at,
            subscriber,
            filter,
            progress,
            looks_at: LooksAt::Nothing,
            seen: Seen::default(),
            past: Past::new(walks),
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
                        let old = (part.ends && part.revised.is_none()).then_some(part.head);
                        let around = match old.filter(|_| self.moves_matter()) {
                            Some(head) => match timeout_at(self.due, self.around(head)).await {
                                Ok(around) => Some(around?),
                                Err(_) => return Ok(self.event(self.subscriber.current(), What::Progress)),
                            },
                            None => None,
                        };
                        self.close(around).await?;
                        continue;
                    };
                    *next += 1;
                    self.at = Cursor::within(part.head, EventPosition::Change(record.position));
                    let judged = self.filter.judge(record)?;
                    self.seen.moved |= judged.moved;
                    if judged.fits {
                        let (record, revised) = (Arc::new(record.clone()), part.revised.clone());
                        let before = revised.as_ref().map(|it| Arc::clone(&it.before));
                        let snapshot = revised.map_or_else(|| self.subscriber.current(), |it| Arc::clone(&it.after));
                        return Ok(Event { before, ..self.event(snapshot, What::Change(record)) });
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
        Event { cursor: self.at, at: self.made_at, snapshot, before: None, what }
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
        self.progress.reached(StreamPosition { cursor: self.at, live, form: Form::Events });
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

    /// Continues after the changes of a part. For an old revision, the snapshots around it are given.
    async fn close(&mut self, around: Option<Around>) -> Result<(), ReadError> {
        let LooksAt::Changes(part, _) = std::mem::replace(&mut self.looks_at, LooksAt::Nothing) else { return Ok(()) };
        if part.ends {
            let moves = self.moves(&part, around).await?;
            self.looks_at = LooksAt::Moves(part, moves);
        }
        Ok(())
    }

    /// Returns the moves that follow from the changes of a revision, in the order of ids, without those that were
    /// emitted before.
    async fn moves(&mut self, part: &RevisionPart, around: Option<Around>) -> Result<VecDeque<Move>, ReadError> {
        let Some(within) = self.filter.within.filter(|_| self.moves_matter()) else { return Ok(VecDeque::new()) };
        let mut found = match (&part.revised, around) {
            (Some(revised), _) => {
                moves::find(&revised.before, &revised.after, &revised.changes, within, &self.filter).await
            }
            (None, Some((before, after))) => {
                let changes = self.log(part.head)?.changes_at(part.head.revision).await?;
                moves::find(&before, &after, &changes, within, &self.filter).await
            }
            (None, None) => return Ok(VecDeque::new()),
        };
        if let (EventPosition::Moved(last), true) = (self.at.position, self.at.revision == part.head.revision) {
            found.retain(|it| it.object > last);
        }
        Ok(found.into())
    }

    /// Returns the log, in which an old revision is.
    fn log(&self, head: Head) -> Result<Store, ReadError> {
        let gone = || ReadError::Gone { asked: head.revision, oldest: head.revision.saturating_add(1) };
        self.subscriber.log().cloned().ok_or_else(gone)
    }

    /// Returns true if the changes of the revision can have moved objects into the selected container or out of it.
    fn moves_matter(&self) -> bool {
        self.filter.within.is_some() && (self.seen.moved || !self.seen.whole)
    }

    /// Returns the snapshots around an old revision.
    async fn around(&mut self, head: Head) -> Result<Around, ReadError> {
        let log = self.log(head)?;
        let around = self.past.around(head.revision, &log, self.subscriber.current());
        around.await.map_err(|error| match error {
            WalkError::Store(error) => error.into(),
            WalkError::Record(error) => error.into(),
            WalkError::Dropped { revision } => ReadError::Gone { asked: revision, oldest: revision.saturating_add(1) },
            WalkError::TooFar { most } => ReadError::TooFar { revision: head.revision, most },
        })
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
