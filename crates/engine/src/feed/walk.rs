//! Reconstructs snapshots of past revisions. The walk starts at a snapshot in memory and undoes the revisions after
//! the wanted one, or applies the revisions up to it.

use std::sync::Arc;

use thiserror::Error;
use uuid::Uuid;

use super::record::{self, Direction, RecordError};
use crate::store::{Store, StoreError};
use underlay_inventory::{Draft, Head, Snapshot};

/// An error that prevents a past snapshot from being reconstructed.
#[derive(Debug, Error)]
pub enum WalkError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("revision {revision} is no longer in the log")]
    Dropped { revision: i64 },
    #[error("there are more than {most} changes between the revisions")]
    TooFar { most: usize },
}

/// A walk over the revisions of the change log. It continues from the snapshot reached last, so a nearby revision is
/// reached quickly.
#[derive(Debug)]
pub struct Walk {
    store: Store,
    at: Arc<Snapshot>,
    /// The maximum number of changes between the current position and the wanted revision.
    most: usize,
}

impl Walk {
    /// Starts a walk at a snapshot. Each call of [`Walk::to`] may apply at most `most` changes.
    pub fn begin(store: Store, at: Arc<Snapshot>, most: usize) -> Self {
        Self { store, at, most }
    }

    /// Returns the snapshot of a revision. If the walk made a step, only the revision number in the snapshot's head is
    /// right.
    ///
    /// # Errors
    /// Returns an error if the revisions on the way are not held, have too many changes, or do not fit the snapshot.
    pub async fn to(&mut self, revision: i64) -> Result<Arc<Snapshot>, WalkError> {
        let mut changes = 0;
        while self.at.revision() != revision {
            let (direction, taken, next) = match self.at.revision() > revision {
                true => (Direction::Backward, self.at.revision(), self.at.revision() - 1),
                false => (Direction::Forward, self.at.revision() + 1, self.at.revision() + 1),
            };
            let records = self.store.changes_on_a_walk(taken).await?;
            if records.is_empty() {
                return Err(WalkError::Dropped { revision: taken });
            }
            changes += records.len();
            if changes > self.most {
                return Err(WalkError::TooFar { most: self.most });
            }
            let at = Arc::clone(&self.at);
            let stepped = tokio::task::spawn_blocking(move || {
                let mut draft = Draft::of(&at);
                record::apply(&mut draft, &records, direction)?;
                let head = Head { revision: next, batch_id: Uuid::nil(), at: at.head().at };
                Ok::<_, RecordError>(draft.finish(head))
            });
            let stepped = stepped.await.map_err(|error| StoreError::Unreadable(error.to_string()))?;
            self.at = Arc::new(stepped?);
        }
        Ok(Arc::clone(&self.at))
    }
}
