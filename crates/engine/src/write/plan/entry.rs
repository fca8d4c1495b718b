//! One object to be written. An entry keeps three things apart: the input, which does not change; what its references
//! and lookups found; and the state of its identification.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value as Json;
use uuid::Uuid;

use super::order::external_refs;
use super::refusals::cycle;
use crate::write::batch::Intent;
use crate::write::fields::Fields;
use crate::write::outcome::{Recognised, Skipped};
use underlay_entity::row::Row;
use underlay_inventory::{Description, ObjectRef, Refusal, Snapshot};

/// An object to be written.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub input: Input<'a>,
    pub lookups: Lookups,
    pub resolved: Resolved,
    pub state: State,
    /// The fields that keep their values because other managers own them.
    pub skipped: Vec<Skipped>,
}

/// The object that an item, or a part of an item, describes.
#[derive(Debug)]
pub(super) struct Input<'a> {
    pub item: usize,
    /// The field of the item that holds the object, if the object is a part of the item's object.
    pub part: Option<&'static str>,
    pub kind: &'static Description,
    pub intent: Intent,
    pub fields: Cow<'a, Fields>,
    pub if_version: Option<i64>,
}

/// The results of lookups before the identification.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// The object that has the external id in the entry.
    pub by_external_id: Option<ObjectRef>,
    /// The parent, if it was prefetched.
    pub parent: Option<Uuid>,
    pub by_key: KeyLookup,
}

/// The result of looking up the key of an entry before the identification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum KeyLookup {
    /// The key must be looked up again.
    #[default]
    Unknown,
    /// This object has the key.
    Object(ObjectRef),
    /// No object has the key, and no other entry creates one or refers to one of its kind.
    Nothing,
}

/// The references in the fields of an entry, as far as they are resolved.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// The fields with ids in place of references.
    fields: Vec<(&'static str, Json)>,
    /// The first error.
    pub error: Option<Refusal>,
}

/// The state of the identification of an entry.
///
/// An entry goes from `Waiting` to `Running`, and from there to `Found`, `New` or `Failed`. An entry whose object
/// another item writes too goes from `Found` or `New` to `Failed`.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// The identification has not begun.
    Waiting,
    /// The identification is running. An entry that is met in this state is a part of a cycle.
    Running,
    /// The entry means an existing object.
    Found { id: Uuid, object: ObjectRef, by: Recognised },
    /// The entry creates an object.
    New { id: Uuid, row: NewRow },
    /// The entry has no object. `by` says how the object was recognised if another item writes it too.
    Failed { refusal: Refusal, by: Option<Recognised> },
}

/// The row of a new object.
#[derive(Clone, Debug)]
pub(super) enum NewRow {
    /// The row is in the draft, so that references can find it.
    InDraft(ObjectRef),
    /// Nothing in the batch can refer to the object. Its row is added to the draft when it is complete.
    Held(Arc<dyn Row>),
}

impl State {
    /// Returns the object, once every entry was identified.
    pub fn object(&self) -> Result<Uuid, Refusal> {
        match self {
            Self::Found { id, .. } | Self::New { id, .. } => Ok(*id),
            Self::Failed { refusal, .. } => Err(refusal.clone()),
            Self::Waiting | Self::Running => Err(cycle()),
        }
    }

    /// Returns the object, if it is known already.
    pub fn id(&self) -> Option<Uuid> {
        match self {
            Self::Found { id, .. } | Self::New { id, .. } => Some(*id),
            Self::Waiting | Self::Running | Self::Failed { .. } => None,
        }
    }

    /// Returns the way in which the object was recognised, if it is known already.
    pub fn recognised_by(&self) -> Option<Recognised> {
        match self {
            Self::Found { by, .. } => Some(*by),
            Self::New { .. } => Some(Recognised::Created),
            Self::Failed { by, .. } => *by,
            Self::Waiting | Self::Running => None,
        }
    }

    /// Returns the row of a new object that is not in the draft yet.
    pub fn held_row(&self) -> Option<&Arc<dyn Row>> {
        match self {
            Self::New { row: NewRow::Held(row), .. } => Some(row),
            _ => None,
        }
    }

    /// Returns the object as it was last seen.
    fn object_ref(&self) -> Option<ObjectRef> {
        match self {
            Self::Found { object, .. } | Self::New { row: NewRow::InDraft(object), .. } => Some(*object),
            _ => None,
        }
    }

    /// Records the slot into which the object was written in the draft.
    pub fn written_at(&mut self, at: ObjectRef) {
        match self {
            Self::Found { object, .. } => *object = at,
            Self::New { row, .. } => *row = NewRow::InDraft(at),
            Self::Waiting | Self::Running | Self::Failed { .. } => {}
        }
    }

    /// Refuses the entry because another item writes its object too.
    pub fn refuse(&mut self, refusal: Refusal) {
        *self = Self::Failed { refusal, by: self.recognised_by() };
    }
}

impl Resolved {
    /// Returns the value of a field, if its references were resolved.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// Returns true if the references in a field were resolved.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Stores the value of a field whose references were resolved.
    pub fn push(&mut self, name: &'static str, value: Json) {
        self.fields.push((name, value));
    }
}

impl<'a> Entry<'a> {
    /// Creates an entry that is not identified yet.
    pub fn of(input: Input<'a>) -> Self {
        Self {
            input,
            lookups: Lookups::default(),
            resolved: Resolved::default(),
            state: State::Waiting,
            skipped: Vec::new(),
        }
    }

    /// Returns the value of a field in a form that can be kept while entries change, with ids in place of references
    /// that were resolved. A value of `null` counts as absent.
    pub fn value(&self, name: &str) -> Option<Cow<'a, Json>> {
        let value = match (self.resolved.get(name), &self.input.fields) {
            (Some(resolved), _) => Some(Cow::Owned(resolved.clone())),
            (None, Cow::Borrowed(fields)) => fields.get(name).map(Cow::Borrowed),
            (None, Cow::Owned(fields)) => fields.get(name).cloned().map(Cow::Owned),
        };
        value.filter(|value| !value.is_null())
    }

    /// Returns the row of the object in a snapshot before or after the items.
    pub fn row<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s Arc<dyn Row>> {
        let id = self.state.id()?;
        let there = self.state.object_ref().and_then(|object| snapshot.row(object)).filter(|row| row.common().id == id);
        // The object may have been removed from its slot and added in another one.
        there.or_else(|| snapshot.row_of(id))
    }

    /// Returns true if the items change the object.
    pub fn is_changed(&self, start: &Snapshot, next: &Snapshot) -> bool {
        match (self.row(start), self.row(next)) {
            (Some(before), Some(after)) => !Arc::ptr_eq(before, after) && !before.equals(after.as_ref()),
            (before, after) => before.is_some() != after.is_some(),
        }
    }
}

impl Input<'_> {
    /// Returns the name that the entry sets.
    pub fn name(&self) -> Option<&Json> {
        self.kind.name_of(|member| self.fields.get(member))
    }

    /// Returns true if the entry contains the id of its object.
    pub fn gives_id(&self) -> bool {
        self.fields.get("id").is_some_and(|id| !id.is_null())
    }

    /// Returns the external id in the entry, for the source of the batch.
    pub fn external_id(&self) -> Option<&str> {
        self.fields.get("externalId").and_then(Json::as_str)
    }

    /// Returns true if the entry sets an external id.
    pub fn gives_external_ids(&self) -> bool {
        self.fields.has("externalId") || self.fields.has("externalRefs")
    }

    /// Returns the external id of a source that the entry sets. `source` is the source of the batch.
    pub fn external_id_of(&self, source: &str) -> Option<&str> {
        let listed = || external_refs(&self.fields).find(|(it, _)| *it == source).map(|(_, external_id)| external_id);
        self.external_id().or_else(listed)
    }
}
