//! Recognises objects that a source renumbered: it has them still, but under new external ids.

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use underlay_entity::source_item;
use underlay_inventory::{Description, KeyOf, Selector, Snapshot};
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

/// Returns the successors of objects that are gone: items with their key or serial, each for at most one object.
pub fn successors(snapshot: &Snapshot, gone: &[Gone], items: &[source_item::Model]) -> Vec<Successor> {
    let by_holder: HashMap<Uuid, &source_item::Model> =
        items.iter().filter_map(|item| Some((item.holder_id?, item))).collect();
    let by_serial: HashMap<(&str, &str), &source_item::Model> =
        items.iter().filter_map(|item| Some(((item.kind.as_str(), item.serial.as_deref()?), item))).collect();
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

fn serial(snapshot: &Snapshot, gone: &Gone) -> Option<String> {
    let field = &gone.kind.fields[gone.kind.field("serial")?];
    let row = snapshot.row_of(gone.id)?;
    (field.get)(row.as_ref()).as_str().filter(|serial| !serial.is_empty()).map(str::to_owned)
}

/// Returns the object that has the key of an item.
pub fn holder(snapshot: &Snapshot, kind: &'static Description, fields: &Fields, source: &str) -> Option<Uuid> {
    let name = kind.name_of(|member| fields.get(member))?.as_str()?;
    let mut parent = Uuid::nil();
    for (_, field) in kind.parent_fields() {
        let Some(value) = fields.get(field.name).filter(|value| !value.is_null()) else { continue };
        parent = target(snapshot, field.reference?.targets, value, source)?;
        break;
    }
    let families = kind.key.family.map_or(1, |family| family.names.len());
    let keys = (0..families).map(|family| KeyOf { parent, family: family as u8, name: name.into() });
    let slot = keys.into_iter().find_map(|key| snapshot.table(kind.id).by_key(&key))?;
    let object = underlay_inventory::ObjectRef { kind: kind.id, slot };
    snapshot.row(object).map(|row| row.common().id)
}

/// Returns the object that a reference in an item names.
fn target(snapshot: &Snapshot, targets: &[&str], value: &Json, source: &str) -> Option<Uuid> {
    let (kind, value) = match targets {
        [kind] => (snapshot.registry().named(kind)?, value),
        _ => {
            let (member, value) = value.as_object()?.iter().next()?;
            (snapshot.registry().named(member)?, value)
        }
    };
    let selector = Selector::parse(kind, "ref", value, Some(source)).ok()?;
    let object = snapshot.select(kind, "ref", &selector).ok()??;
    snapshot.row(object).map(|row| row.common().id)
}
