//! The changes of a batch, object by object, in the form of items. A client can review them before (dry run) or after
//! the write.

use std::sync::Arc;

use async_graphql::{ID, Object, Result};
use serde_json::Map;
use underlay_entity::change::{self, Operation};
use uuid::Uuid;

use super::changes::read_record;
use super::scalars::FreeJson;
use underlay_engine::write::WriteAnswer;
use underlay_inventory::Snapshot;
use underlay_read::{ItemReferences, item, named};

/// The change of one object by a batch, or the change that a dry run would make.
#[derive(Clone, Debug)]
pub struct ItemChange {
    base: Arc<Snapshot>,
    next: Arc<Snapshot>,
    changes: Arc<Vec<change::Model>>,
    at: usize,
}

impl ItemChange {
    /// Returns the changes of a batch in the order in which they are recorded.
    pub fn of(answer: &WriteAnswer) -> Vec<Self> {
        let change = |at| Self {
            base: Arc::clone(&answer.base),
            next: Arc::clone(&answer.snapshot),
            changes: Arc::clone(&answer.changes),
            at,
        };
        (0..answer.changes.len()).map(change).collect()
    }

    fn record(&self) -> &change::Model {
        &self.changes[self.at]
    }

    /// Returns the whole object as an item.
    fn whole(&self, snapshot: &Snapshot) -> Option<FreeJson> {
        let object = snapshot.find(self.record().object_id)?;
        Some(FreeJson(item(snapshot, object, ItemReferences::Key)?.into()))
    }

    /// Returns those fields of one side of the record that are fields of the kind.
    fn fields(&self, snapshot: &Snapshot, recorded: Option<&str>) -> Result<Option<FreeJson>> {
        let kind = snapshot.registry().named(&self.record().kind);
        let (Some(kind), Some(recorded)) = (kind, recorded.map(read_record).transpose()?) else { return Ok(None) };
        let mut fields = Map::new();
        for (name, value) in recorded.as_object().into_iter().flatten() {
            // The record also has versions, times and managers, which are not fields of the kind.
            let Some(field) = kind.field(name).map(|index| &kind.fields[index]) else { continue };
            fields.insert(name.clone(), named(snapshot, field, value.clone(), ItemReferences::Key));
        }
        Ok(Some(FreeJson(fields.into())))
    }
}

/// The change of one object by a batch, or the change that a dry run would make.
#[Object]
impl ItemChange {
    /// The operation: CREATED, UPDATED or DELETED.
    async fn operation(&self) -> Operation {
        self.record().operation
    }

    /// The kind of the object, such as `Rack`.
    async fn kind(&self) -> &str {
        &self.record().kind
    }

    /// The id of the object. For an object that a dry run would create, the id is only a placeholder.
    async fn id(&self) -> ID {
        self.record().object_id.into()
    }

    /// The path of the object after the change, from its parents down, such as `rack/ams1/A14`. For a deleted object,
    /// its path before the change.
    async fn path(&self) -> String {
        let object: Uuid = self.record().object_id;
        let path = |snapshot: &Snapshot| snapshot.find(object).map(|found| snapshot.path(found));
        path(&self.next).or_else(|| path(&self.base)).unwrap_or_else(|| self.record().name.clone())
    }

    /// The fields that differ, with their values before the change, in the form of an item. For a deleted object, all
    /// fields that had a value; null for a new object. Empty if only the managers of fields changed.
    async fn before(&self) -> Result<Option<FreeJson>> {
        match self.record().operation {
            Operation::Created => Ok(None),
            Operation::Deleted => Ok(self.whole(&self.base)),
            Operation::Updated => self.fields(&self.base, self.record().before.as_deref()),
        }
    }

    /// The fields that differ, with their values after the change, in the form of an item. For a new object, all fields
    /// that have a value; null for a deleted object.
    async fn after(&self) -> Result<Option<FreeJson>> {
        match self.record().operation {
            Operation::Created => Ok(self.whole(&self.next)),
            Operation::Deleted => Ok(None),
            Operation::Updated => self.fields(&self.next, self.record().after.as_deref()),
        }
    }
}
