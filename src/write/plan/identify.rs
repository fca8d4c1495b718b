//! Identifies the object of each entry: by id, else by external reference, else by key. If there is none, the entry
//! creates an object.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value as Json;
use uuid::Uuid;

use super::Work;
use super::entries::{Entries, State, UnderKey};
use crate::write::batch::{Intent, Recognised};
use underlay_entity::row::Row;
use underlay_inventory::{Description, KeyOf, KindId, ObjectRef, Refusal, Selector, Unnamed, parse_id, shorten};

/// The maximum length of a chain of parents that are identified recursively. Parents are identified first, so only a
/// circle is longer.
const DEEPEST: usize = 64;
/// The error of an object whose parents lead back to it.
const CIRCLE: &str = "is in a circle: its parents lead back to it";

/// The family that a value of the family's field means.
pub(super) struct KnownFamily {
    kind: KindId,
    value: Json,
    family: u8,
}

/// Creates the id of a new object: a UUIDv7 (RFC 9562) with random bits after the time. A counter in these bits would
/// reveal the number of objects that were created in between to clients that see a part of the inventory.
fn new_id() -> Uuid {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(now.as_millis()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &rand::random()).into_uuid()
}

impl Work<'_> {
    /// Returns the object of an entry. A new object is added to the draft with its key, so that references can find it,
    /// unless there can be no reference to it.
    pub(super) fn identify(&mut self, at: usize, depth: usize) -> Result<Uuid, Refusal> {
        match &self.entries.get(at).state {
            State::Waiting if depth > DEEPEST => return Err(circle()),
            State::Waiting => {}
            state => return state.object(),
        }
        self.entries.get_mut(at).state = State::Busy;
        let result = self.target(at, depth);
        let entry = self.entries.get_mut(at);
        match result {
            Ok((state, place, by)) => (entry.state, entry.place, entry.by) = (state, place, Some(by)),
            Err(refusal) => entry.state = State::Failed(refusal),
        }
        entry.state.object()
    }

    /// Returns the object of an entry, its index, and the way in which it was recognised.
    fn target(&mut self, at: usize, depth: usize) -> Result<(State, Option<ObjectRef>, Recognised), Refusal> {
        let entry = self.entries.get(at);
        let (kind, intent) = (entry.kind, entry.intent);
        let text = |member: &str, value: Option<&Json>| match value {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(Refusal::Invalid {
                field: member.to_owned(),
                reason: format!("must be text, not {}", shorten(other)),
            }),
        };
        let (id, external_id, name) = (
            text("id", entry.value("id"))?,
            text("externalId", entry.value("externalId"))?,
            text("name", entry.name())?,
        );
        let id = id.map(|id| parse_id("id", &id)).transpose()?;

        let mut found = id.map(|id| self.by_id(kind, id)).transpose()?.flatten();
        let mut by = Recognised::Id;
        if let (None, None, true) = (id, found, external_id.is_some()) {
            (found, by) = (self.by_external(at)?, Recognised::ExternalId);
        }
        if let (None, None) = (id, found) {
            by = Recognised::Key;
            found = match &name {
                Some(name) => self.by_key(at, kind, name, depth)?,
                None => self.unnamed(at, kind, depth)?,
            };
        }
        match (found, intent) {
            (Some(place), Intent::Create) => {
                let what = match name {
                    Some(name) => format!("the name {name}"),
                    None => format!("the id {}", id.unwrap_or_default()),
                };
                let field = if id.is_some() { "id" } else { "name" }.to_owned();
                Err(Refusal::Duplicate { field, what, holder: self.draft.value().path(place) })
            }
            (Some(place), _) => {
                let row = self.draft.value().row(place).map(|row| row.common().id);
                row.map(|id| (State::Found(id), Some(place), by)).ok_or_else(|| missing(kind, id))
            }
            (None, Intent::Update) => Err(missing(kind, id)),
            (None, _) => {
                let alone = id.is_none() && self.entries.get(at).under_key == UnderKey::Nothing;
                let id = id.unwrap_or_else(new_id);
                let row = self.create(at, kind, id, name, depth)?;
                if self.entries.get(at).gives_external_ids() {
                    self.claimed.entry(id).or_insert(at);
                }
                if alone {
                    self.entries.get_mut(at).blank = Some(row);
                    return Ok((State::New(id), None, Recognised::Created));
                }
                self.put(kind, row).map(|place| (State::New(id), Some(place), Recognised::Created))
            }
        }
    }

    fn by_id(&self, kind: &Description, id: Uuid) -> Result<Option<ObjectRef>, Refusal> {
        // An id keeps its kind even if an earlier item has deleted the object.
        let place = self.draft.value().find(id);
        let Some(found) = place.or_else(|| self.base.find(id)) else {
            return match self.committed.find(id) {
                Some(gone) => Err(just_deleted(&self.committed.path(gone))),
                None => Ok(None),
            };
        };
        if self.to_delete.contains(&id) {
            return Err(deleted(&self.draft.value().path(found)));
        }
        if found.kind != kind.id {
            let other = self.draft.value().kind(found.kind).name;
            let reason = format!("is that of a {other}, not of a {}", kind.name);
            return Err(Refusal::Invalid { field: "id".to_owned(), reason });
        }
        Ok(place)
    }

    fn by_external(&self, at: usize) -> Result<Option<ObjectRef>, Refusal> {
        if self.source().is_none() {
            let reason = "needs the source that it is of: give source with the batch".to_owned();
            return Err(Refusal::Invalid { field: "externalId".to_owned(), reason });
        }
        Ok(self.entries.get(at).by_external_id.filter(|place| self.is_there(*place)))
    }

    /// Returns true if an object can be written. An object that the batch deletes cannot.
    fn is_there(&self, place: ObjectRef) -> bool {
        self.draft.value().row(place).is_some_and(|row| !self.to_delete.contains(&row.common().id))
    }

    fn by_key(
        &mut self,
        at: usize,
        kind: &'static Description,
        name: &str,
        depth: usize,
    ) -> Result<Option<ObjectRef>, Refusal> {
        let mut found: Vec<ObjectRef> = match (self.parent(at, kind, depth)?, self.entries.get(at).under_key) {
            (_, UnderKey::Nothing) => return Ok(None),
            // An object of the batch may have taken its key in the index.
            (_, UnderKey::Object(place)) if !self.draft.has_displaced() => vec![place],
            (None, _) if !kind.key.parents.is_empty() => {
                let selector = Selector { name: Some(name.to_owned()), ..Selector::default() };
                self.draft.value().select(kind, "name", &selector)?.into_iter().collect()
            }
            (parent, _) => {
                let families = families(&self.entries, at, kind, &mut self.families)?;
                let table = self.draft.value().table(kind.id);
                let key = |family| KeyOf { parent: parent.unwrap_or_default(), family, name: name.into() };
                let slots = families.filter_map(|family| table.by_key(&key(family)));
                slots.map(|slot| ObjectRef { kind: kind.id, slot }).collect()
            }
        };
        found.retain(|place| self.is_there(*place) && self.is_meant(at, *place, depth));
        match found.as_slice() {
            [] => Ok(None),
            [place] => Ok(Some(*place)),
            several => Err(Refusal::Ambiguous {
                field: "name".to_owned(),
                what: format!("{} {name}", kind.name),
                count: several.len(),
                candidates: several.iter().map(|it| self.draft.value().path(*it)).collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// Returns the parent of an entry, from the first of the fields that may hold it.
    pub(super) fn parent(
        &mut self,
        at: usize,
        kind: &'static Description,
        depth: usize,
    ) -> Result<Option<Uuid>, Refusal> {
        if let Some(parent) = self.entries.get(at).parent {
            return Ok(Some(parent));
        }
        for (_, field) in kind.parent_fields() {
            let value = self.entries.given(at, field.name);
            if let (Some(value), Some(reference)) = (value, field.reference) {
                let id = self.resolve(reference.targets, field.name, &value, depth + 1)?;
                // From here on, the name may also match the object itself.
                self.entries.get_mut(at).resolved.push((field.name, Json::String(id.to_string())));
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Returns the object that already refers to the same target as an entry without a name, for kinds that need no
    /// name.
    fn unnamed(&mut self, at: usize, kind: &'static Description, depth: usize) -> Result<Option<ObjectRef>, Refusal> {
        let Some(place) = kind.recognised_by().and_then(|by| kind.field(by)) else { return Ok(None) };
        let field = &kind.fields[place];
        let Some(value) = self.entries.given(at, field.name) else { return Ok(None) };
        let first = self.first_target(kind, field, value, depth)?;
        let Some(target) = first.and_then(|id| self.draft.value().find(id)) else { return Ok(None) };
        let reference = underlay_inventory::ReferenceId { kind: kind.id, field: place as u8 };
        let found = self.draft.value().incoming(target).first_by(reference);
        Ok(found.filter(|found| self.is_there(*found) && self.is_meant_unnamed(at, field, *found, depth)))
    }

    /// Creates the row of a new object: its id, its key, and defaults for the rest.
    fn create(
        &mut self,
        at: usize,
        kind: &'static Description,
        id: Uuid,
        name: Option<String>,
        depth: usize,
    ) -> Result<Arc<dyn Row>, Refusal> {
        let name = match (name, kind.unnamed) {
            (Some(name), _) => name,
            (None, Some(Unnamed::Referring { name, .. })) => name(id),
            (None, Some(Unnamed::Field(field))) => {
                return Err(Refusal::Required { field: field.to_owned(), kind: kind.name });
            }
            (None, None) => return Err(Refusal::Required { field: "name".to_owned(), kind: kind.name }),
        };
        let mut row = (kind.blank)().duplicate();
        if let Some(row) = Arc::get_mut(&mut row) {
            let common = row.common_mut();
            (*common.id, *common.name) = (id, name);
            (*common.version, *common.created_at, *common.updated_at) =
                (self.head.revision, self.head.at, self.head.at);
            self.set_key_fields(at, kind, row, depth)?;
        }
        let (item, part) = (self.entries.get(at).item, self.entries.get(at).part);
        self.origin(id, item, part);
        Ok(row)
    }

    fn set_key_fields(
        &mut self,
        at: usize,
        kind: &'static Description,
        row: &mut dyn Row,
        depth: usize,
    ) -> Result<(), Refusal> {
        let family = kind.key.family.and_then(|family| kind.field(family.field)).map(|place| &kind.fields[place]);
        for field in kind.parent_fields().map(|(_, field)| field).chain(family) {
            let Some(value) = self.entries.given(at, field.name) else { continue };
            let known = self.entries.get(at).is_resolved(field.name);
            let value = if known { value.into_owned() } else { self.resolve_field(field, value, depth + 1)? };
            field.put(row, field.fit(&value)?.as_ref())?;
        }
        Ok(())
    }
}

/// Returns the families that an entry may have: the one in its fields, or all.
pub(super) fn families(
    entries: &Entries<'_>,
    at: usize,
    kind: &'static Description,
    known: &mut Vec<KnownFamily>,
) -> Result<RangeInclusive<u8>, Refusal> {
    let Some(family) = kind.key.family else { return Ok(0..=0) };
    let given = entries.given(at, family.field);
    let (Some(value), Some(place)) = (given, kind.field(family.field)) else {
        return Ok(0..=(family.names.len() as u8 - 1));
    };
    if let Some(known) = known.iter().find(|known| known.kind == kind.id && known.value == *value) {
        return Ok(known.family..=known.family);
    }
    let field = &kind.fields[place];
    let mut row = (kind.blank)();
    if let Some(row) = Arc::get_mut(&mut row) {
        field.put(row, field.fit(&value)?.as_ref())?;
    }
    let of = kind.family(row.as_ref());
    // Only valid values come here, and the field has few of them.
    known.push(KnownFamily { kind: kind.id, value: value.into_owned(), family: of });
    Ok(of..=of)
}

/// Returns the refusal of an item whose object another item deletes.
pub(super) fn deleted(path: &str) -> Refusal {
    Refusal::Invalid { field: "id".to_owned(), reason: format!("is that of {path}: the same batch deletes it") }
}

/// Returns the refusal of an id whose object another batch deletes in the same commit.
fn just_deleted(path: &str) -> Refusal {
    let reason = format!("is that of {path}, which another request is deleting: repeat this one, or give another id");
    Refusal::Invalid { field: "id".to_owned(), reason }
}

/// Returns the refusal of an object whose parents lead back to it.
pub(super) fn circle() -> Refusal {
    Refusal::Invalid { field: "parent".to_owned(), reason: CIRCLE.to_owned() }
}

/// Returns true if an object was not identified because its parents lead back to it.
pub(super) fn is_circle(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Invalid { reason, .. } if reason == CIRCLE)
}

fn missing(kind: &Description, id: Option<Uuid>) -> Refusal {
    let what = match id {
        Some(id) => format!("{} {id}", kind.name),
        None => format!("the {}", kind.name),
    };
    Refusal::NotFound { field: "id".to_owned(), what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_millisecond_do_not_count() {
        let ids: Vec<Uuid> = (0..10_000).map(|_| new_id()).collect();
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
        let millis = |id: &Uuid| id.as_u128() >> 80;
        let together = ids.windows(2).filter(|pair| millis(&pair[0]) == millis(&pair[1]));
        let (rising, all) =
            together.fold((0, 0), |(rising, all), pair| (rising + u32::from(pair[0] < pair[1]), all + 1));
        // A counter makes all of them rise; of random ones a half does.
        assert!(all > 100 && rising < all * 3 / 4, "{rising} of {all}");
    }
}
