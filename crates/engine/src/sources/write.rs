//! Writes the batches of a synchronizer in its run.

use std::sync::Arc;

use serde_json::Value as Json;
use uuid::Uuid;

use super::attend::Attending;
use super::{MAX_ATTEMPTS, RunError, Sources};
use crate::write::{Attendant, Batch, Conflicts, Item, Origin, WriteAnswer};
use underlay_inventory::Refusal;

impl Sources {
    /// Writes a batch in a run.
    ///
    /// # Errors
    /// Returns an error if the run does not accept the batch, or the batch as a whole is refused.
    pub async fn write(&self, run: Uuid, batch: Batch) -> Result<WriteAnswer, Refusal> {
        check(&batch)?;
        for _ in 0..MAX_ATTEMPTS {
            let loaded = self.load_open(run).await?;
            let mut batch = batch.clone();
            let attending: Arc<dyn Attendant> = Arc::new(Attending::of(&loaded, self.0.role));
            batch.origin = Origin::Run(attending);
            match self.0.writer.write(batch).await {
                Err(Refusal::RunOvertaken) => {}
                answer => return answer,
            }
        }
        Err(RunError::Overtaken.into())
    }

    /// Plans a batch in a run, and writes nothing. It is no sign of life.
    ///
    /// # Errors
    /// Returns the errors of [`Sources::write`].
    pub async fn dry_run(&self, run: Uuid, mut batch: Batch) -> Result<WriteAnswer, Refusal> {
        check(&batch)?;
        let loaded = self.load_open(run).await?;
        let attending: Arc<dyn Attendant> = Arc::new(Attending::of(&loaded, self.0.role));
        batch.origin = Origin::Run(attending);
        drop(loaded);
        self.0.writer.dry_run(batch).await
    }
}

/// Checks that a batch holds only what a run may write.
fn check(batch: &Batch) -> Result<(), Refusal> {
    if batch.conflicts != Conflicts::Skip {
        let reason = "must be SKIP in a run: a source takes over no field of others".to_owned();
        return Err(Refusal::Invalid { field: "conflicts".to_owned(), reason });
    }
    let source = batch.author.source.as_deref().unwrap_or_default();
    batch.items.iter().try_for_each(|item| match item {
        Item::Write { fields, .. } if drops_reference(fields.get("externalRefs"), source) => {
            let reason = "cannot remove a reference of the source in a run".to_owned();
            Err(Refusal::Invalid { field: "externalRefs".to_owned(), reason })
        }
        Item::Write { .. } | Item::Refused { .. } => Ok(()),
        Item::Delete { .. } | Item::Release { .. } => Err(Refusal::Forbidden(
            "a run neither deletes nor releases by item: the server removes what a complete full run did not see"
                .to_owned(),
        )),
    })
}

fn drops_reference(references: Option<&Json>, source: &str) -> bool {
    match references {
        None => false,
        Some(Json::Null) => true,
        Some(references) => references.as_array().into_iter().flatten().any(|reference| {
            let is_own = reference.get("source").and_then(Json::as_str) == Some(source);
            is_own && reference.get("externalId").is_some_and(Json::is_null)
        }),
    }
}
