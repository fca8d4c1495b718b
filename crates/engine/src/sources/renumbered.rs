//! Recognises objects that a source renumbered: it has them still, but under new external ids.

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use underlay_entity::source_item;
use underlay_inventory::{Description, Field, KeyOf, ObjectRef, Selector, Snapshot};
use uuid::Uuid;

use super::missing::Gone;
use crate::write::Fields;

/// The greatest depth to which objects contain others with a new id.
const MAX_LEVELS: usize = 8;

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
    /// False if it is known by the object that contains it: its item refers to one with a new id, by its new id.
    pub by_itself: bool,
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
            by_itself: true,
        });
    }
    let items: Vec<_> = items().filter(|item| item.holder_id.is_none() && item.created_id.is_none()).collect();
    add_contained(snapshot, gone, &items, &mut found);
    found
}

/// Adds what is contained in the successors that were found: items that name the new id of the object that contains
/// them, and are called as one there is.
fn add_contained(snapshot: &Snapshot, gone: &[Gone], items: &[&source_item::Model], found: &mut Vec<Successor>) {
    let gone: HashMap<Uuid, &Gone> = gone.iter().map(|gone| (gone.id, gone)).collect();
    let mut taken: HashSet<Uuid> = found.iter().map(|successor| successor.object).collect();
    let mut next = 0;
    for _ in 0..MAX_LEVELS {
        let parents: HashMap<(&str, &str), Uuid> =
            found[next..].iter().map(|it| ((it.kind.name, it.external_id.as_str()), it.object)).collect();
        next = found.len();
        let contained = items.iter().filter_map(|item| {
            let kind = snapshot.registry().named(&item.kind)?;
            let (parent, name) = (item.parent_external_id.as_deref()?, item.name.as_deref()?);
            let targets = kind.parent_fields().filter_map(|(_, field)| field.reference).flat_map(|it| it.targets);
            let parent = targets.filter_map(|target| parents.get(&(*target, parent))).next()?;
            let object = keys(kind, *parent, name).find_map(|key| snapshot.table(kind.id).by_key(&key))?;
            let object = snapshot.row(ObjectRef { kind: kind.id, slot: object })?.common().id;
            let gone = gone.get(&object).filter(|_| taken.insert(object))?;
            let external_id = item.external_id.clone();
            Some(Successor { object, kind: gone.kind, external_id, created: None, by_itself: false })
        });
        let contained: Vec<Successor> = contained.collect();
        if contained.is_empty() {
            break;
        }
        found.extend(contained);
    }
}

/// Returns the keys that an object with a name can have in another one.
fn keys(kind: &'static Description, parent: Uuid, name: &str) -> impl Iterator<Item = KeyOf> {
    let families = kind.key.family.map_or(1, |family| family.names.len());
    (0..families).map(move |family| KeyOf { parent, family: family as u8, name: name.into() })
}

/// Returns the external id of the object that contains what an item stands for, if the source has it and the snapshot
/// does not, and the name of the item.
pub fn unknown_parent(
    snapshot: &Snapshot,
    kind: &'static Description,
    fields: &Fields,
    source: &str,
) -> Option<(String, String)> {
    let name = kind.name_of(|member| fields.get(member))?.as_str()?;
    kind.parent_fields().find_map(|(_, field)| {
        let value = fields.get(field.name)?.as_object()?;
        let of_other = value.get("source").is_some_and(|of| of.as_str() != Some(source));
        let external_id = value.get("externalId").and_then(Json::as_str).filter(|_| !of_other)?;
        let targets = field.reference?.targets.iter().filter_map(|target| snapshot.registry().named(target));
        let is_known = |kind: &Description| snapshot.table(kind.id).by_external(source, external_id).is_some();
        let is_unknown = !targets.into_iter().any(is_known);
        is_unknown.then(|| (external_id.to_owned(), name.to_owned()))
    })
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
    let table = snapshot.table(kind.id);
    let parents = parents(snapshot, kind, fields, source).into_iter();
    let slot = parents.flat_map(|parent| keys(kind, parent, name)).find_map(|key| table.by_key(&key))?;
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
