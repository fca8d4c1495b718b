//! Captures the changes of a group of batches. The change records are made while the rows are on their way to the
//! database.

use std::sync::Arc;

use tokio::task::{JoinError, spawn_blocking};
use underlay_entity::change;
use uuid::Uuid;

use super::batch::{Author, SMALL_BATCH_ITEMS};
use super::plan::Planned;
use crate::feed;
use underlay_inventory::Snapshot;

/// The records of each batch of a group that changes something, in order.
pub(super) type Records = Vec<Arc<Vec<change::Model>>>;

/// The snapshots before and after a batch, of which its change records are made.
pub(super) struct ChangeCapture {
    base: Arc<Snapshot>,
    next: Arc<Snapshot>,
    touched: Arc<[Uuid]>,
    author: Author,
}

impl ChangeCapture {
    /// Captures the change that a planned batch makes to `base`.
    pub fn of(base: &Arc<Snapshot>, planned: &Planned, author: &Author) -> Self {
        Self {
            base: Arc::clone(base),
            next: Arc::clone(&planned.next),
            touched: Arc::clone(&planned.touched),
            author: author.clone(),
        }
    }

    /// Returns the change records, in the order in which the batch wrote.
    pub fn record(&self) -> Arc<Vec<change::Model>> {
        let author = (self.author.actor.as_str(), self.author.source.as_deref());
        Arc::new(feed::changes(&self.base, &self.next, &self.touched, author))
    }
}

/// Makes the records of a group. Many records are made on a thread of their own.
///
/// # Errors
/// Returns an error if the thread panics, or does not start because the process stops.
pub(super) async fn record_all(change_capture: Vec<ChangeCapture>) -> Result<Records, JoinError> {
    let record = |change_capture: Vec<ChangeCapture>| change_capture.iter().map(ChangeCapture::record).collect();
    match change_capture.iter().map(|it| it.touched.len()).sum::<usize>() {
        0..=SMALL_BATCH_ITEMS => Ok(record(change_capture)),
        _ => spawn_blocking(move || record(change_capture)).await,
    }
}
