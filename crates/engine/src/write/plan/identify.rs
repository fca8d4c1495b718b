//! Identifies the object of each entry.
//!
//! The steps, in order:
//! 1. By id. An id that no object has is the id of a new object.
//! 2. By external id, for the source of the batch (looked up in `recognise.rs`).
//! 3. By key: the name within the parent, or for a kind that needs no name, the target that the object refers to
//!    (`by_key.rs`).
//! 4. If no object is found, the entry creates one (`create.rs`), unless it may only update.
//!
//! A parent may be an object of the batch, so identifying an entry may identify others first. The state of an entry
//! shows that its identification is running, so a cycle of parents ends with a refusal.

use serde_json::Value as Json;
use uuid::Uuid;

use super::entry::{Entry, State};
use super::refusals::{cycle, deleted};
use super::work::Work;
use crate::write::batch::Intent;
use crate::write::outcome::Recognised;
use underlay_inventory::{Description, ObjectRef, Refusal, parse_id, shorten};

/// The maximum length of a chain of parents that are identified recursively. Parents are identified first, so only a
/// cycle is longer.
const MAX_PARENT_CHAIN: usize = 64;

/// The values by which an entry identifies its object.
pub(super) struct Identifiers {
    pub id: Option<Uuid>,
    pub name: Option<String>,
    has_external_id: bool,
}

impl Identifiers {
    fn of(entry: &Entry<'_>) -> Result<Self, Refusal> {
        let fields = &entry.input.fields;
        let id = text("id", fields.get("id"))?;
        let external_id = text("externalId", fields.get("externalId"))?;
        let name = text("name", entry.input.name())?;
        Ok(Self {
            id: id.map(|id| parse_id("id", id)).transpose()?,
            has_external_id: external_id.is_some(),
            name: name.map(str::to_owned),
        })
    }
}

impl Work<'_> {
    /// Returns the object of an entry. A new object is added to the draft with its key, so that references can find it,
    /// unless there can be no reference to it.
    pub(super) fn identify(&mut self, at: usize, depth: usize) -> Result<Uuid, Refusal> {
        match &self.entries.get(at).state {
            State::Waiting if depth > MAX_PARENT_CHAIN => return Err(cycle()),
            State::Waiting => {}
            state => return state.object(),
        }
        self.entries.get_mut(at).state = State::Running;
        let state = match self.find_or_create(at, depth) {
            Ok(state) => state,
            Err(refusal) => State::Failed { refusal, by: None },
        };
        let entry = self.entries.get_mut(at);
        entry.state = state;
        entry.state.object()
    }

    fn find_or_create(&mut self, at: usize, depth: usize) -> Result<State, Refusal> {
        let entry = self.entries.get(at);
        let (kind, intent) = (entry.input.kind, entry.input.intent);
        let identifiers = Identifiers::of(entry)?;
        match (self.find(at, kind, &identifiers, depth)?, intent) {
            (Some((object, _)), Intent::Create) => Err(self.duplicate(&identifiers, object)),
            (Some((object, by)), Intent::Update | Intent::Apply) => {
                let row = self.draft.snapshot().row(object).ok_or_else(|| missing(kind, identifiers.id))?;
                Ok(State::Found { id: row.common().id, object, by })
            }
            (None, Intent::Update) => Err(missing(kind, identifiers.id)),
            (None, Intent::Create | Intent::Apply) => self.create(at, kind, identifiers, depth),
        }
    }

    /// Returns the existing object of an entry, and the way in which it was recognised.
    fn find(
        &mut self,
        at: usize,
        kind: &'static Description,
        identifiers: &Identifiers,
        depth: usize,
    ) -> Result<Option<(ObjectRef, Recognised)>, Refusal> {
        if let Some(id) = identifiers.id {
            return Ok(self.by_id(kind, id)?.map(|object| (object, Recognised::Id)));
        }
        if identifiers.has_external_id
            && let Some(object) = self.by_external_id(at)?
        {
            return Ok(Some((object, Recognised::ExternalId)));
        }
        let found = match &identifiers.name {
            Some(name) => self.by_key(at, kind, name, depth)?,
            None => self.by_target(at, kind, depth)?,
        };
        Ok(found.map(|object| (object, Recognised::Key)))
    }

    fn by_id(&self, kind: &Description, id: Uuid) -> Result<Option<ObjectRef>, Refusal> {
        // An id keeps its kind even if an earlier item has deleted the object.
        let object = self.draft.snapshot().find(id);
        let Some(found) = object.or_else(|| self.base.find(id)) else {
            return match self.committed.find(id) {
                Some(gone) => Err(just_deleted(&self.committed.path(gone))),
                None => Ok(None),
            };
        };
        if self.to_delete.contains(&id) {
            return Err(deleted(&self.draft.snapshot().path(found)));
        }
        if found.kind != kind.id {
            let other = self.draft.snapshot().kind(found.kind).name;
            let reason = format!("is that of a {other}, not of a {}", kind.name);
            return Err(Refusal::Invalid { field: "id".to_owned(), reason });
        }
        Ok(object)
    }

    fn by_external_id(&self, at: usize) -> Result<Option<ObjectRef>, Refusal> {
        if self.source().is_none() {
            let reason = "needs the source that it is of: give source with the batch".to_owned();
            return Err(Refusal::Invalid { field: "externalId".to_owned(), reason });
        }
        Ok(self.entries.get(at).lookups.by_external_id.filter(|object| self.can_be_written(*object)))
    }

    /// Returns true if an object can be written. An object that the batch deletes cannot.
    pub(super) fn can_be_written(&self, object: ObjectRef) -> bool {
        self.draft.snapshot().row(object).is_some_and(|row| !self.to_delete.contains(&row.common().id))
    }

    /// Returns the refusal of an entry that must create an object but means an existing one.
    fn duplicate(&self, identifiers: &Identifiers, object: ObjectRef) -> Refusal {
        let what = match &identifiers.name {
            Some(name) => format!("the name {name}"),
            None => format!("the id {}", identifiers.id.unwrap_or_default()),
        };
        let field = if identifiers.id.is_some() { "id" } else { "name" }.to_owned();
        Refusal::Duplicate { field, what, holder: self.draft.snapshot().path(object) }
    }
}

fn text<'v>(field: &str, value: Option<&'v Json>) -> Result<Option<&'v str>, Refusal> {
    match value {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => {
            let reason = format!("must be text, not {}", shorten(other));
            Err(Refusal::Invalid { field: field.to_owned(), reason })
        }
    }
}

/// Returns the refusal of an id whose object another batch deletes in the same commit.
fn just_deleted(path: &str) -> Refusal {
    let reason = format!("is that of {path}, which another request is deleting: repeat this one, or give another id");
    Refusal::Invalid { field: "id".to_owned(), reason }
}

fn missing(kind: &Description, id: Option<Uuid>) -> Refusal {
    let what = match id {
        Some(id) => format!("{} {id}", kind.name),
        None => format!("the {}", kind.name),
    };
    Refusal::NotFound { field: "id".to_owned(), what }
}
