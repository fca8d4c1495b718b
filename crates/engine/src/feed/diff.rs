//! Computes the diff between two revisions from the change records between them, object by object.
//!
//! Guarantees: an object that was created and deleted in between yields no difference, and neither does a field that
//! was changed back.

use std::collections::HashMap;

use serde_json::Value as Json;
use underlay_entity::change::{self, Operation};
use underlay_entity::common::Managers;
use uuid::Uuid;

use super::record::{self, CREATED_AT, FORMAT, Fields, MANAGERS, OBSERVED_VERSION, RecordError, UPDATED_AT, VERSION};
use underlay_inventory::{Description, KindId, Registry};

/// The difference in one object between two revisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the object's kind.
    pub kind: &'static str,
    /// The id of the object.
    pub object: Uuid,
    /// The name of the object at the second revision. If the object does not exist there, its name at the first.
    pub name: String,
    /// The fields that differ, with their values at the first revision. All fields if the object does not exist at the
    /// second revision. `None` if it does not exist at the first.
    pub before: Option<Fields>,
    /// The fields that differ, with their values at the second revision. The rules of `before` apply with the
    /// revisions swapped.
    pub after: Option<Fields>,
}

impl Difference {
    /// Returns the operation that turns the object's state at the first revision into that at the second.
    pub fn operation(&self) -> Operation {
        match (&self.before, &self.after) {
            (None, _) => Operation::Created,
            (Some(_), None) => Operation::Deleted,
            (Some(_), Some(_)) => Operation::Updated,
        }
    }

    /// Returns the difference in the opposite direction.
    pub fn reversed(self) -> Self {
        Self { before: self.after, after: self.before, ..self }.named()
    }

    /// Sets the name to that at the second revision, if the fields contain it. If they do not, the name never changed.
    fn named(mut self) -> Self {
        let fields = self.after.as_ref().or(self.before.as_ref());
        if let Some(name) = fields.and_then(|fields| fields.get(NAME)).and_then(Json::as_str) {
            self.name = name.to_owned();
        }
        self
    }
}

/// The field that holds the name of an object.
const NAME: &str = "name";

/// The state of an object at one of the two revisions, as far as the records hold it.
#[derive(Debug)]
enum Side {
    /// The object does not exist.
    Absent,
    /// The fields that some record contains. The other fields are equal at both revisions.
    Part(Fields),
    /// All fields of the object that are not empty.
    Whole(Fields),
}

#[derive(Debug)]
struct Sides {
    kind: &'static Description,
    name: String,
    before: Side,
    after: Side,
}

/// A diff in the making, to which records are added from the oldest to the newest.
#[derive(Debug, Default)]
pub struct Diff {
    // An id can be reused by an object of another kind. Those are two objects.
    objects: HashMap<(KindId, Uuid), Sides>,
}

impl Diff {
    /// Adds the next record of an object.
    ///
    /// # Errors
    /// Returns an error if the record has a kind or format that this version does not know, or if it does not follow
    /// the previous record of the object.
    pub fn add(&mut self, registry: &Registry, record: &change::Model) -> Result<(), RecordError> {
        if record.format != FORMAT {
            return Err(RecordError::Format { revision: record.revision, format: record.format });
        }
        let kind = registry.named(&record.kind);
        let kind = kind.ok_or_else(|| RecordError::Kind { revision: record.revision, kind: record.kind.clone() })?;
        let content = |what: String| RecordError::Content {
            revision: record.revision,
            kind: kind.name,
            object: record.object_id,
            what,
        };
        let read = |fields: Option<&str>| fields.map(serde_json::from_str::<Fields>).transpose();
        let before = read(record.before.as_deref()).map_err(|error| content(error.to_string()))?;
        let after = read(record.after.as_deref()).map_err(|error| content(error.to_string()))?;
        let known = self.objects.remove(&(kind.id, record.object_id));
        let (first, last) = match known {
            Some(known) => (Some(known.before), Some(known.after)),
            None => (None, None),
        };
        let (before, after) = match (record.operation, before, after) {
            (Operation::Created, None, Some(after)) => {
                if !matches!(last, None | Some(Side::Absent)) {
                    return Err(content("created, but it already exists".to_owned()));
                }
                (first.unwrap_or(Side::Absent), Side::Whole(after))
            }
            (Operation::Updated, Some(before), Some(after)) => {
                let last = changed(last, after).ok_or_else(|| content("changed, but it does not exist".to_owned()))?;
                (first_seen(first, before), last)
            }
            (Operation::Deleted, Some(before), None) => (whole(first, before), Side::Absent),
            _ => return Err(content("fields that do not fit the operation".to_owned())),
        };
        let sides = Sides { kind, name: record.name.clone(), before, after };
        self.objects.insert((kind.id, record.object_id), sides);
        Ok(())
    }

    /// Returns the remaining differences, in any order.
    ///
    /// # Errors
    /// Returns an error if a field holds a value that this version cannot read.
    pub fn differences(self) -> Result<Vec<Difference>, RecordError> {
        let mut differences = Vec::new();
        for ((_, object), sides) in self.objects {
            let (kind, name) = (sides.kind, sides.name);
            let unreadable = |what| RecordError::Content { revision: 0, kind: kind.name, object, what };
            let (before, after) = match (sides.before, sides.after) {
                (Side::Absent, Side::Whole(after)) => (None, Some(without_empty(after))),
                (Side::Whole(before), Side::Absent) => (Some(without_empty(before)), None),
                (Side::Part(before), Side::Part(after)) => match differing(before, after).map_err(unreadable)? {
                    Some((before, after)) => (Some(before), Some(after)),
                    None => continue,
                },
                // The object was deleted and created again under the same id.
                (Side::Whole(before), Side::Whole(after)) => {
                    match record::differing(kind, &before, &after).map_err(unreadable)? {
                        Some((before, after)) => (Some(before), Some(after)),
                        None => continue,
                    }
                }
                // The object was created and deleted again.
                _ => continue,
            };
            differences.push(Difference { kind: kind.name, object, name, before, after }.named());
        }
        Ok(differences)
    }
}

/// Returns the known state at the first revision after an update. An update adds the fields that no earlier change
/// contained.
fn first_seen(first: Option<Side>, before: Fields) -> Side {
    match first {
        None => Side::Part(before),
        Some(Side::Part(mut fields)) => {
            for (name, value) in before {
                fields.entry(name).or_insert(value);
            }
            Side::Part(fields)
        }
        Some(first) => first,
    }
}

/// Returns the known state at the second revision after an update, or `None` if the object did not exist.
fn changed(last: Option<Side>, after: Fields) -> Option<Side> {
    match last {
        None => Some(Side::Part(after)),
        Some(Side::Absent) => None,
        Some(Side::Part(mut fields)) => {
            fields.extend(after);
            Some(Side::Part(fields))
        }
        Some(Side::Whole(mut fields)) => {
            fields.extend(after);
            Some(Side::Whole(fields))
        }
    }
}

/// Returns the known state at the first revision after a deletion, whose record contains all fields.
fn whole(first: Option<Side>, mut before: Fields) -> Side {
    match first {
        None => Side::Whole(before),
        Some(Side::Part(fields)) => {
            before.extend(fields);
            Side::Whole(before)
        }
        Some(first) => first,
    }
}

/// Removes the fields that are empty.
fn without_empty(mut fields: Fields) -> Fields {
    fields.retain(|_, value| match value {
        Json::Null => false,
        Json::Array(list) => !list.is_empty(),
        Json::Object(members) => !members.is_empty(),
        _ => true,
    });
    fields
}

/// Returns the fields that differ, or `None` if only times differ.
fn differing(mut before: Fields, mut after: Fields) -> Result<Option<(Fields, Fields)>, String> {
    let (mut equal, mut differs) = (Vec::new(), false);
    for (name, value) in &before {
        let other = after.get(name).unwrap_or(&Json::Null);
        let same = match name.as_str() {
            MANAGERS => same_holders(value, other)?,
            _ => value == other,
        };
        differs |= !same && ![VERSION, OBSERVED_VERSION, CREATED_AT, UPDATED_AT].contains(&name.as_str());
        if same {
            equal.push(name.clone());
        }
    }
    if !differs {
        return Ok(None);
    }
    for name in equal {
        before.remove(&name);
        after.remove(&name);
    }
    Ok(Some((before, after)))
}

fn same_holders(before: &Json, after: &Json) -> Result<bool, String> {
    let read = |managers: &Json| serde_json::from_value::<Managers>(managers.clone()).map_err(|it| it.to_string());
    Ok(record::holders(&read(before)?) == record::holders(&read(after)?))
}
