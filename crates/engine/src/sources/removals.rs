//! Finds what a batch takes away from objects: fields and entries of maps that it empties, and values that it replaces.
//!
//! An entry of the labels or attributes has the name of the map, a dot and its key.

use std::borrow::Cow;

use serde_json::Value as Json;
use underlay_entity::row::Row;
use underlay_inventory::{Description, Field, KeyOf, ObjectRef, Part, Shape, Snapshot};
use uuid::Uuid;

use super::put_back::RETIRED_FROM;
use crate::write::{Batch, Fields, Item, Planned, SkipReason};

/// The maps of which each entry is judged for itself. External references are none: a run keeps its own.
const MAPS: [&str; 2] = ["labels", "attributes"];

/// The fields and entries that an item takes away from an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    pub object: Uuid,
    /// The name of the object's kind.
    pub kind: &'static str,
    /// The fields and entries that were set, and are not any more.
    pub emptied: Vec<String>,
    /// The fields and entries that have another value.
    pub replaced: Vec<Replaced>,
}

/// A value that is replaced by another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaced {
    pub field: String,
    pub before: Json,
    pub after: Json,
}

/// The fields that an item gives an object: its own, or a part that is an object of its own, such as an end of a circuit.
#[derive(Debug)]
pub struct Said<'a> {
    pub object: Uuid,
    pub kind: &'static Description,
    pub fields: Cow<'a, Fields>,
    /// The fields and entries that were left as they are, because the guard holds them.
    pub held: Vec<String>,
    /// True for a part: what it does not name is cleared.
    is_part: bool,
}

/// Returns what the items of a planned batch say of objects that were there before, in the order of the items.
pub fn said<'a>(base: &Snapshot, batch: &'a Batch, planned: &Planned) -> Vec<Said<'a>> {
    let mut found = Vec::new();
    for (item, outcome) in batch.items.iter().zip(&planned.outcomes) {
        let (Item::Write { fields, .. }, Some(object), None) = (item, outcome.id, &outcome.error) else { continue };
        let Some(object_ref) = base.find(object) else { continue };
        let kind = base.kind(object_ref.kind);
        let held = outcome.skipped.iter().filter(|skipped| skipped.reason == SkipReason::Held);
        let held: Vec<&str> = held.map(|skipped| skipped.field.as_str()).collect();
        for part in kind.parts {
            let Some(Json::Object(members)) = fields.get(part.field) else { continue };
            let Some(of_part) = part_of(base, object, part) else { continue };
            let held = held.iter().filter_map(|name| name.strip_prefix(part.field)?.strip_prefix('.'));
            found.push(Said {
                object: base.row(of_part).map(|row| row.common().id).unwrap_or_default(),
                kind: base.kind(of_part.kind),
                fields: Cow::Owned(Fields::from(members.clone())),
                held: held.map(str::to_owned).collect(),
                is_part: true,
            });
        }
        let held = held.into_iter().map(str::to_owned).collect();
        found.push(Said { object, kind, fields: Cow::Borrowed(fields), held, is_part: false });
    }
    found
}

/// Returns what a planned batch takes away from objects, in the order of the items.
pub fn taken(base: &Snapshot, batch: &Batch, planned: &Planned) -> Vec<Taken> {
    if !planned.changes_something() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for said in said(base, batch, planned) {
        let (Some(before), Some(after)) = (base.row_of(said.object), planned.next.row_of(said.object)) else {
            continue;
        };
        let mut taken = Taken { object: said.object, kind: said.kind.name, emptied: Vec::new(), replaced: Vec::new() };
        let differs = |field: &&Field| {
            let is_said = said.fields.has(field.name) || said.is_part && field.is_in_items();
            is_said && !(field.same)(before.as_ref(), after.as_ref())
        };
        for field in said.kind.fields.iter().filter(differs) {
            taken.compare(said.kind, field, &said.fields, [before.as_ref(), after.as_ref()]);
        }
        let parts = emptied_parts(base, said.kind, said.object, &said.fields, &planned.next);
        taken.emptied.extend(parts.map(str::to_owned));
        if !(taken.emptied.is_empty() && taken.replaced.is_empty()) {
            found.push(taken);
        }
    }
    found
}

impl Taken {
    /// Adds what becomes of a field that differs.
    fn compare(&mut self, kind: &Description, field: &Field, fields: &Fields, rows: [&dyn Row; 2]) {
        let [before, after] = rows.map(|row| (field.get)(row));
        if let Some(reference) = field.reference {
            let [had, has] = rows.map(|row| reference.first(row).is_some());
            // Where a reference leads is not judged, but a placement can lose its unit.
            let is_smaller = before.is_object() && loses(&before, &after);
            if had && !has || is_smaller {
                self.emptied.push(field.name.to_owned());
            }
            return;
        }
        if matches!(field.shape, Shape::PerKey) {
            if MAPS.contains(&field.name) {
                self.compare_entries(field.name, &before, &after);
            }
            return;
        }
        let default = (field.get)((kind.blank)().as_ref());
        if before == default || is_nothing(&before) {
            return;
        }
        // A default that is something, such as ACTIVE, can also be meant. It is not where the item says nothing.
        let is_lost = match is_nothing(&default) {
            true => loses(&before, &after),
            false => after == default && fields.get(field.name).is_none_or(is_nothing),
        };
        match is_lost {
            true => self.emptied.push(field.name.to_owned()),
            false if distinguishes(field) => {
                self.replaced.push(Replaced { field: field.name.to_owned(), before, after });
            }
            false => {}
        }
    }

    /// Adds the entries of a map that are lost and replaced. An entry that is there under another key has only a new
    /// name.
    fn compare_entries(&mut self, map: &str, before: &Json, after: &Json) {
        let (Json::Object(before), Json::Object(after)) = (before, after) else { return };
        let is_new = |key: &String| before.get(key).is_none_or(is_nothing);
        let mut gained: Vec<&Json> = after.iter().filter(|(key, _)| is_new(key)).map(|(_, value)| value).collect();
        // What the server keeps of a retired object is the server's.
        let is_kept = |key: &str| map == "attributes" && key == RETIRED_FROM;
        for (key, value) in before.iter().filter(|(key, value)| !is_nothing(value) && !is_kept(key)) {
            let name = || format!("{map}.{key}");
            match after.get(key) {
                Some(there) if there == value => {}
                Some(there) if !loses(value, there) => {
                    self.replaced.push(Replaced { field: name(), before: value.clone(), after: there.clone() });
                }
                _ => match gained.iter().position(|gained| *gained == value) {
                    Some(renamed) => drop(gained.swap_remove(renamed)),
                    None => self.emptied.push(name()),
                },
            }
        }
    }
}

/// Returns true if the values of a field tell its objects apart. A few words do not, and a required field has a rule.
fn distinguishes(field: &Field) -> bool {
    let is_open =
        matches!(field.shape, Shape::Text { .. } | Shape::Integer { .. } | Shape::Number { .. } | Shape::Structure(_));
    is_open && !field.required
}

/// Returns true if a value that is given empties something, or takes members away from a structure, at any depth. A member
/// that is there under another name is not lost. A list that gets shorter is no loss.
pub fn loses(before: &Json, after: &Json) -> bool {
    match (before, after) {
        (Json::Object(before), Json::Object(after)) => {
            let mut gained: Vec<&Json> =
                after.iter().filter(|(key, _)| !before.contains_key(*key)).map(|it| it.1).collect();
            before.iter().filter(|(_, value)| !is_nothing(value)).any(|(key, value)| match after.get(key) {
                Some(there) if !is_nothing(there) => loses(value, there),
                _ => match gained.iter().position(|gained| *gained == value) {
                    Some(renamed) => {
                        gained.swap_remove(renamed);
                        false
                    }
                    None => true,
                },
            })
        }
        (Json::Array(before), Json::Array(after)) if before.len() == after.len() => {
            before.iter().zip(after).any(|(before, after)| !is_nothing(before) && loses(before, after))
        }
        (_, after) => is_nothing(after),
    }
}

/// Returns true if a value says nothing: null, an empty text, or a list or structure in which nothing is given.
pub fn is_nothing(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text.trim().is_empty(),
        Json::Array(list) => list.iter().all(is_nothing),
        Json::Object(members) => members.values().all(is_nothing),
        Json::Bool(_) | Json::Number(_) => false,
    }
}

/// Returns what an item gives for a field or an entry.
pub fn given<'f>(fields: &'f Fields, name: &str) -> Option<&'f Json> {
    match entry(name) {
        Some((map, key)) => fields.get(map)?.get(key),
        None => fields.get(name),
    }
}

/// Returns true if a field or an entry of an object is still set. An object that does not exist any more has none.
pub fn is_still_set(snapshot: &Snapshot, object: Uuid, name: &str) -> bool {
    let Some(object_ref) = snapshot.find(object) else { return false };
    let kind = snapshot.kind(object_ref.kind);
    let Some(row) = snapshot.row(object_ref) else { return false };
    if entry(name).is_some() {
        return value_of(kind, row.as_ref(), name).is_some();
    }
    match kind.field(name).map(|index| &kind.fields[index]) {
        Some(field) => match field.reference {
            Some(reference) => reference.first(row.as_ref()).is_some(),
            None => (field.get)(row.as_ref()) != (field.get)((kind.blank)().as_ref()),
        },
        None => kind.parts.iter().any(|part| part.field == name && has_part(snapshot, object, part)),
    }
}

/// Returns true if a field or an entry of an object has a value by now.
pub fn has(snapshot: &Snapshot, object: Uuid, name: &str, value: &Json) -> bool {
    let (Some(row), Some(object)) = (snapshot.row_of(object), snapshot.find(object)) else { return false };
    value_of(snapshot.kind(object.kind), row.as_ref(), name).is_some_and(|there| there == *value)
}

/// Returns the map and the key of the name of an entry; `None` for the name of a field.
pub fn entry(name: &str) -> Option<(&str, &str)> {
    name.split_once('.').filter(|(map, _)| MAPS.contains(map))
}

/// Returns the value of a field or an entry.
pub fn value_of(kind: &Description, row: &dyn Row, name: &str) -> Option<Json> {
    let get = |field: &str| kind.field(field).map(|index| (kind.fields[index].get)(row));
    match entry(name) {
        Some((map, key)) => get(map)?.get(key).cloned(),
        None => get(name),
    }
}

/// Returns the part of an object that is an object of its own, if there is one.
fn part_of(snapshot: &Snapshot, whole: Uuid, part: &Part) -> Option<ObjectRef> {
    let name = part.fixed.iter().find(|(field, _)| *field == "name").map(|(_, name)| *name)?;
    let kind = snapshot.registry().named(part.kind)?.id;
    let slot = snapshot.table(kind).by_key(&KeyOf { parent: whole, family: 0, name: name.into() })?;
    Some(ObjectRef { kind, slot })
}

fn has_part(snapshot: &Snapshot, whole: Uuid, part: &Part) -> bool {
    part_of(snapshot, whole, part).is_some()
}

/// Returns the members of an item that stand for objects of their own, which the batch deletes.
fn emptied_parts(
    base: &Snapshot,
    kind: &'static Description,
    whole: Uuid,
    fields: &Fields,
    next: &Snapshot,
) -> impl Iterator<Item = &'static str> {
    let cleared = kind.parts.iter().filter(|part| fields.get(part.field).is_some_and(Json::is_null));
    cleared.filter(move |part| has_part(base, whole, part) && !has_part(next, whole, part)).map(|part| part.field)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_lost_whole_or_in_part() {
        let table = [
            (json!("a"), json!(null), true),
            (json!("a"), json!(" "), true),
            (json!("a"), json!("b"), false),
            (json!([1]), json!([]), true),
            (json!([1, 2]), json!([1]), false),
            (json!({"a": 1}), json!({}), true),
            (json!({"a": 1}), json!({"a": null}), true),
            (json!({"a": 1, "b": 2}), json!({"a": 1}), true),
            (json!({"a": 1, "b": 2}), json!({"a": 1, "c": 2}), false),
            (json!({"a": 1, "b": 2}), json!({"a": 1, "c": 3}), true),
            (json!({"x": {"y": {"p": 1, "q": 2}}}), json!({"x": {"y": {"p": 1}}}), true),
            (json!({"x": {"y": {"p": 1}}}), json!({"x": {"y": {"p": 2}}}), false),
            (json!([{"mac": "a", "ip": "b"}]), json!([{"mac": "a", "ip": null}]), true),
            (json!([{"mac": "a"}, {"mac": "b"}]), json!([{"mac": "c"}]), false),
            (json!({"a": 1}), json!({"a": 2, "b": null}), false),
            (json!(1), json!(0), false),
            (json!(true), json!(false), false),
        ];
        for (before, after, lost) in table {
            assert_eq!(loses(&before, &after), lost, "{before} to {after}");
        }
    }

    #[test]
    fn an_entry_with_another_key_is_not_lost() {
        let table = [
            (json!({"a": "1", "b": "2"}), json!({}), &["m.a", "m.b"][..], 0),
            (json!({"a": "1", "b": "2"}), json!({"c": "1"}), &["m.b"], 0),
            (json!({"a": "1", "b": "1"}), json!({"c": "1"}), &["m.b"], 0),
            (json!({"a": "1"}), json!({"a": "2"}), &[], 1),
            (json!({"a": "1"}), json!({"a": ""}), &["m.a"], 0),
            (json!({"a": {"x": 1}}), json!({"a": {"x": null}}), &["m.a"], 0),
            (json!({"a": ""}), json!({}), &[], 0),
        ];
        for (before, after, lost, replaced) in table {
            let mut taken = Taken { object: Uuid::nil(), kind: "Site", emptied: Vec::new(), replaced: Vec::new() };
            taken.compare_entries("m", &before, &after);
            let emptied: Vec<&str> = taken.emptied.iter().map(String::as_str).collect();
            assert_eq!((&emptied[..], taken.replaced.len()), (lost, replaced), "{before} to {after}");
        }
    }
}
