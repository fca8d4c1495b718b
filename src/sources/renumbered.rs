//! Recognises objects that a source renumbered: it has them still, but under new external ids.

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use underlay_entity::source_item;
use underlay_inventory::{Description, Field, KeyOf, ObjectRef, Selector, Snapshot};
use uuid::Uuid;

use super::gone::Gone;
use crate::write::Fields;

/// The new identity of an object that is gone under its old one.
#[derive(Clone, Debug)]
pub struct Successor {
    /// The object with the old external id.
    pub object: Uuid,
    pub kind: &'static Description,
    /// The new external id.
    pub external_id: String,
    /// The object that was created under the new external id, if one was.
    pub created: Option<Uuid>,
}

/// Returns the successors of objects that are gone: items that take their place or have their serial, each for at most
/// one object. An item under an id that the source has for another object is none, for example one that is renamed to
/// the name of an object that is gone.
pub fn successors(snapshot: &Snapshot, source: &str, gone: &[Gone], items: &[source_item::Model]) -> Vec<Successor> {
    let items = || items.iter().filter(|item| is_new(snapshot, source, item));
    let by_holder: HashMap<Uuid, &source_item::Model> =
        items().filter_map(|item| Some((item.holder_id?, item))).collect();
    let by_serial: HashMap<(&str, &str), &source_item::Model> =
        items().filter_map(|item| Some(((item.kind.as_str(), item.serial.as_deref()?), item))).collect();
    let mut taken = HashSet::new();
    let mut found = Vec::new();
    for gone in gone {
        let serial = serial(snapshot, gone);
        let same = by_holder.get(&gone.id).filter(|item| item.kind == gone.kind.name);
        let same = same.or_else(|| by_serial.get(&(gone.kind.name, serial.as_deref()?)));
        let Some(item) = same.filter(|item| taken.insert((item.kind.as_str(), item.external_id.as_str()))) else {
            continue;
        };
        found.push(Successor {
            object: gone.id,
            kind: gone.kind,
            external_id: item.external_id.clone(),
            created: item.created_id.filter(|created| *created != gone.id),
        });
    }
    found
}

/// Returns whether an item has an external id that no object had before its run.
fn is_new(snapshot: &Snapshot, source: &str, item: &source_item::Model) -> bool {
    let object = |kind: &Description| snapshot.table(kind.id).by_external(source, &item.external_id);
    item.created_id.is_some() || snapshot.registry().named(&item.kind).and_then(object).is_none()
}

fn serial(snapshot: &Snapshot, gone: &Gone) -> Option<String> {
    let field = &gone.kind.fields[gone.kind.field("serial")?];
    let row = snapshot.row_of(gone.id)?;
    (field.get)(row.as_ref()).as_str().filter(|serial| !serial.is_empty()).map(str::to_owned)
}

/// Returns the object whose place an item takes: the one that has its key, at the parent in the item, or where what the
/// item refers to is now. A rack that is replaced in a location which moves to another site is refused there, because
/// the old rack keeps the location where it was.
pub fn holder(snapshot: &Snapshot, kind: &'static Description, fields: &Fields, source: &str) -> Option<Uuid> {
    let name = kind.name_of(|member| fields.get(member))?.as_str()?;
    let families = kind.key.family.map_or(1, |family| family.names.len());
    let keys = |parent| (0..families).map(move |family| KeyOf { parent, family: family as u8, name: name.into() });
    let table = snapshot.table(kind.id);
    let slot = parents(snapshot, kind, fields, source).into_iter().flat_map(keys).find_map(|key| table.by_key(&key))?;
    let object = ObjectRef { kind: kind.id, slot };
    snapshot.row(object).map(|row| row.common().id)
}

/// Returns the objects that may be the parent of what an item stands for, the one in the item first.
fn parents(snapshot: &Snapshot, kind: &'static Description, fields: &Fields, source: &str) -> Vec<Uuid> {
    let named = |field: &Field| {
        let value = fields.get(field.name).filter(|value| !value.is_null())?;
        Some(target(snapshot, field.reference?.targets, value, source))
    };
    let own = match kind.parent_fields().find_map(|(_, field)| named(field)) {
        None => Some(Uuid::nil()),
        Some(target) => target.and_then(|object| snapshot.row(object)).map(|row| row.common().id),
    };
    let mut parents = Vec::from_iter(own);
    for object in kind.references().filter_map(|(_, field)| named(field)?) {
        let (there, Some(row)) = (snapshot.kind(object.kind), snapshot.row(object)) else { continue };
        let same = kind.parent_fields().filter_map(|(_, field)| there.field(field.name));
        parents.extend(same.filter_map(|index| there.fields[index].reference?.first(row.as_ref())));
    }
    parents
}

/// Returns the object that a reference in an item names.
fn target(snapshot: &Snapshot, targets: &[&str], value: &Json, source: &str) -> Option<ObjectRef> {
    let (kind, value) = match targets {
        [kind] => (snapshot.registry().named(kind)?, value),
        _ => {
            let (member, value) = value.as_object()?.iter().next()?;
            (snapshot.registry().named(member)?, value)
        }
    };
    let selector = Selector::parse(kind, "ref", value, Some(source)).ok()?;
    snapshot.select(kind, "ref", &selector).ok()?
}
