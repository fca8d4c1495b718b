//! A batch on its way through the sequencer, and its answer.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tracing::error;
use underlay_entity::change;
use uuid::Uuid;

use super::batch::Batch;
use super::outcome::Outcome;
use underlay_inventory::{Refusal, Snapshot};

/// The answer to a batch.
#[derive(Clone, Debug)]
pub struct WriteAnswer {
    /// The revision of the batch; `None` if nothing was written.
    pub revision: Option<i64>,
    /// The snapshot with the batch in it. For a dry run, the snapshot that the batch would make.
    pub snapshot: Arc<Snapshot>,
    /// The snapshot on which the batch was planned. For a repeated request it is the current one, like `snapshot`.
    pub base: Arc<Snapshot>,
    /// The outcome of each item.
    pub outcomes: Vec<Outcome>,
    /// The changes that the batch made, or would make.
    pub changes: Arc<Vec<change::Model>>,
}

/// A batch that waits to be written.
#[derive(Debug)]
pub(super) struct Job {
    pub batch: Batch,
    /// The digest of the batch, if the request has a name.
    pub digest: Option<String>,
    pub answer: oneshot::Sender<Result<WriteAnswer, Refusal>>,
    /// The room that the batch takes among all waiting and running requests.
    pub _bytes: OwnedSemaphorePermit,
}

impl Job {
    /// Sends the answer to the caller.
    pub fn reply(self, answer: Result<WriteAnswer, Refusal>) {
        // A caller that disconnected does not need the answer.
        let _ = self.answer.send(answer);
    }
}

/// Logs an internal error, and returns a refusal that does not reveal it.
pub(super) fn internal(what: &dyn std::fmt::Display) -> Refusal {
    let id = Uuid::new_v4();
    error!(%id, "a write failed inside: {what}");
    Refusal::Internal(id)
}
