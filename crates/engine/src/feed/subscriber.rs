//! Reads the changes after a position in the order of revisions.
//!
//! A subscriber takes the next changes from the recent revisions if they are there. Otherwise it reads them from the
//! change log, if its viewer may read the log. It reads short pages at its own pace. If there is no next change yet,
//! the subscriber waits. The position alone determines the next change, so switching between these sources loses and
//! repeats nothing. The server keeps nothing for a subscriber and never waits for one.
//!
//! Guarantees: a subscriber emits every change after its start position once, in order. It never emits a change before
//! the revision is visible in this process.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::watch;
use underlay_entity::change;

use super::current::CurrentSnapshot;
use super::cursor::{Cursor, EventPosition};
use super::ring::Revised;
use super::view::View;
use crate::store::{LogPage, Made, Store, StoreError};
use underlay_inventory::{Head, Snapshot};

/// The number of changes that are read from the log at a time.
pub const LOG_PAGE_CHANGES: usize = 200;
/// The maximum wait for a revision that is not visible here yet. Followers poll every second.
const REVISION_TIMEOUT: Duration = Duration::from_secs(5);
/// The wait before a retry when the database did not answer. The number of retries is limited by [`MAX_RETRIES`].
const RETRY_DELAY: Duration = Duration::from_secs(1);
const MAX_RETRIES: usize = 30;

/// An error that ends a subscriber.
#[derive(Debug, Error)]
pub enum LostError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the changes after revision {asked} are no longer in the log")]
    Compacted { asked: i64, oldest: i64 },
}

/// Some of the changes of one revision, in order.
#[derive(Clone, Debug)]
pub struct RevisionPart {
    /// The revision, with the batch that made it.
    pub head: Head,
    /// Changes of the revision. Those before `first` were already seen.
    pub changes: Arc<Vec<change::Model>>,
    /// The index of the first change that was not seen yet.
    pub first: usize,
    /// True if the revision has no further changes.
    pub ends: bool,
    /// The snapshots before and after the revision, if they are held.
    pub revised: Option<Arc<Revised>>,
}

impl RevisionPart {
    /// Returns the position after this part.
    fn cursor(&self) -> Cursor {
        match self.changes.last() {
            Some(last) if !self.ends => Cursor::within(self.head, EventPosition::Change(last.position)),
            _ => Cursor::end_of(self.head),
        }
    }
}

/// A position in the order of revisions, with the sources of the changes after it.
#[derive(Debug)]
pub struct Subscriber {
    current: CurrentSnapshot,
    log: Option<Store>,
    receiver: watch::Receiver<Arc<Snapshot>>,
    at: Cursor,
    /// The parts that were read but not taken yet.
    page: VecDeque<RevisionPart>,
    size: usize,
}

impl Subscriber {
    /// Starts a subscriber after a position. Without a position, it starts at the end of the current revision.
    ///
    /// # Errors
    /// Returns an error if the changes after the position are not held, or if the position belongs to no revision of
    /// this server.
    pub async fn begin(view: &View, after: Option<Cursor>) -> Result<Self, LostError> {
        Self::begin_with(view, after, LOG_PAGE_CHANGES).await
    }

    /// Starts a subscriber as [`Subscriber::begin`] does, with another page size. The size is at least 1.
    ///
    /// # Errors
    /// Returns the errors of [`Subscriber::begin`].
    pub async fn begin_with(view: &View, after: Option<Cursor>, size: usize) -> Result<Self, LostError> {
        let (current, log) = (view.current.clone(), view.log().cloned());
        let snapshot = match after {
            // A client that was connected to another replica may be ahead of this one.
            Some(after) => current.wait_for(after.revision, REVISION_TIMEOUT).await,
            None => current.get(),
        };
        let at = after.unwrap_or_else(|| Cursor::end_of(snapshot.head()));
        let receiver = current.watch();
        let mut subscriber = Self { current, log, receiver, at, page: VecDeque::new(), size: size.max(1) };
        subscriber.fill().await?;
        Ok(subscriber)
    }

    /// Returns the position after the last part that was taken, or the start position.
    pub fn at(&self) -> Cursor {
        self.at
    }

    /// Returns the current snapshot.
    pub fn current(&self) -> Arc<Snapshot> {
        self.current.get()
    }

    /// Returns the store with the change log, if the viewer may read the log.
    pub fn log(&self) -> Option<&Store> {
        self.log.as_ref()
    }

    /// Prefetches the next changes. Returns false if there are none yet.
    ///
    /// # Errors
    /// Returns an error if the next changes are no longer held, or if the database has not answered for a long
    /// time.
    pub async fn fetch(&mut self) -> Result<bool, LostError> {
        let mut retries = 0;
        loop {
            match self.fill().await {
                Err(LostError::Store(error)) if retries < MAX_RETRIES => {
                    tracing::warn!("a subscriber waits for the change log: {error}");
                    retries += 1;
                    tokio::time::sleep(RETRY_DELAY).await;
                }
                filled => return filled,
            }
        }
    }

    /// Waits for the next changes and returns them. The future can be dropped while it waits, without losing changes.
    ///
    /// # Errors
    /// Returns the errors of [`Subscriber::fetch`].
    pub async fn next(&mut self) -> Result<RevisionPart, LostError> {
        loop {
            if !self.fetch().await? {
                // The sender lives as long as the current snapshot is published.
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
                // The position is in the future, or the current snapshot was replaced by one of another history.
                false => Err(self.lost(self.oldest().await?)),
            };
        }
        match self.current.recent(self.at.wanted()) {
            Some(revised) => {
                let part = self.recent(revised).ok_or(());
                match part {
                    Ok(part) => self.page.push_back(part),
                    Err(()) => return Err(self.lost(self.oldest().await?)),
                }
            }
            None => {
                let past = match self.at.position {
                    EventPosition::Change(position) => position,
                    EventPosition::Moved(_) | EventPosition::End => i32::MAX,
                };
                let Some(log) = &self.log else { return Err(self.lost(self.current.oldest_for_clients())) };
                let page = log.page_of_log((self.at.revision, past), head.revision, self.size as u64 + 1);
                self.take(page.await?, head)?;
            }
        }
        Ok(true)
    }

    /// Returns the unseen changes of a recent revision, or `None` if the revision belongs to another history.
    fn recent(&self, revised: Arc<Revised>) -> Option<RevisionPart> {
        let known = if self.at.position == EventPosition::End { revised.before.head() } else { revised.head() };
        if !self.at.fits(known.batch_id) {
            return None;
        }
        let first = match self.at.position {
            EventPosition::End => 0,
            EventPosition::Change(position) => revised.changes.partition_point(|change| change.position <= position),
            EventPosition::Moved(_) => revised.changes.len(),
        };
        let changes = Arc::clone(&revised.changes);
        Some(RevisionPart { head: revised.head(), changes, first, ends: true, revised: Some(revised) })
    }

    /// Takes a page that was read from the log.
    fn take(&mut self, page: LogPage, head: Head) -> Result<(), LostError> {
        let LogPage { oldest, begins_at, batches, mut changes } = page;
        let foreign = begins_at.is_some_and(|batch_id| !self.at.fits(batch_id));
        // No batch made revision 0. If the revision of the position was pruned, only the revisions after it are
        // needed.
        let missing = begins_at.is_none() && self.at.revision >= oldest.max(1);
        if self.at.wanted().max(1) < oldest || foreign || missing {
            return Err(self.lost(oldest));
        }
        let more = changes.len() > self.size;
        changes.truncate(self.size);
        let mut parts: Vec<RevisionPart> = Vec::new();
        if self.at.position != EventPosition::End
            && changes.first().is_none_or(|first| first.revision > self.at.revision)
        {
            // All changes of this revision were seen, but not the objects that moved with their containers.
            let batch_id = begins_at.or(self.at.batch_id).unwrap_or_default();
            let head = Head { revision: self.at.revision, batch_id, at: head.at };
            parts.push(RevisionPart { head, changes: Arc::default(), first: 0, ends: true, revised: None });
        }
        for changes in changes.chunk_by(|one, other| one.revision == other.revision) {
            let revision = changes.first().map(|it| it.revision);
            let made = batches.iter().find(|made| Some(made.revision) == revision);
            let Some(Made { revision, batch_id, at }) = made.cloned() else { return Err(self.lost(oldest)) };
            let head = Head { revision, batch_id, at };
            parts.push(RevisionPart { head, changes: Arc::new(changes.to_vec()), first: 0, ends: true, revised: None });
        }
        let Some(last) = parts.last_mut() else {
            // The database holds fewer revisions than this process has seen: it was restored.
            return Err(self.lost(oldest));
        };
        last.ends = !more;
        self.page = parts.into();
        Ok(())
    }

    /// Returns the oldest revision that can be emitted.
    async fn oldest(&self) -> Result<i64, LostError> {
        match &self.log {
            Some(log) => Ok(log.oldest_revision().await?),
            None => Ok(self.current.oldest_for_clients()),
        }
    }

    fn lost(&self, oldest: i64) -> LostError {
        LostError::Compacted { asked: self.at.revision, oldest }
    }
}
