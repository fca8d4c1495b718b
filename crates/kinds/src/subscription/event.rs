//! The events of the subscription `changes` in the API.

use async_graphql::{Enum, ID, Object};
use chrono::{DateTime, Utc};
use underlay_entity::change::{Model as Record, Operation};
use underlay_inventory::Snapshot;
use uuid::Uuid;

use super::cursor::ChangeCursor;
use crate::Node;
use crate::changes::{Change, read_record};
use crate::scalars::Revision;
use underlay_read::{Event, EventType, What};

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ChangeEventType {
    /// An object was created.
    Created,
    /// Some fields of an object changed.
    Updated,
    /// An object was deleted.
    Deleted,
    /// An object came beneath `within`, because an object that contains it moved.
    Entered,
    /// An object is no longer beneath `within`, because an object that contains it moved.
    Left,
    /// No matching change. The event says how far the subscription is.
    Progress,
}

/// Returns the path of an object that was deleted, from what the record has of it: beneath its parent, if that is still
/// there.
fn path_of_record(snapshot: &Snapshot, record: &Record) -> Option<String> {
    let kind = snapshot.registry().named(&record.kind)?;
    let fields = record.before.as_deref().and_then(|fields| read_record(fields).ok());
    let parent = kind.parent_fields().find_map(|(_, field)| {
        let id = fields.as_ref()?.get(field.name)?.as_str()?;
        snapshot.find(Uuid::parse_str(id).ok()?)
    });
    let above = parent.map(|parent| snapshot.path(parent));
    let above = above.as_deref().and_then(|path| path.split_once('/')).map(|(_, names)| format!("{names}/"));
    Some(format!("{}/{}{}", kind.singular, above.unwrap_or_default(), record.name))
}

/// A change or a move of an object, or the progress of the subscription.
#[derive(Clone, Debug)]
pub struct ChangeEvent {
    event: Event,
}

impl ChangeEvent {
    pub(super) fn new(event: Event) -> Self {
        Self { event }
    }

    fn object_id(&self) -> Option<Uuid> {
        match &self.event.what {
            What::Change(record) => Some(record.object_id),
            What::Move(moved) => Some(moved.object),
            What::Progress => None,
        }
    }
}

/// A change or a move of an object, or the progress of the subscription.
#[Object]
impl ChangeEvent {
    /// The type of the event, such as CREATED.
    #[graphql(name = "type")]
    async fn kind_of_event(&self) -> ChangeEventType {
        match &self.event.what {
            What::Change(record) => match record.operation {
                Operation::Created => ChangeEventType::Created,
                Operation::Updated => ChangeEventType::Updated,
                Operation::Deleted => ChangeEventType::Deleted,
            },
            What::Move(moved) if moved.event_type == EventType::Entered => ChangeEventType::Entered,
            What::Move(_) => ChangeEventType::Left,
            What::Progress => ChangeEventType::Progress,
        }
    }

    /// The position after this event. Pass it as `after` to resume from here.
    async fn cursor(&self) -> ChangeCursor {
        ChangeCursor(self.event.cursor)
    }

    /// The revision of the change. For PROGRESS, the revision that the subscription has reached.
    async fn revision(&self) -> Revision {
        Revision(self.event.cursor.revision)
    }

    /// The time when the revision was created, in UTC.
    async fn at(&self) -> DateTime<Utc> {
        self.event.at
    }

    /// The kind of the object. Null for PROGRESS.
    async fn kind(&self) -> Option<&str> {
        match &self.event.what {
            What::Change(record) => Some(&record.kind),
            What::Move(moved) => Some(moved.kind),
            What::Progress => None,
        }
    }

    /// The id of the object. Null for PROGRESS.
    #[graphql(name = "objectId")]
    async fn id_of_object(&self) -> Option<ID> {
        self.object_id().map(Into::into)
    }

    /// The name of the object; for a deleted object, its name before the delete. Null for PROGRESS.
    async fn name(&self) -> Option<&str> {
        match &self.event.what {
            What::Change(record) => Some(&record.name),
            What::Move(moved) => Some(&moved.name),
            What::Progress => None,
        }
    }

    /// The path of the object, such as `rack/ams1/A14`; for a deleted object, its path before the delete, or its kind and
    /// name if that is not known any more. Null for PROGRESS.
    async fn path(&self) -> Option<String> {
        let id = self.object_id()?;
        let known = [Some(&self.event.snapshot), self.event.before.as_ref()].into_iter().flatten();
        let path = known.into_iter().find_map(|snapshot| Some(snapshot.path(snapshot.find(id)?)));
        path.or_else(|| match &self.event.what {
            What::Change(record) => path_of_record(&self.event.snapshot, record),
            What::Move(_) | What::Progress => None,
        })
    }

    /// The fields that changed, and the actor that changed them. Null for ENTERED, LEFT and PROGRESS.
    async fn change(&self) -> Option<Change> {
        match &self.event.what {
            What::Change(record) => Some(Change::new(self.event.snapshot.clone(), record.clone())),
            What::Move(_) | What::Progress => None,
        }
    }

    /// The object at `objectRevision`. Null if it does not exist there.
    async fn object(&self) -> Option<Node> {
        let found = self.event.snapshot.find(self.object_id()?)?;
        Node::at(&self.event.snapshot, found)
    }

    /// The revision of `object`: that of the event if it is recent, otherwise the current one.
    async fn object_revision(&self) -> Revision {
        Revision(self.event.snapshot.revision())
    }
}
