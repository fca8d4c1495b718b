//! Values of revisions that are gone: worked out from one that is held by undoing what came after, or by doing again
//! what followed on it.

use std::sync::Arc;

use thiserror::Error;
use uuid::Uuid;

use super::record::{self, Direction, RecordError};
use crate::inventory::{Draft, Head, Snapshot};
use crate::store::{Store, StoreError};

/// Why the value of a revision cannot be had.
#[derive(Debug, Error)]
pub enum WalkError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("revision {revision} is not held any more")]
    Dropped { revision: i64 },
    #[error("more than {most} changes lie between")]
    TooFar { most: usize },
}

/// Works values out. One that goes on from where it is finds the next one soon.
#[derive(Debug)]
pub struct Walk {
    store: Store,
    at: Arc<Snapshot>,
    /// How many changes may lie between where it is and where it goes.
    most: usize,
}

impl Walk {
    /// Begins at a value.
    pub fn begin(store: Store, at: Arc<Snapshot>, most: usize) -> Self {
        Self { store, at, most }
    }

    /// The value of a revision. Of its head only the number is right where it was walked to.
    ///
    /// # Errors
    /// When the revisions between are not held, are too many, or do not fit.
    pub async fn to(&mut self, revision: i64) -> Result<Arc<Snapshot>, WalkError> {
        let mut changes = 0;
        while self.at.revision() != revision {
            let (direction, taken, next) = match self.at.revision() > revision {
                true => (Direction::Backward, self.at.revision(), self.at.revision() - 1),
                false => (Direction::Forward, self.at.revision() + 1, self.at.revision() + 1),
            };
            let records = self.store.changes_at(taken).await?;
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
