//! Events: what changes and fits a filter, one after the other, from a place in the order on.
//!
//! Besides the changes themselves these are the objects that a filter by place gains or loses because something that they
//! stand in moved. At a steady pace something is said also when nothing fits.

mod filter;
mod moves;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::{Instant, timeout_at};
use underlay_entity::change;

pub use filter::{EventFilter, Happening};
pub use moves::Move;

use super::error::ReadError;
use crate::feed::{Cursor, EventPosition, Form, LostError, Part, Progress, Stand, Subscriber, Walk, WalkError};
use crate::runtime::TimeSlice;
use crate::store::Store;
use underlay_inventory::{Head, Snapshot};

/// How long nothing is said at most.
pub const PACE: Duration = Duration::from_secs(10);
/// How many changes are undone, or done again, to find the value of a revision that is gone.
const MOST_UNDONE: usize = 100_000;

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// The place after it.
    pub cursor: Cursor,
    /// When its revision was made.
    pub at: DateTime<Utc>,
    /// The value to look at the object in: right after the revision, or newer.
    pub snapshot: Arc<Snapshot>,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum What {
    /// An object changed.
    Change(Arc<change::Model>),
    /// An object entered or left with something that it stands in.
    Move(Move),
    /// Nothing that fits.
    Progress,
}

/// The events after a place.
pub struct Events {
    subscriber: Subscriber,
    filter: EventFilter,
    progress: Arc<Progress>,
    /// Up to here everything was given.
    at: Cursor,
    made_at: DateTime<Utc>,
    looks_at: LooksAt,
    seen: Seen,
    /// Finds values of old revisions, once one was needed.
    walk: Option<Walk>,
    /// When something is said at the latest.
    due: Instant,
    slice: TimeSlice,
}

/// What is being looked through.
enum LooksAt {
    /// Nothing: the next part is waited for.
    Nothing,
    /// The changes of a part, and which of them is next.
    Changes(Part, usize),
    /// What moved with the changes of a revision.
    Moves(Part, VecDeque<Move>),
}

/// What is known of a revision that is given in parts.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    revision: i64,
    /// Whether all of its changes so far were looked at.
    whole: bool,
    /// Whether one of them moved an object to somewhere else.
    moved: bool,
}

impl Events {
    /// The events that a filter lets pass, as a subscriber comes to them.
    pub fn new(subscriber: Subscriber, filter: EventFilter, progress: Arc<Progress>) -> Self {
        let events = Self {
            at: subscriber.at(),
            made_at: subscriber.newest().head().at,
            subscriber,
            filter,
            progress,
            looks_at: LooksAt::Nothing,
            seen: Seen::default(),
            walk: None,
            due: Instant::now() + PACE,
            slice: TimeSlice::begin(),
        };
        events.reached(Liveness::Behind);
        events
    }

    /// The next event; waits for it.
    ///
    /// # Errors
    /// When what comes next is not held any more, or cannot be found out.
    pub async fn next(&mut self) -> Result<Event, ReadError> {
        let event = self.find().await?;
        self.due = Instant::now() + PACE;
        self.progress.gives(event.cursor);
        Ok(event)
    }

    async fn find(&mut self) -> Result<Event, ReadError> {
        loop {
            match &mut self.looks_at {
                LooksAt::Nothing => match timeout_at(self.due, self.next_part()).await {
                    Ok(part) => self.open(part?),
                    Err(_) => return Ok(self.event(self.subscriber.newest(), What::Progress)),
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
                        let (record, values) = (Arc::new(record.clone()), part.values.clone());
                        let snapshot = values.map_or_else(|| self.subscriber.newest(), |it| Arc::clone(&it.after));
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
                    let values = part.values.clone();
                    let snapshot = values.map_or_else(|| self.subscriber.newest(), |it| Arc::clone(&it.after));
                    return Ok(self.event(snapshot, What::Move(moved)));
                }
            }
        }
    }

    fn event(&self, snapshot: Arc<Snapshot>, what: What) -> Event {
        Event { cursor: self.at, at: self.made_at, snapshot, what }
    }

    /// The next part; says how far it is before it waits. May be dropped while it waits.
    async fn next_part(&mut self) -> Result<Part, ReadError> {
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

    fn open(&mut self, part: Part) {
        let revision = part.head.revision;
        if self.seen.revision != revision {
            // Who begins in the middle of a revision has not seen all of it.
            self.seen = Seen { revision, whole: self.at.revision != revision, moved: false };
        }
        self.made_at = part.head.at;
        let first = part.first;
        self.looks_at = LooksAt::Changes(part, first);
    }

    /// Goes on from the changes of a part.
    async fn close(&mut self) -> Result<(), ReadError> {
        let LooksAt::Changes(part, _) = std::mem::replace(&mut self.looks_at, LooksAt::Nothing) else { return Ok(()) };
        if part.ends {
            let moves = self.moves(&part).await?;
            self.looks_at = LooksAt::Moves(part, moves);
        }
        Ok(())
    }

    /// What moved with the changes of a revision, in the order of ids, as far as it was not given yet.
    async fn moves(&mut self, part: &Part) -> Result<VecDeque<Move>, ReadError> {
        let Some(within) = self.filter.within.filter(|_| self.seen.moved || !self.seen.whole) else {
            return Ok(VecDeque::new());
        };
        let mut found = match &part.values {
            Some(values) => moves::find(&values.before, &values.after, &values.changes, within, &self.filter).await,
            None => {
                let gone =
                    || ReadError::Gone { asked: part.head.revision, oldest: part.head.revision.saturating_add(1) };
                let log = self.subscriber.log().cloned().ok_or_else(gone)?;
                let (before, after) = self.values_of(&log, part.head).await?;
                let changes = log.changes_at(part.head.revision).await?;
                moves::find(&before, &after, &changes, within, &self.filter).await
            }
        };
        if let (EventPosition::Moved(last), true) = (self.at.spot, self.at.revision == part.head.revision) {
            found.retain(|it| it.object > last);
        }
        Ok(found.into())
    }

    /// The values before and after a revision that is gone.
    async fn values_of(&mut self, log: &Store, head: Head) -> Result<(Arc<Snapshot>, Arc<Snapshot>), ReadError> {
        let newest = self.subscriber.newest();
        let walk = self.walk.get_or_insert_with(|| Walk::begin(log.clone(), newest, MOST_UNDONE));
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

/// Whether there is more to come at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Liveness {
    Behind,
    Live,
}

/// Why events cannot go on, or not begin.
pub fn lost(error: LostError) -> ReadError {
    match error {
        LostError::Store(error) => error.into(),
        LostError::Compacted { asked, oldest } => ReadError::Gone { asked, oldest },
    }
}
