//! An object as an item that writes it: its fields under the names that `apply` takes.
//!
//! Guarantees: what comes out is accepted by `apply` and changes nothing; fields stand in the order of the kind's
//! description; what holds its default is left out, unless it is required.

use async_graphql::Enum;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use underlay_entity::row::Row;
use underlay_inventory::{Description, Field, ObjectRef, Part, ReferenceId, Selector, Snapshot};

/// How far up the parents of an object its key reaches: as far as references are looked up.
const DEEPEST: usize = 8;

/// How an item names objects: its own, and those that it refers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum ItemReferences {
    /// By keys, as people write them; by id where a key does not tell the object from others. The ends of a circuit
    /// are parts of its item. The default.
    #[default]
    Key,
    /// By ids; the item has its own id too. What can be a part of an item is an item of its own.
    Id,
}

/// The object at a place as the fields of an item; `None` where there is no object.
pub fn item(snapshot: &Snapshot, place: ObjectRef, references: ItemReferences) -> Option<Map<String, Json>> {
    let row = snapshot.row(place)?.as_ref();
    let kind = snapshot.kind(place.kind);
    let mut item = Map::new();
    if references == ItemReferences::Id || !is_told_by_key(snapshot, place, kind, row) {
        item.insert("id".to_owned(), row.common().id.to_string().into());
    }
    let blank = (kind.blank)();
    let written = kind.fields.iter().filter(|field| field.required || !(field.same)(row, blank.as_ref()));
    for field in written {
        item.insert(field.name.to_owned(), named(snapshot, field, (field.get)(row), references));
    }
    if references == ItemReferences::Key {
        let parts =
            kind.parts.iter().filter_map(|part| Some((part.field.to_owned(), self::part(snapshot, place, part)?)));
        item.extend(parts);
    }
    Some(item)
}

/// The value of a field as an item gives it: with the objects that it refers to named in the form that is asked for.
pub fn named(snapshot: &Snapshot, field: &Field, value: Json, references: ItemReferences) -> Json {
    match field.reference {
        Some(reference) => reference.form.replace(value, &|id| Some(name(snapshot, id, references))),
        None => value,
    }
}

/// A reference to the object with an id.
fn name(snapshot: &Snapshot, id: Json, references: ItemReferences) -> Json {
    let by_key = match references {
        ItemReferences::Key => id.as_str().and_then(|id| Uuid::parse_str(id).ok()).and_then(|id| key(snapshot, id)),
        ItemReferences::Id => None,
    };
    by_key.unwrap_or_else(|| Json::Object(Map::from_iter([("id".to_owned(), id)])))
}

/// A reference by key with all parents that a reference may name; `None` where it leads to several objects.
fn key(snapshot: &Snapshot, id: Uuid) -> Option<Json> {
    let place = snapshot.find(id)?;
    let kind = snapshot.kind(place.kind);
    let row = snapshot.row(place)?;
    let mut parents = Vec::new();
    let mut beneath = Some((kind, row));
    for _ in 0..DEEPEST {
        let Some((kind, row)) = beneath else { break };
        beneath = parent(snapshot, kind, row.as_ref()).map(|(field, parent, row)| {
            // A member stands for the nearest parent of that name.
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
    (found == place).then(|| members.map(|(member, name)| (member, Json::String(name))).collect())
}

/// The parent of a row, with the field that holds it.
fn parent<'a>(
    snapshot: &'a Snapshot,
    kind: &'static Description,
    row: &dyn Row,
) -> Option<(&'static Field, &'static Description, &'a std::sync::Arc<dyn Row>)> {
    let (field, id) = kind.parent_fields().find_map(|(_, field)| Some((field, field.reference?.first(row)?)))?;
    let place = snapshot.find(id)?;
    Some((field, snapshot.kind(place.kind), snapshot.row(place)?))
}

/// Whether an item with the name and the parent of an object finds the object and no other.
fn is_told_by_key(snapshot: &Snapshot, place: ObjectRef, kind: &'static Description, row: &dyn Row) -> bool {
    // The kinds without parents and the objects beneath a parent have whole keys, which are unique.
    if kind.key.parents.is_empty() || kind.parent(row).is_some() {
        return true;
    }
    let selector = Selector { name: Some(row.common().name.to_owned()), ..Selector::default() };
    matches!(snapshot.select(kind, "name", &selector), Ok(Some(found)) if found == place)
}

/// A part of an item that is an object of its own; `None` where there is no such object.
fn part(snapshot: &Snapshot, whole: ObjectRef, part: &Part) -> Option<Json> {
    let kind = snapshot.registry().named(part.kind)?;
    let by = ReferenceId { kind: kind.id, field: u8::try_from(kind.field(part.whole)?).ok()? };
    let fixed: Vec<(&Field, &str)> =
        part.fixed.iter().filter_map(|(name, value)| Some((&kind.fields[kind.field(name)?], *value))).collect();
    let mut rows = snapshot.incoming(whole).by(by).filter_map(|place| snapshot.row(place));
    let row = rows.find(|row| fixed.iter().all(|(field, value)| (field.get)(row.as_ref()) == **value))?;
    let blank = (kind.blank)();
    let fields = part.replaced.iter().filter_map(|name| kind.field(name)).map(|place| &kind.fields[place]);
    let given = fields.filter(|field| !(field.same)(row.as_ref(), blank.as_ref()));
    Some(
        given
            .map(|field| {
                (field.name.to_owned(), named(snapshot, field, (field.get)(row.as_ref()), ItemReferences::Key))
            })
            .collect(),
    )
}
