//! Looks up the objects that arguments name by their ids or by references.

use std::ops::RangeInclusive;

use async_graphql::{ID, Result};
use serde_json::Value as Json;
use uuid::Uuid;

use super::AnyRef;
use super::errors::{refused, unreadable};
use underlay_inventory::{Description, ObjectRef, Refusal, Selector, Snapshot, shorten_text};
use underlay_read::ReadError;

/// The names of the two arguments that can name the same object or objects: by ids, and by references.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    /// The argument that takes ids.
    pub ids: &'static str,
    /// The argument that takes references.
    pub references: &'static str,
}

/// An object that an argument names, before it is looked up. Where an argument takes an id, it takes a path too.
#[derive(Clone, Debug)]
pub struct NamedObject {
    /// The argument, with the place in it: `avoidObjects.2.rack`.
    field: String,
    /// The kind; `None` if an id names the object.
    kind: Option<&'static Description>,
    /// The reference, or the id or path as a text.
    reference: Json,
}

impl NamedObject {
    /// Returns the object that an argument names by its id or path.
    pub fn by_id(argument: &str, id: &ID) -> Self {
        Self { field: argument.to_owned(), kind: None, reference: Json::String(id.to_string()) }
    }

    fn by_reference(argument: &str, reference: &AnyRef) -> Self {
        let (kind, reference) = reference.parts();
        let member = kind.map_or("id", |kind| kind.singular);
        Self { field: format!("{argument}.{member}"), kind, reference }
    }

    /// Returns the object that one of two arguments names; `None` if neither is given.
    ///
    /// # Errors
    /// Returns an error if both are given.
    pub fn of(
        Arguments { ids, references }: Arguments,
        id: Option<&ID>,
        reference: Option<&AnyRef>,
    ) -> Result<Option<Self>, Refusal> {
        match (id, reference) {
            (Some(_), Some(_)) => Err(not_one(ids, references)),
            (Some(id), None) => Ok(Some(Self::by_id(ids, id))),
            (None, Some(reference)) => Ok(Some(Self::by_reference(references, reference))),
            (None, None) => Ok(None),
        }
    }

    /// Returns the object that exactly one of two arguments names.
    ///
    /// # Errors
    /// Returns an error if both are given, or neither.
    pub fn required(arguments: Arguments, id: Option<&ID>, reference: Option<&AnyRef>) -> Result<Self, Refusal> {
        let Arguments { ids, references } = arguments;
        Self::of(arguments, id, reference)?.ok_or_else(|| not_one(ids, references))
    }

    /// Returns all objects that two arguments name together.
    pub fn all(
        Arguments { ids, references }: Arguments,
        by_id: Option<&Vec<ID>>,
        by_reference: Option<&Vec<AnyRef>>,
    ) -> Vec<Self> {
        let named = by_id.into_iter().flatten().map(|id| Self::by_id(ids, id));
        let entries = by_reference.into_iter().flatten().enumerate();
        named.chain(entries.map(|(at, one)| Self::by_reference(&format!("{references}.{at}"), one))).collect()
    }

    /// Returns the argument that names the object, with the place in it.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns what tells the name from those of other objects: the kind, and the reference or the id.
    pub fn key(&self) -> (Option<&'static str>, &Json) {
        (self.kind.map(|kind| kind.name), &self.reference)
    }

    /// Looks the object up.
    ///
    /// # Errors
    /// Returns an error if the name cannot be read, or if not exactly one object has it.
    pub fn find(&self, snapshot: &Snapshot) -> Result<ObjectRef, Refusal> {
        let field = &self.field;
        let (found, what) = match self.kind {
            Some(kind) => {
                let selector = Selector::parse(kind, field, &self.reference, None)?;
                (snapshot.select(kind, field, &selector)?, selector.words(kind))
            }
            None => {
                let text = self.reference.as_str().unwrap_or_default();
                (snapshot.find_by_id_or_path(field, text)?, missing(text))
            }
        };
        found.ok_or_else(|| Refusal::NotFound { field: field.clone(), what })
    }

    /// Looks the object up, and converts an error to one for clients.
    ///
    /// # Errors
    /// Returns the same errors as [`find`](Self::find).
    pub fn found(&self, snapshot: &Snapshot) -> Result<ObjectRef> {
        let id = self.kind.is_none().then(|| self.reference.as_str().and_then(|id| Uuid::parse_str(id).ok())).flatten();
        self.find(snapshot).map_err(|refusal| refused(&refusal, None, id))
    }
}

fn missing(id_or_path: &str) -> String {
    match Uuid::parse_str(id_or_path) {
        Ok(id) => format!("an object with the id {id}"),
        Err(_) => format!("an object with the path {}", shorten_text(id_or_path)),
    }
}

fn not_one(ids: &str, references: &str) -> Refusal {
    let reason = format!("give exactly one of {ids} and {references}");
    Refusal::Invalid { field: ids.to_owned(), reason }
}

/// Returns the id of a place that an argument names. An id need not be that of an object which is still there; a path is
/// looked up.
///
/// # Errors
/// Returns an error if the text is neither an id nor a path, or if not exactly one object has the path.
pub fn place_id(snapshot: &Snapshot, argument: &str, place: &ID) -> Result<Uuid, Refusal> {
    if let Ok(id) = Uuid::parse_str(place) {
        return Ok(id);
    }
    let found = snapshot.find_by_id_or_path(argument, place)?;
    let id = found.and_then(|found| snapshot.row(found)).map(|row| row.common().id);
    id.ok_or_else(|| Refusal::NotFound { field: argument.to_owned(), what: missing(place) })
}

/// Reads the place of a filter on changes, which know where an object was by its own references only. `kinds` are those
/// that the filter asks for.
///
/// # Errors
/// Returns the errors of [`place_id`], and refuses kinds whose changes are in no place: nothing would be found.
pub fn place_of_changes(snapshot: &Snapshot, place: &ID, kinds: &[&'static Description]) -> Result<Uuid, Refusal> {
    if let Some(kind) = kinds.iter().find(|kind| !snapshot.registry().has_containers(kind)) {
        let reason = format!("must be absent for {}: changes of its objects are in no place", kind.name);
        return Err(Refusal::Invalid { field: "within".to_owned(), reason });
    }
    place_id(snapshot, "within", place)
}

/// Returns the object with an id or a path.
///
/// # Errors
/// Returns an error if the text is neither, or if not exactly one object has it.
pub fn find_object(snapshot: &Snapshot, argument: &str, id: &ID) -> Result<ObjectRef> {
    NamedObject::by_id(argument, id).found(snapshot)
}

/// Looks up the objects that arguments name, each once. `allowed` bounds their number.
///
/// # Errors
/// Returns an error if one is not found, or if their number is not allowed.
pub fn find_named(
    snapshot: &Snapshot,
    argument: &'static str,
    named: &[NamedObject],
    allowed: RangeInclusive<usize>,
) -> Result<Vec<ObjectRef>> {
    if !allowed.contains(&named.len()) {
        let reason = format!("must have {} to {} entries, not {}", allowed.start(), allowed.end(), named.len());
        return Err(unreadable(&ReadError::Argument { argument, reason }));
    }
    let mut found = Vec::with_capacity(named.len());
    for one in named {
        found.push(one.found(snapshot)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
