//! Finds the fields that a batch empties: a reference, a placement, ends or a list that was set and is cleared.

use underlay_entity::row::Row;
use underlay_inventory::{Description, Field, KeyOf, Part, Shape, Snapshot};
use uuid::Uuid;

use crate::write::{Batch, Fields, Item, Planned};

/// An object of which an item empties fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emptied {
    pub object: Uuid,
    /// The name of the object's kind.
    pub kind: &'static str,
    pub fields: Vec<&'static str>,
}

/// Returns the objects that a planned batch empties, in the order of the items.
pub fn emptied(base: &Snapshot, batch: &Batch, planned: &Planned) -> Vec<Emptied> {
    if !planned.changes_something() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (item, outcome) in batch.items.iter().zip(&planned.outcomes) {
        let (Item::Write { fields, .. }, Some(object), None) = (item, outcome.id, &outcome.error) else { continue };
        let Some(object_ref) = base.find(object) else { continue };
        let kind = base.kind(object_ref.kind);
        let (Some(before), Some(after)) = (base.row(object_ref), planned.next.row_of(object)) else { continue };
        let is_emptied =
            |field: &&Field| fields.has(field.name) && is_set(field, before.as_ref()) && !is_set(field, after.as_ref());
        let mut emptied: Vec<&'static str> = kind.fields.iter().filter(is_emptied).map(|field| field.name).collect();
        emptied.extend(emptied_parts(base, kind, object, fields, &planned.next));
        if !emptied.is_empty() {
            found.push(Emptied { object, kind: kind.name, fields: emptied });
        }
    }
    found
}

/// Returns true if a field of an object is still set. An object that does not exist any more has no field.
pub fn is_still_set(snapshot: &Snapshot, object: Uuid, field: &str) -> bool {
    let Some(object_ref) = snapshot.find(object) else { return false };
    let kind = snapshot.kind(object_ref.kind);
    let Some(row) = snapshot.row(object_ref) else { return false };
    match kind.field(field).map(|index| &kind.fields[index]) {
        Some(field) => is_set(field, row.as_ref()),
        None => kind.parts.iter().any(|part| part.field == field && has_part(snapshot, object, part)),
    }
}

/// Returns true if a field refers to something, or is a list with entries.
fn is_set(field: &Field, row: &dyn Row) -> bool {
    match field.reference {
        Some(reference) => reference.first(row).is_some(),
        None if matches!(field.shape, Shape::PerKey) => false,
        None => (field.get)(row).as_array().is_some_and(|list| !list.is_empty()),
    }
}

/// Returns true if an object has a part that is an object of its own.
fn has_part(snapshot: &Snapshot, whole: Uuid, part: &Part) -> bool {
    let name = part.fixed.iter().find(|(field, _)| *field == "name").map(|(_, name)| *name);
    let of = snapshot.registry().named(part.kind);
    of.zip(name).is_some_and(|(of, name)| {
        let key = KeyOf { parent: whole, family: 0, name: name.into() };
        snapshot.table(of.id).by_key(&key).is_some()
    })
}

/// Returns the members of an item that stand for objects of their own, which the batch deletes.
fn emptied_parts(
    base: &Snapshot,
    kind: &'static Description,
    whole: Uuid,
    fields: &Fields,
    next: &Snapshot,
) -> Vec<&'static str> {
    let cleared = kind.parts.iter().filter(|part| fields.get(part.field).is_some_and(serde_json::Value::is_null));
    let is_lost = |part: &&Part| has_part(base, whole, part) && !has_part(next, whole, part);
    cleared.filter(is_lost).map(|part| part.field).collect()
}
