//! The handle that writes on behalf of a caller. Code without a handle cannot write.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;
use uuid::Uuid;

use underlay_engine::access::{Forbidden, Scope, WritePermit};
use underlay_engine::sources::Sources;
use underlay_engine::store::Fence;
use underlay_engine::write::{Author, Batch, Conflicts, Item, Origin, Sets, WriteAnswer};
use underlay_inventory::Refusal;

/// The way to write for a caller who has the permission.
///
/// The futures of its methods are on the heap: each resolver that writes would otherwise contain the whole write path,
/// which the compiler then examines once for each of them.
#[derive(Debug)]
pub struct WriteHandle {
    sources: Sources,
    permit: WritePermit,
    max_items: usize,
    /// The run in which it writes.
    run: Option<Uuid>,
    /// The leases that must still be held when a batch is stored.
    fences: Arc<[Fence]>,
}

impl WriteHandle {
    /// Writes as far as the permit goes, so many items at a time.
    pub fn new(sources: Sources, permit: WritePermit, max_items: usize) -> Self {
        Self { sources, permit, max_items, run: None, fences: Arc::default() }
    }

    /// The same for writes in a run.
    pub fn in_run(self, run: Option<Uuid>) -> Self {
        Self { run, ..self }
    }

    /// The same for writes that are stored only while these leases are held.
    pub fn holding(self, fences: Vec<Fence>) -> Self {
        Self { fences: fences.into(), ..self }
    }

    /// Returns true if it writes in the name of one source alone.
    pub fn is_of_source(&self) -> bool {
        self.permit.scope() == Scope::OwnSource
    }

    /// Returns the source in whose name it writes.
    pub fn source(&self) -> Option<&str> {
        self.permit.source()
    }

    /// The caller.
    pub fn author(&self) -> Author {
        let sets = match self.permit.scope() {
            Scope::All | Scope::OwnSource => Sets::All(self.permit.roles()),
            Scope::Assignments => Sets::Assigned(self.permit.roles()),
        };
        Author { sets, ..Author::user(self.permit.actor()).on_behalf_of(self.permit.source()) }
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// Returns an error if the batch as a whole is refused.
    pub fn write(&self, batch: Batch) -> BoxFuture<'_, Result<WriteAnswer, Refusal>> {
        Box::pin(async move {
            let batch = self.allowed(batch)?;
            match self.run {
                // These futures are large, and most batches belong to no run.
                Some(run) => Box::pin(self.sources.write(run, batch)).await,
                None => self.sources.write_alone(batch).await,
            }
        })
    }

    /// Returns the result that a batch would have, without writing it.
    ///
    /// # Errors
    /// Returns the same errors as [`WriteHandle::write`].
    pub fn dry_run(&self, batch: Batch) -> BoxFuture<'_, Result<WriteAnswer, Refusal>> {
        Box::pin(async move {
            let batch = self.allowed(batch)?;
            match self.run {
                Some(run) => Box::pin(self.sources.dry_run(run, batch)).await,
                None => self.sources.dry_run_alone(batch).await,
            }
        })
    }

    /// Returns the batch if the permit allows everything in it.
    fn allowed(&self, mut batch: Batch) -> Result<Batch, Refusal> {
        if batch.items.len() > self.max_items {
            return Err(Refusal::BatchTooLarge { count: batch.items.len(), unit: "items", most: self.max_items });
        }
        let forbidden = |forbidden: Forbidden| Refusal::Forbidden(forbidden.to_string());
        match self.permit.scope() {
            Scope::All => {}
            Scope::OwnSource => {
                let own = self.permit.source().unwrap_or_default();
                if batch.conflicts == Conflicts::Force {
                    return Err(forbidden(Forbidden::NotForSynchronizers("takes over no field of others")));
                }
                batch.items.iter().try_for_each(|item| of_source(item, own)).map_err(forbidden)?;
            }
            // The planner checks each field by its description.
            Scope::Assignments => {}
        }
        if !self.fences.is_empty() {
            batch.origin = Origin::Holder(Arc::clone(&self.fences));
        }
        Ok(batch)
    }
}

/// Checks that an item writes nothing in the name of another source.
fn of_source(item: &Item, own: &str) -> Result<(), Forbidden> {
    let other = |other: &str| Err(Forbidden::OtherSource { own: own.to_owned(), other: other.to_owned() });
    match item {
        Item::Write { fields, .. } => {
            let references = fields.get("externalRefs").and_then(Value::as_array);
            let sources = references.into_iter().flatten().filter_map(|it| it.get("source")?.as_str());
            sources.filter(|source| *source != own).try_for_each(other)
        }
        Item::Refused { .. } => Ok(()),
        Item::Delete { .. } => Err(Forbidden::NotForSynchronizers("deletes nothing by item")),
        Item::Release { .. } => other("the manager of the fields"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use underlay_engine::write::Intent;

    fn item(intent: Intent, fields: Value) -> Item {
        let kind = crate::registry().named("device").expect("a kind");
        Item::Write { kind, intent, fields: fields.as_object().expect("fields").clone().into(), if_version: None }
    }

    #[test]
    fn a_synchronizer_speaks_for_its_source_only() {
        let says = |references: Value| of_source(&item(Intent::Apply, json!({"externalRefs": references})), "dcim");
        let reference = |source: &str| json!({"source": source, "externalId": "7"});
        assert_eq!(says(json!([reference("dcim")])), Ok(()));
        assert!(says(json!([reference("dcim"), reference("ipam")])).is_err());
    }
}
