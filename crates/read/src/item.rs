//! Writes an object as an item, with its fields under the names that `apply` takes.
//!
//! Guarantees: `apply` accepts the item, and it changes nothing. The fields are in the order of the kind's description.
//! A field that has its default is left out, unless it is required, and so is a field that only the server sets.

use async_graphql::Enum;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use underlay_entity::row::Row;
use underlay_inventory::{Description, Field, ObjectRef, Part, ReferenceId, Selector, Snapshot};

/// The maximum number of parents in a key, which is that of the lookup of references.
const MAX_KEY_PARENTS: usize = 8;

/// The form in which an item names objects: its own, and the targets of its references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum ItemReferences {
    /// By keys, as people write them, or by id if the key matches several objects. The ends of a circuit are parts of
    /// its item. The default.
    #[default]
    Key,
    /// By ids. The item contains its own id too. An object that could be a part of an item is an item of its own.
    Id,
}

/// Returns an object as the fields of an item; `None` if it does not exist.
pub fn item(snapshot: &Snapshot, object: ObjectRef, references: ItemReferences) -> Option<Map<String, Json>> {
    let row = snapshot.row(object)?.as_ref();
    let kind = snapshot.kind(object.kind);
    let mut item = Map::new();
    if references == ItemReferences::Id || !is_unique_by_key(snapshot, object, kind, row) {
        item.insert("id".to_owned(), row.common().id.to_string().into());
    }
    let blank = (kind.blank)();
    let written = kind.fields.iter().filter(|field| field.is_in_items());
    let written = written.filter(|field| field.required || !(field.same)(row, blank.as_ref()));
    for field in written {
        item.insert(field.name.to_owned(), named(snapshot, field, (field.get)(row), references));
    }
    if references == ItemReferences::Key {
        let parts =
            kind.parts.iter().filter_map(|part| Some((part.field.to_owned(), self::part(snapshot, object, part)?)));
        item.extend(parts);
    }
    Some(item)
}

/// Returns the value of a field in the form of an item, with the targets of references in the requested form.
pub fn named(snapshot: &Snapshot, field: &Field, value: Json, references: ItemReferences) -> Json {
    match field.reference {
        Some(reference) => reference.form.replace(value, &|id| Some(name(snapshot, id, references))),
        None => value,
    }
}

/// Returns a reference to the object with an id.
fn name(snapshot: &Snapshot, id: Json, references: ItemReferences) -> Json {
    let by_key = match references {
        ItemReferences::Key => id.as_str().and_then(|id| Uuid::parse_str(id).ok()).and_then(|id| key(snapshot, id)),
        ItemReferences::Id => None,
    };
    by_key.unwrap_or_else(|| Json::Object(Map::from_iter([("id".to_owned(), id)])))
}

/// Returns a reference by key with all parents that a reference may name; `None` if it matches several objects.
fn key(snapshot: &Snapshot, id: Uuid) -> Option<Json> {
    let object = snapshot.find(id)?;
    let kind = snapshot.kind(object.kind);
    let row = snapshot.row(object)?;
    let mut parents = Vec::new();
    let mut beneath = Some((kind, row));
    for _ in 0..MAX_KEY_PARENTS {
        let Some((kind, row)) = beneath else { break };
        beneath = parent(snapshot, kind, row.as_ref()).map(|(field, parent, row)| {
            // A member means the nearest parent with that name.
            if !parents.iter().any(|(member, _)| member == field.name) {
                parents.push((field.name.to_owned(), row.common().name.to_owned()));
            }
            (parent, row)
        });
    }
    parents.reverse();
    if let Some(family) = kind.key.family {
        let of = family.names.get(usize::from((family.of)(row.as_ref())))?;
        parents.push((family.member.to_owned(), (*of).to_owned()));
    }
    let name = row.common().name.to_owned();
    let selector = Selector { name: Some(name.clone()), parents, ..Selector::default() };
    let found = snapshot.select(kind, kind.singular, &selector).ok()??;
    let members = selector.parents.into_iter().chain([(kind.key.name_member.to_owned(), name)]);
    (found == object).then(|| members.map(|(member, name)| (member, Json::String(name))).collect())
}

/// Returns the parent of a row, with the field that holds it.
fn parent<'a>(
    snapshot: &'a Snapshot,
    kind: &'static Description,
    row: &dyn Row,
) -> Option<(&'static Field, &'static Description, &'a std::sync::Arc<dyn Row>)> {
    let (field, id) = kind.parent_fields().find_map(|(_, field)| Some((field, field.reference?.first(row)?)))?;
    let object = snapshot.find(id)?;
    Some((field, snapshot.kind(object.kind), snapshot.row(object)?))
}

/// Returns true if the name and the parent of an object identify it alone.
fn is_unique_by_key(snapshot: &Snapshot, object: ObjectRef, kind: &'static Description, row: &dyn Row) -> bool {
    // Kinds without parents, and objects with a parent, have complete keys, which are unique.
    if kind.key.parents.is_empty() || kind.parent(row).is_some() {
        return true;
    }
    let selector = Selector { name: Some(row.common().name.to_owned()), ..Selector::default() };
    matches!(snapshot.select(kind, "name", &selector), Ok(Some(found)) if found == object)
}

/// Returns a part of an item that is an object of its own; `None` if there is no such object.
fn part(snapshot: &Snapshot, whole: ObjectRef, part: &Part) -> Option<Json> {
    let kind = snapshot.registry().named(part.kind)?;
    let by = ReferenceId { kind: kind.id, field: u8::try_from(kind.field(part.whole)?).ok()? };
    let fixed: Vec<(&Field, &str)> =
        part.fixed.iter().filter_map(|(name, value)| Some((&kind.fields[kind.field(name)?], *value))).collect();
    let mut rows = snapshot.incoming(whole).by(by).filter_map(|object| snapshot.row(object));
    let row = rows.find(|row| fixed.iter().all(|(field, value)| (field.get)(row.as_ref()) == **value))?;
    let blank = (kind.blank)();
    let fields = part.replaced.iter().filter_map(|name| kind.field(name)).map(|index| &kind.fields[index]);
    let set = fields.filter(|field| !(field.same)(row.as_ref(), blank.as_ref()));
    Some(
        set.map(|field| {
            (field.name.to_owned(), named(snapshot, field, (field.get)(row.as_ref()), ItemReferences::Key))
        })
        .collect(),
    )
}
