//! What a batch changed, object by object, in the form of items: for people who want to see it before or after.

use std::sync::Arc;

use async_graphql::{ID, Json, Object, Result};
use serde_json::{Map, Value};
use underlay_entity::change::{self, Operation};
use uuid::Uuid;

use super::changes::read_record;
use crate::inventory::Snapshot;
use crate::read::{ItemReferences, item, named};
use crate::write::Answer;

/// What a batch changed of an object, or would change by a dry run.
#[derive(Clone, Debug)]
pub struct ItemChange {
    base: Arc<Snapshot>,
    next: Arc<Snapshot>,
    changes: Arc<Vec<change::Model>>,
    at: usize,
}

impl ItemChange {
    /// The changes of a batch, in the order in which they are recorded.
    pub fn of(answer: &Answer) -> Vec<Self> {
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

    /// The whole object as an item.
    fn whole(&self, snapshot: &Snapshot) -> Option<Json<Value>> {
        let place = snapshot.find(self.record().object_id)?;
        Some(Json(item(snapshot, place, ItemReferences::Key)?.into()))
    }

    /// The fields of one side of the record that are fields of the kind.
    fn fields(&self, snapshot: &Snapshot, recorded: Option<&str>) -> Result<Option<Json<Value>>> {
        let kind = snapshot.registry().named(&self.record().kind);
        let (Some(kind), Some(recorded)) = (kind, recorded.map(read_record).transpose()?) else { return Ok(None) };
        let mut fields = Map::new();
        for (name, value) in recorded.as_object().into_iter().flatten() {
            // Versions, times and managers are in the record too.
            let Some(field) = kind.field(name).map(|place| &kind.fields[place]) else { continue };
            fields.insert(name.clone(), named(snapshot, field, value.clone(), ItemReferences::Key));
        }
        Ok(Some(Json(fields.into())))
    }
}

/// What a batch changed of an object, or would change by a dry run.
#[Object]
impl ItemChange {
    /// What was done.
    async fn operation(&self) -> Operation {
        self.record().operation
    }

    /// The kind of the object.
    async fn kind(&self) -> &str {
        &self.record().kind
    }

    /// The id of the object. That of an object which a dry run would create is made up.
    async fn id(&self) -> ID {
        self.record().object_id.into()
    }

    /// What the object is called after the change, from its parents down, such as `rack/ams1/A14`; of a deleted one,
    /// before it.
    async fn path(&self) -> String {
        let object: Uuid = self.record().object_id;
        let path = |snapshot: &Snapshot| snapshot.find(object).map(|place| snapshot.path(place));
        path(&self.next).or_else(|| path(&self.base)).unwrap_or_else(|| self.record().name.clone())
    }

    /// The fields that differ, as they were, as an item gives them; of a deleted object all that held something. Null
    /// for a new one. Nothing is in it where only the managers of fields changed.
    async fn before(&self) -> Result<Option<Json<Value>>> {
        match self.record().operation {
            Operation::Created => Ok(None),
            Operation::Deleted => Ok(self.whole(&self.base)),
            Operation::Updated => self.fields(&self.base, self.record().before.as_deref()),
        }
    }

    /// The fields that differ, as they became, as an item gives them; of a new object all that hold something. Null for
    /// a deleted one.
    async fn after(&self) -> Result<Option<Json<Value>>> {
        match self.record().operation {
            Operation::Created => Ok(self.whole(&self.next)),
            Operation::Deleted => Ok(None),
            Operation::Updated => self.fields(&self.next, self.record().after.as_deref()),
        }
    }
}
