//! An event in the API.

use async_graphql::{Enum, ID, Object};
use chrono::{DateTime, Utc};
use underlay_entity::change::Operation;
use uuid::Uuid;

use super::filter::ChangeCursor;
use crate::kinds::Node;
use crate::kinds::changes::Change;
use crate::kinds::scalars::Revision;
use crate::read::{Event, Happening, What};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ChangeEventType {
    /// An object was made.
    Created,
    /// Some fields of an object changed.
    Updated,
    /// An object was removed.
    Deleted,
    /// An object came beneath `within`, because something that it stands in moved.
    Entered,
    /// An object went from beneath `within`, because something that it stands in moved.
    Left,
    /// Nothing that fits: it says how far the subscription is.
    Progress,
}

/// Something that happened, or how far the subscription is.
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

/// Something that happened, or how far the subscription is.
#[Object]
impl ChangeEvent {
    /// What happened.
    #[graphql(name = "type")]
    async fn kind_of_event(&self) -> ChangeEventType {
        match &self.event.what {
            What::Change(record) => match record.operation {
                Operation::Created => ChangeEventType::Created,
                Operation::Updated => ChangeEventType::Updated,
                Operation::Deleted => ChangeEventType::Deleted,
            },
            What::Move(moved) if moved.happening == Happening::Entered => ChangeEventType::Entered,
            What::Move(_) => ChangeEventType::Left,
            What::Progress => ChangeEventType::Progress,
        }
    }

    /// The place after it: give it as `after` to go on from here.
    async fn cursor(&self) -> ChangeCursor {
        ChangeCursor(self.event.cursor)
    }

    /// The revision in which it happened; of PROGRESS, the one that was come to.
    async fn revision(&self) -> Revision {
        Revision(self.event.cursor.revision)
    }

    /// When the revision was made, in UTC.
    async fn at(&self) -> DateTime<Utc> {
        self.event.at
    }

    /// The kind of the object; null with PROGRESS.
    async fn kind(&self) -> Option<&str> {
        match &self.event.what {
            What::Change(record) => Some(&record.kind),
            What::Move(moved) => Some(moved.kind),
            What::Progress => None,
        }
    }

    /// The id of the object; null with PROGRESS.
    #[graphql(name = "objectId")]
    async fn id_of_object(&self) -> Option<ID> {
        self.object_id().map(Into::into)
    }

    /// The name of the object; of a deleted one, before it was. Null with PROGRESS.
    async fn name(&self) -> Option<&str> {
        match &self.event.what {
            What::Change(record) => Some(&record.name),
            What::Move(moved) => Some(&moved.name),
            What::Progress => None,
        }
    }

    /// What changed, and who changed it; null with ENTERED, LEFT and PROGRESS.
    async fn change(&self) -> Option<Change> {
        match &self.event.what {
            What::Change(record) => Some(Change::new(self.event.snapshot.clone(), record.clone())),
            What::Move(_) | What::Progress => None,
        }
    }

    /// The object as it is at `objectRevision`; null when it is not there.
    async fn object(&self) -> Option<Node> {
        let place = self.event.snapshot.find(self.object_id()?)?;
        Node::at(&self.event.snapshot, place)
    }

    /// The revision that `object` is of: that of the event when it is recent, else the newest.
    async fn object_revision(&self) -> Revision {
        Revision(self.event.snapshot.revision())
    }
}
