//! A subscriber: a place in the order of revisions, and the way on from there.
//!
//! What comes next is taken from the recent revisions when it is among them, else from the change log, where that may be
//! read, in short pages at the subscriber's own pace, else it is waited for. The place alone says what is next, so that there is no seam between
//! the three; nothing is kept for a subscriber, and nobody waits for one.
//!
//! Guarantees: every change after the place where it began is given once, in order, and never before its revision is
//! visible in this process.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::watch;
use underlay_entity::change;

use super::cursor::{Cursor, Spot};
use super::newest::Newest;
use super::ring::Revised;
use super::view::View;
use crate::inventory::{Head, Snapshot};
use crate::store::{LogPage, Made, Store, StoreError};

/// How many changes are read from the log at a time.
pub const PAGE: usize = 200;
/// How long a revision that is not here yet is waited for: followers look every second.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// How long to wait before asking a database again that did not answer, and how many times.
const RETRY: Duration = Duration::from_secs(1);
const MOST_RETRIES: usize = 30;

/// Why a subscriber cannot go on.
#[derive(Debug, Error)]
pub enum LostError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("what comes after revision {asked} is not held")]
    Compacted { asked: i64, oldest: i64 },
}

/// Some of the changes of one revision, in order.
#[derive(Clone, Debug)]
pub struct Part {
    /// The batch that made the revision.
    pub head: Head,
    /// Changes of the revision; those before `first` were seen.
    pub changes: Arc<Vec<change::Model>>,
    /// The first one that was not.
    pub first: usize,
    /// Whether the revision has no more.
    pub ends: bool,
    /// The values before and after the revision, if they are held.
    pub values: Option<Arc<Revised>>,
}

impl Part {
    /// The place after it.
    fn cursor(&self) -> Cursor {
        match self.changes.last() {
            Some(last) if !self.ends => Cursor::within(self.head, Spot::Change(last.position)),
            _ => Cursor::end_of(self.head),
        }
    }
}

/// A place in the order, and the way on.
#[derive(Debug)]
pub struct Subscriber {
    newest: Newest,
    log: Option<Store>,
    receiver: watch::Receiver<Arc<Snapshot>>,
    at: Cursor,
    /// What was read and not taken yet.
    page: VecDeque<Part>,
    size: usize,
}

impl Subscriber {
    /// Begins after a place; without one, at the end of the newest revision.
    ///
    /// # Errors
    /// When what comes after the place is not held, or the place is of no revision that is here.
    pub async fn begin(view: &View, after: Option<Cursor>) -> Result<Self, LostError> {
        Self::begin_with(view, after, PAGE).await
    }

    /// The same with pages of another size, of at least 1.
    ///
    /// # Errors
    /// As [`Subscriber::begin`].
    pub async fn begin_with(view: &View, after: Option<Cursor>, size: usize) -> Result<Self, LostError> {
        let (newest, log) = (view.newest.clone(), view.log().cloned());
        let value = match after {
            // A client that comes from another replica may be ahead of this one.
            Some(after) => newest.wait_for(after.revision, LONGEST_WAIT).await,
            None => newest.get(),
        };
        let at = after.unwrap_or_else(|| Cursor::end_of(value.head()));
        let receiver = newest.watch();
        let mut subscriber = Self { newest, log, receiver, at, page: VecDeque::new(), size: size.max(1) };
        subscriber.fill().await?;
        Ok(subscriber)
    }

    /// Where it began, or the end of what it gave last.
    pub fn at(&self) -> Cursor {
        self.at
    }

    /// The newest value.
    pub fn newest(&self) -> Arc<Snapshot> {
        self.newest.get()
    }

    /// The way to the change log, if it may be read.
    pub fn log(&self) -> Option<&Store> {
        self.log.as_ref()
    }

    /// Sees to it that what comes next is at hand; false when there is nothing yet.
    ///
    /// # Errors
    /// When what comes next is not held any more, or the database does not answer for long.
    pub async fn fetch(&mut self) -> Result<bool, LostError> {
        let mut retries = 0;
        loop {
            match self.fill().await {
                Err(LostError::Store(error)) if retries < MOST_RETRIES => {
                    tracing::warn!("a subscriber waits for the change log: {error}");
                    retries += 1;
                    tokio::time::sleep(RETRY).await;
                }
                filled => return filled,
            }
        }
    }

    /// What comes next; waits for it. May be dropped while it waits: nothing is lost.
    ///
    /// # Errors
    /// As [`Subscriber::fetch`].
    pub async fn next(&mut self) -> Result<Part, LostError> {
        loop {
            if !self.fetch().await? {
                // The sender lives as long as `newest`.
                let _ = self.receiver.changed().await;
            }
            if let Some(part) = self.page.pop_front() {
                self.at = part.cursor();
                return Ok(part);
            }
        }
    }

    async fn fill(&mut self) -> Result<bool, LostError> {
        if !self.page.is_empty() {
            return Ok(true);
        }
        let head = self.receiver.borrow_and_update().head();
        if self.at.wanted() > head.revision {
            return match self.at.revision == head.revision && self.at.fits(head.batch_id) {
                true => Ok(false),
                // From the future, or a value of another history took the place of ours.
                false => Err(self.lost(self.oldest().await?)),
            };
        }
        match self.newest.recent(self.at.wanted()) {
            Some(revised) => {
                let part = self.recent(revised).ok_or(());
                match part {
                    Ok(part) => self.page.push_back(part),
                    Err(()) => return Err(self.lost(self.oldest().await?)),
                }
            }
            None => {
                let past = match self.at.spot {
                    Spot::Change(position) => position,
                    Spot::Moved(_) | Spot::End => i32::MAX,
                };
                let Some(log) = &self.log else { return Err(self.lost(self.newest.oldest())) };
                let page = log.page_of_log((self.at.revision, past), head.revision, self.size as u64 + 1);
                self.take(page.await?, head)?;
            }
        }
        Ok(true)
    }

    /// What was not seen of a recent revision; `None` where it is of another history.
    fn recent(&self, revised: Arc<Revised>) -> Option<Part> {
        let known = if self.at.spot == Spot::End { revised.before.head() } else { revised.head() };
        if !self.at.fits(known.batch_id) {
            return None;
        }
        let first = match self.at.spot {
            Spot::End => 0,
            Spot::Change(position) => revised.changes.partition_point(|change| change.position <= position),
            Spot::Moved(_) => revised.changes.len(),
        };
        let changes = Arc::clone(&revised.changes);
        Some(Part { head: revised.head(), changes, first, ends: true, values: Some(revised) })
    }

    /// Takes what was read from the log.
    fn take(&mut self, page: LogPage, head: Head) -> Result<(), LostError> {
        let LogPage { oldest, begins_at, batches, mut changes } = page;
        let foreign = begins_at.is_some_and(|batch_id| !self.at.fits(batch_id));
        // Nothing was written as revision 0; of one that was dropped only what comes after it is needed.
        let missing = begins_at.is_none() && self.at.revision >= oldest.max(1);
        if self.at.wanted().max(1) < oldest || foreign || missing {
            return Err(self.lost(oldest));
        }
        let more = changes.len() > self.size;
        changes.truncate(self.size);
        let mut parts: Vec<Part> = Vec::new();
        if self.at.spot != Spot::End && changes.first().is_none_or(|first| first.revision > self.at.revision) {
            // All its changes were seen, but not what moved with them.
            let batch_id = begins_at.or(self.at.batch_id).unwrap_or_default();
            let head = Head { revision: self.at.revision, batch_id, at: head.at };
            parts.push(Part { head, changes: Arc::default(), first: 0, ends: true, values: None });
        }
        for changes in changes.chunk_by(|one, other| one.revision == other.revision) {
            let revision = changes.first().map(|it| it.revision);
            let made = batches.iter().find(|made| Some(made.revision) == revision);
            let Some(Made { revision, batch_id, at }) = made.cloned() else { return Err(self.lost(oldest)) };
            let head = Head { revision, batch_id, at };
            parts.push(Part { head, changes: Arc::new(changes.to_vec()), first: 0, ends: true, values: None });
        }
        let Some(last) = parts.last_mut() else {
            // The database holds less than this process has seen: it was restored.
            return Err(self.lost(oldest));
        };
        last.ends = !more;
        self.page = parts.into();
        Ok(())
    }

    /// The oldest revision that can be told of.
    async fn oldest(&self) -> Result<i64, LostError> {
        match &self.log {
            Some(log) => Ok(log.oldest_revision().await?),
            None => Ok(self.newest.oldest()),
        }
    }

    fn lost(&self, oldest: i64) -> LostError {
        LostError::Compacted { asked: self.at.revision, oldest }
    }
}
