//! What is left of many changes: the difference that the records between two revisions make in the end, object by
//! object. What was made and removed between, or changed and changed back, is no difference.

use std::collections::HashMap;

use serde_json::Value as Json;
use underlay_entity::change::{self, Operation};
use underlay_entity::common::Managers;
use uuid::Uuid;

use super::record::{self, CREATED_AT, FORMAT, Fields, MANAGERS, RecordError, UPDATED_AT, VERSION};
use crate::inventory::{Description, KindId, Registry};

/// The difference in one object between two revisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The kind of the object.
    pub kind: &'static str,
    /// The id of the object.
    pub object: Uuid,
    /// What it is called at the second revision; where it is not there then, at the first.
    pub name: String,
    /// The fields that differ, as they are at the first revision; all of them when it is not there at the second;
    /// `None` when it is not there at the first.
    pub before: Option<Fields>,
    /// The same of the second revision.
    pub after: Option<Fields>,
}

impl Difference {
    /// What has to be done to the object to come from the first revision to the second.
    pub fn operation(&self) -> Operation {
        match (&self.before, &self.after) {
            (None, _) => Operation::Created,
            (Some(_), None) => Operation::Deleted,
            (Some(_), Some(_)) => Operation::Updated,
        }
    }

    /// The difference the other way round.
    pub fn reversed(self) -> Self {
        Self { before: self.after, after: self.before, ..self }.named()
    }

    /// The same with the name that it has at the second revision, where its fields tell: else it never changed.
    fn named(mut self) -> Self {
        let fields = self.after.as_ref().or(self.before.as_ref());
        if let Some(name) = fields.and_then(|fields| fields.get(NAME)).and_then(Json::as_str) {
            self.name = name.to_owned();
        }
        self
    }
}

/// The field with what an object is called.
const NAME: &str = "name";

/// An object at one of the two revisions, as far as the records tell.
#[derive(Debug)]
enum Side {
    /// It is not there.
    Absent,
    /// The fields that some record speaks of. It has others, which are the same at both revisions.
    Part(Fields),
    /// All its fields that hold something.
    Whole(Fields),
}

#[derive(Debug)]
struct Sides {
    kind: &'static Description,
    name: String,
    before: Side,
    after: Side,
}

/// Records that are put together, from the oldest to the newest.
#[derive(Debug, Default)]
pub struct Net {
    // An id that was free again may have gone to another kind: these are two objects.
    objects: HashMap<(KindId, Uuid), Sides>,
}

impl Net {
    /// Adds the next record of an object.
    ///
    /// # Errors
    /// When the record is of a kind or a format that this version does not know, or does not follow on the one before.
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
                    return Err(content("made, and it is there".to_owned()));
                }
                (first.unwrap_or(Side::Absent), Side::Whole(after))
            }
            (Operation::Updated, Some(before), Some(after)) => {
                let last = changed(last, after).ok_or_else(|| content("changed, and it is not there".to_owned()))?;
                (first_seen(first, before), last)
            }
            (Operation::Deleted, Some(before), None) => (whole(first, before), Side::Absent),
            _ => return Err(content("fields that do not fit what was done".to_owned())),
        };
        let sides = Sides { kind, name: record.name.clone(), before, after };
        self.objects.insert((kind.id, record.object_id), sides);
        Ok(())
    }

    /// The differences that are left, in any order.
    ///
    /// # Errors
    /// When a field holds what this version cannot read.
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
                // It was removed and made again under its id.
                (Side::Whole(before), Side::Whole(after)) => {
                    match record::differing(kind, &before, &after).map_err(unreadable)? {
                        Some((before, after)) => (Some(before), Some(after)),
                        None => continue,
                    }
                }
                // It came and went.
                _ => continue,
            };
            differences.push(Difference { kind: kind.name, object, name, before, after }.named());
        }
        Ok(differences)
    }
}

/// What is known of the first revision after a change to fields: those that no change has spoken of before.
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

/// What is known of the last revision after a change to fields.
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

/// What is known of the first revision after all fields were shown when the object was removed.
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

/// The fields that hold something.
fn without_empty(mut fields: Fields) -> Fields {
    fields.retain(|_, value| match value {
        Json::Null => false,
        Json::Array(list) => !list.is_empty(),
        Json::Object(members) => !members.is_empty(),
        _ => true,
    });
    fields
}

/// The fields that differ, unless it is only the times.
fn differing(mut before: Fields, mut after: Fields) -> Result<Option<(Fields, Fields)>, String> {
    let (mut equal, mut differs) = (Vec::new(), false);
    for (name, value) in &before {
        let other = after.get(name).unwrap_or(&Json::Null);
        let same = match name.as_str() {
            MANAGERS => same_holders(value, other)?,
            _ => value == other,
        };
        differs |= !same && ![VERSION, CREATED_AT, UPDATED_AT].contains(&name.as_str());
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
