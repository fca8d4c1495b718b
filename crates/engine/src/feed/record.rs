//! Writes and applies change records. For each object that a batch touched, a record holds the fields that differ,
//! before and after the change.
//!
//! Guarantees: replication needs only the records to take over a batch, and each change can be undone.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use thiserror::Error;
use underlay_entity::change::{self, Operation};
use underlay_entity::common::Managers;
use uuid::Uuid;

use super::json_writer::JsonWriter;
use crate::runtime::parallel;
use underlay_entity::row::{Row, Shared};
use underlay_inventory::{Description, Draft, ObjectRef, Snapshot};

/// The format version of the records. Each record carries it.
pub const FORMAT: i16 = 1;

/// Names under which records store columns that are not fields. No field has one of these names.
pub(super) const VERSION: &str = "version";
pub(super) const OBSERVED_VERSION: &str = "observedVersion";
pub(super) const CREATED_AT: &str = "createdAt";
pub(super) const UPDATED_AT: &str = "updatedAt";
pub(super) const MANAGERS: &str = "managers";

/// A map from field names to values.
pub(super) type Fields = Map<String, Json>;

/// An error about a record that does not fit the snapshot it is applied to, or that this version cannot read.
#[derive(Debug, Error)]
pub enum RecordError {
    #[error("revision {revision}: there is no kind {kind}")]
    Kind { revision: i64, kind: String },
    #[error("revision {revision}: format {format} is not known to this version")]
    Format { revision: i64, format: i16 },
    #[error("revision {revision}: the containers of {object} cannot be read: {what}")]
    Scope { revision: i64, object: Uuid, what: String },
    #[error("revision {revision}: {what} of {kind} {object}")]
    Content { revision: i64, kind: &'static str, object: Uuid, what: String },
}

/// The direction in which a record is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the state before to the state after, as replication applies it.
    Forward,
    /// From the state after to the state before, as an undo applies it.
    Backward,
}

/// Returns the records of the objects in `touched`, which changed between two snapshots. `next` must be the revision
/// after `base`.
pub fn changes(base: &Snapshot, next: &Snapshot, touched: &[Uuid], author: (&str, Option<&str>)) -> Vec<change::Model> {
    let mut records = parallel(touched, touched.len(), |touched| records(base, next, touched, author));
    records.iter_mut().enumerate().for_each(|(index, record)| record.position = index as i32);
    records
}

fn records(
    base: &Snapshot,
    next: &Snapshot,
    touched: &[Uuid],
    (actor, source): (&str, Option<&str>),
) -> Vec<change::Model> {
    let head = next.head();
    let mut records = Vec::with_capacity(touched.len());
    let (mut scopes_before, mut scopes_after) = (Scopes::of(base), Scopes::of(next));
    for id in touched.iter().copied() {
        let (before, after) = (side(base, id), side(next, id));
        let Some((object, row)) = after.or(before) else { continue };
        let kind = next.kind(object.kind);
        let (fields_before, fields_after, operation) = match (before, after) {
            (None, Some((_, after))) => (None, Some(all(kind, after)), Operation::Created),
            (Some((_, before)), None) => (Some(all(kind, before)), None, Operation::Deleted),
            (Some((_, before)), Some((_, after))) => {
                let (before, after) = differences(kind, before, after);
                (Some(before), Some(after), Operation::Updated)
            }
            (None, None) => continue,
        };
        let scope_after = after.map(|(object, row)| scopes_after.scope(object, row));
        let scope_before = before.map(|(object, row)| scopes_before.scope(object, row));
        records.push(change::Model {
            revision: head.revision,
            position: 0,
            format: FORMAT,
            kind: kind.name.to_owned(),
            object_id: id,
            name: row.common().name.to_owned(),
            operation,
            before: fields_before,
            after: fields_after,
            scope_before: scope_before.filter(|scope| scope_after.as_ref() != Some(scope)),
            scope_after,
            actor: actor.to_owned(),
            source: source.map(str::to_owned),
            at: head.at,
        });
    }
    records
}

/// Applies the records of one revision to a draft, forward or backward.
///
/// # Errors
/// Returns an error if a record has a kind or format that this version does not know, or if it does not fit the
/// snapshot.
pub fn apply(draft: &mut Draft, records: &[change::Model], direction: Direction) -> Result<(), RecordError> {
    let mut puts = Vec::new();
    let mut removals = Vec::new();
    let mut shared = Shared::default();
    for record in records {
        if record.format != FORMAT {
            return Err(RecordError::Format { revision: record.revision, format: record.format });
        }
        let Some(kind) = draft.snapshot().registry().named(&record.kind) else {
            return Err(RecordError::Kind { revision: record.revision, kind: record.kind.clone() });
        };
        let fields = match direction {
            Direction::Forward => &record.after,
            Direction::Backward => &record.before,
        };
        match fields {
            None => removals.push(record.object_id),
            Some(fields) => {
                // Reserve all objects first: the objects of a batch may refer to each other in any order.
                draft.reserve(kind.id, record.object_id);
                puts.push((kind, record, fields));
            }
        }
    }
    for (kind, record, fields) in puts {
        let content = |what: String| RecordError::Content {
            revision: record.revision,
            kind: kind.name,
            object: record.object_id,
            what,
        };
        let mut row = match draft.snapshot().row_of(record.object_id) {
            Some(row) => row.duplicate(),
            None => (kind.blank)().duplicate(),
        };
        let Some(next) = Arc::get_mut(&mut row) else { continue };
        *next.common_mut().id = record.object_id;
        let fields: Fields = serde_json::from_str(fields).map_err(|error| content(error.to_string()))?;
        for (name, value) in &fields {
            put(kind, next, name, value).map_err(content)?;
        }
        shared.share(next);
        draft.put(kind, row).map_err(|id| content(format!("no object {id} for a reference")))?;
    }
    for id in removals {
        draft.remove(id);
    }
    Ok(())
}

/// Returns true if two rows differ only in times: the time of the change, and the revision since which a field is
/// owned.
pub fn same(kind: &Description, before: &dyn Row, after: &dyn Row) -> bool {
    kind.fields.iter().all(|field| (field.same)(before, after))
        && holders(before.common().managers) == holders(after.common().managers)
}

/// Returns the fields and keys that each manager owns, regardless of when it became the owner.
pub(super) fn holders(managers: &Managers) -> BTreeMap<i32, (i64, BTreeSet<&str>)> {
    let mut holders: BTreeMap<i32, (i64, BTreeSet<&str>)> = BTreeMap::new();
    for holding in managers.0.iter() {
        let (fields, keys) = holders.entry(holding.manager).or_default();
        *fields |= holding.fields;
        keys.extend(holding.keys.iter().map(String::as_str));
    }
    holders
}

fn side(snapshot: &Snapshot, id: Uuid) -> Option<(ObjectRef, &dyn Row)> {
    let object = snapshot.find(id)?;
    Some((object, snapshot.row(object)?.as_ref()))
}

/// Writes all fields of a row that are not empty.
fn all(kind: &Description, row: &dyn Row) -> String {
    let mut fields = JsonWriter::default();
    for field in kind.fields {
        fields.add_unless_empty(field.name, |text| (field.write)(row, text));
    }
    mark(&mut fields, row);
    fields.add(CREATED_AT, &time(row.common().created_at));
    fields.add(MANAGERS, row.common().managers);
    fields.end()
}

/// Writes the fields that differ, with their values before and after.
fn differences(kind: &Description, before: &dyn Row, after: &dyn Row) -> (String, String) {
    let mut sides = [(JsonWriter::default(), before), (JsonWriter::default(), after)];
    for field in kind.fields.iter().filter(|field| !(field.same)(before, after)) {
        sides.iter_mut().for_each(|(fields, row)| fields.add_with(field.name, |text| (field.write)(*row, text)));
    }
    if before.common().managers != after.common().managers {
        sides.iter_mut().for_each(|(fields, row)| fields.add(MANAGERS, row.common().managers));
    }
    if before.common().created_at != after.common().created_at {
        // One batch deleted the object and created it again under the same id.
        sides.iter_mut().for_each(|(fields, row)| fields.add(CREATED_AT, &time(row.common().created_at)));
    }
    let [before, after] = sides.map(|(mut fields, row)| {
        mark(&mut fields, row);
        fields.end()
    });
    (before, after)
}

/// Returns the fields that differ between two objects whose fields are all given. Returns `None` if only times differ.
pub(super) fn differing(
    kind: &Description,
    before: &Fields,
    after: &Fields,
) -> Result<Option<(Fields, Fields)>, String> {
    let (before, after) = (filled(kind, before)?, filled(kind, after)?);
    if same(kind, before.as_ref(), after.as_ref()) {
        return Ok(None);
    }
    let (before, after) = differences(kind, before.as_ref(), after.as_ref());
    let read = |fields: String| serde_json::from_str(&fields).map_err(|error| error.to_string());
    Ok(Some((read(before)?, read(after)?)))
}

/// Returns a row with these fields. All other fields are empty.
fn filled(kind: &Description, fields: &Fields) -> Result<Arc<dyn Row>, String> {
    let mut row = (kind.blank)().duplicate();
    let Some(blank) = Arc::get_mut(&mut row) else { return Err("it cannot be filled".to_owned()) };
    for (name, value) in fields {
        put(kind, blank, name, value)?;
    }
    Ok(row)
}

fn mark(fields: &mut JsonWriter, row: &dyn Row) {
    fields.add(VERSION, &row.common().version);
    if let Some(version) = row.observed_version() {
        fields.add(OBSERVED_VERSION, &version);
    }
    fields.add(UPDATED_AT, &time(row.common().updated_at));
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

fn put(kind: &Description, row: &mut dyn Row, name: &str, value: &Json) -> Result<(), String> {
    let failed = |error: serde_json::Error| format!("{name} cannot be read: {error}");
    if name == OBSERVED_VERSION {
        let Some(version) = row.observed_version_mut() else { return Err(format!("no column {name}")) };
        *version = i64::deserialize(value).map_err(failed)?;
        return Ok(());
    }
    let common = row.common_mut();
    match name {
        VERSION => *common.version = i64::deserialize(value).map_err(failed)?,
        CREATED_AT => *common.created_at = Deserialize::deserialize(value).map_err(failed)?,
        UPDATED_AT => *common.updated_at = Deserialize::deserialize(value).map_err(failed)?,
        MANAGERS => *common.managers = Managers::deserialize(value).map_err(failed)?,
        _ => {
            let Some(index) = kind.field(name) else { return Err(format!("no field {name}")) };
            (kind.fields[index].set)(row, value).map_err(failed)?;
        }
    }
    Ok(())
}

/// Computes the scopes of the objects of a batch: the data that filters may need later. The containers are cached,
/// because most objects of a batch are in the same ones.
struct Scopes<'a> {
    snapshot: &'a Snapshot,
    containers: HashMap<Vec<ObjectRef>, Vec<Uuid>>,
}

impl<'a> Scopes<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        Self { snapshot, containers: HashMap::new() }
    }

    /// Writes the labels, the tenant and all containers of an object.
    fn scope(&mut self, object: ObjectRef, row: &dyn Row) -> String {
        let snapshot = self.snapshot;
        let nearest = snapshot.nearest_containers(object).collect();
        let containers = self.containers.entry(nearest).or_insert_with(|| snapshot.containers(object));
        let mut scope = JsonWriter::default();
        scope.add("labels", row.common().labels);
        scope.add("tenant", &row.common().tenant);
        scope.add("containers", containers);
        scope.end()
    }
}
