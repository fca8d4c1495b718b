//! Puts back what a retired object gave up, when its source has the object again. The item of the source wins; what the
//! item leaves open comes from the attribute in which the retirement kept it.

use serde_json::{Map, Value as Json};
use underlay_entity::row::Row;
use underlay_inventory::{Description, Snapshot};
use uuid::Uuid;

use crate::write::{Fields, Item};

/// The attribute in which a retired object keeps what it gave up.
pub const RETIRED_FROM: &str = "retiredFrom";
/// The members of that attribute that are no fields.
pub const SOURCE: &str = "source";
pub const AT_MEMBER: &str = "at";

/// Returns what a row keeps, if this source retired it.
pub fn kept<'a>(row: &'a dyn Row, source: &str) -> Option<&'a Map<String, Json>> {
    let kept = row.common().attributes.0.get(RETIRED_FROM)?.as_object()?;
    (kept.get(SOURCE).and_then(Json::as_str) == Some(source)).then_some(kept)
}

/// Completes the items of retired objects; returns `None` if there are none.
pub fn complete(snapshot: &Snapshot, source: &str, items: &[Item]) -> Option<Vec<Item>> {
    let mut completed: Option<Vec<Item>> = None;
    for (at, item) in items.iter().enumerate() {
        let Item::Write { kind, fields, .. } = item else { continue };
        let Some(external_id) = fields.get("externalId").and_then(Json::as_str) else { continue };
        let Some(slot) = snapshot.table(kind.id).by_external(source, external_id) else { continue };
        let object = underlay_inventory::ObjectRef { kind: kind.id, slot };
        let Some(kept) = snapshot.row(object).and_then(|row| kept(row.as_ref(), source)) else { continue };
        let completed = completed.get_or_insert_with(|| items.to_vec());
        if let Item::Write { fields, .. } = &mut completed[at] {
            put_back(snapshot, kind, kept, fields);
        }
    }
    completed
}

fn put_back(snapshot: &Snapshot, kind: &'static Description, kept: &Map<String, Json>, fields: &mut Fields) {
    for (name, value) in kept {
        let Some(field) = kind.field(name).map(|index| &kind.fields[index]) else { continue };
        if fields.has(field.name) {
            continue;
        }
        let value = match field.reference {
            None => value.clone(),
            // An object that it referred to may no longer exist.
            Some(reference) => reference.form.replace(value.clone(), &|id| is_there(snapshot, &id).then_some(id)),
        };
        if !value.is_null() {
            fields.set(field.name, value);
        }
    }
    let mut attributes = match fields.take("attributes") {
        Some(Json::Object(attributes)) => attributes,
        // Null clears all attributes. Anything else is refused when the item is planned.
        Some(other) => return fields.set("attributes", other),
        None => Map::new(),
    };
    attributes.insert(RETIRED_FROM.to_owned(), Json::Null);
    fields.set("attributes", attributes.into());
}

fn is_there(snapshot: &Snapshot, id: &Json) -> bool {
    id.as_str().and_then(|id| Uuid::parse_str(id).ok()).is_some_and(|id| snapshot.find(id).is_some())
}
