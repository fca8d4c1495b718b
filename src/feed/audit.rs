//! The rows against the change log: whether what was loaded is what the log says.
//!
//! The log is read once, from the newest change to the oldest. The newest change of an object must leave its row as it
//! is, and every older one what the next one found; so each field of each row is looked at as far back as the log goes,
//! and each record too. What is remembered is, for each object that the log speaks of, what the next older record of it
//! must leave: as numbers that stand for the values, so it grows with the objects and what changed of them, never with the
//! length of the log.
//!
//! Guarantees: a sound database has no flaw, whatever is written or dropped meanwhile; one that is found in a row or a record
//! hides no other.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value as Json;
use thiserror::Error;
use underlay_entity::change::{self, Operation};
use underlay_entity::common::Managers;
use uuid::Uuid;

use super::follow::FollowError;
use super::record::{CREATED_AT, FORMAT, Fields, MANAGERS, UPDATED_AT, VERSION};
use crate::inventory::{Description, Snapshot};
use crate::store::{ChangeQuery, Row, Store};

/// How many changes are read at a time.
const PAGE: u64 = 1_000;
/// How many flaws are told of; the others are only counted.
const MOST_TOLD: usize = 20;

/// Where a row and the log, or two records of the log, do not agree. `object` is its path, or its kind and id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    #[error("the row of {object} is missing: revision {revision} left it there")]
    Missing { object: String, revision: i64 },
    #[error("the row of {object} is there, but revision {revision} deleted it")]
    Deleted { object: String, revision: i64 },
    #[error("the row of {object} is there, but no change in the log made it")]
    Unknown { object: String },
    #[error("the changes of {object} in the log begin with revision {revision}, though one before it should be there")]
    Headless { object: String, revision: i64 },
    #[error("the row of {object} is not as revision {revision} left it: {} {}", fields.join(", "), if fields.len() == 1 { "differs" } else { "differ" })]
    Differs { object: String, revision: i64, fields: Vec<String> },
    #[error(
        "the changes of {object} do not follow on each other: {} {} not as the change after revision {revision} found it",
        fields.join(", "),
        if fields.len() == 1 { "is" } else { "are" }
    )]
    Broken { object: String, revision: i64, fields: Vec<String> },
    #[error("the change of {object} in revision {revision} does not say what its batch and the rows say: {}", what.join(", "))]
    Untrue { object: String, revision: i64, what: Vec<&'static str> },
    #[error("the change of {object} in revision {revision} cannot be read: {what}")]
    Unreadable { object: String, revision: i64, what: String },
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// How many changes were looked at.
    pub changes: u64,
    /// How many flaws there are.
    pub count: u64,
    /// The first of them.
    pub flaws: Vec<Flaw>,
}

/// Looks at the whole log up to a value that was loaded from the rows.
///
/// # Errors
/// When the database does not answer.
pub async fn audit(store: &Store, value: &Arc<Snapshot>) -> Result<Audit, FollowError> {
    let mut auditor = Auditor::new(value);
    let mut query = ChangeQuery { to_revision: Some(value.revision()), limit: PAGE, ..ChangeQuery::default() };
    loop {
        let changes = store.changes(&query).await?;
        changes.iter().for_each(|record| auditor.look_at(record));
        match changes.last() {
            // Changes that were dropped meanwhile are below those that come next.
            Some(last) => query.past = Some((last.revision, last.position)),
            None => break,
        }
    }
    let missed = match store.oldest().await? {
        // Everything that there is was made by a change in the log.
        None | Some((..=1, _)) => auditor.begun(None),
        Some((_, oldest)) => {
            // What was changed when a revision was made that is held must be in it. Revisions that were committed
            // together may have one time: of the oldest one nothing can be said.
            let mut begun = auditor.begun(Some(oldest));
            let times: Vec<_> = begun.iter().map(|begun| begun.at).collect();
            let made: HashSet<_> = store.made_at(&times).await?.into_iter().collect();
            begun.retain(|begun| made.contains(&begun.at));
            begun
        }
    };
    for Begun { object, first, .. } in missed {
        let object = value.find(object).map_or_else(|| object.to_string(), |place| value.path(place));
        auditor.found(match first {
            Some(revision) => Flaw::Headless { object, revision },
            None => Flaw::Unknown { object },
        });
    }
    Ok(auditor.audit)
}

/// An object that was there before the log speaks of it.
struct Begun {
    object: Uuid,
    /// When it was changed last before that.
    at: DateTime<Utc>,
    /// The first revision that speaks of it.
    first: Option<i64>,
}

/// What is known of an object from the records that were seen.
#[derive(Debug)]
enum Seen {
    /// What the next older record of it must leave.
    Trail(Trail),
    /// One of them could not be read: of older ones nothing can be said.
    Lost,
}

/// What the next older record of an object must leave.
#[derive(Debug, Default)]
struct Trail {
    /// When the object was changed last before the records that were seen; `None` when it was not there.
    there_since: Option<DateTime<Utc>>,
    /// The revision of the last record that was seen.
    revision: i64,
    /// Fields of which the value before these is known, each by its column and a number that stands for the value.
    known: Vec<(Column, u64)>,
    /// Whether all others held nothing, rather than what the row holds.
    others_empty: bool,
}

/// A column of a row, or one of those that are no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Field(u8),
    Version,
    CreatedAt,
    UpdatedAt,
    Managers,
}

/// A record, read.
struct Sides {
    kind: &'static Description,
    before: Option<Vec<(Column, Json)>>,
    after: Option<Vec<(Column, Json)>>,
}

impl Sides {
    /// Whether it says what it left in a column.
    fn leave(&self, column: Column) -> bool {
        self.after.iter().flatten().any(|(it, _)| *it == column)
    }
}

struct Auditor<'a> {
    value: &'a Snapshot,
    seen: HashMap<Uuid, Seen>,
    audit: Audit,
}

impl<'a> Auditor<'a> {
    fn new(value: &'a Snapshot) -> Self {
        Self { value, seen: HashMap::new(), audit: Audit::default() }
    }

    /// Takes the next older record.
    fn look_at(&mut self, record: &change::Model) {
        self.audit.changes += 1;
        let sides = match self.read(record) {
            Ok(sides) => sides,
            Err(what) => {
                let (object, revision) = (self.name(record), record.revision);
                self.seen.insert(record.object_id, Seen::Lost);
                return self.found(Flaw::Unreadable { object, revision, what });
            }
        };
        let trail = match self.seen.remove(&record.object_id) {
            Some(Seen::Lost) => return drop(self.seen.insert(record.object_id, Seen::Lost)),
            Some(Seen::Trail(trail)) => Some(trail),
            None => None,
        };
        let flaws = match &trail {
            None => self.compare_with_row(&sides, record).into_iter().collect(),
            Some(trail) => self.compare_with_trail(&sides, trail, record),
        };
        flaws.into_iter().for_each(|flaw| self.found(flaw));
        let mut trail = trail.unwrap_or_default();
        trail.step_over(sides.before.as_deref(), record);
        self.seen.insert(record.object_id, Seen::Trail(trail));
    }

    /// The two sides of a record.
    fn read(&self, record: &change::Model) -> Result<Sides, String> {
        if record.format != FORMAT {
            return Err(format!("format {} is not known to this version", record.format));
        }
        let kind = self.value.registry().named(&record.kind);
        let kind = kind.ok_or_else(|| format!("there is no kind {}", record.kind))?;
        let side = |text: &Option<String>| text.as_deref().map(|text| columns(kind, text)).transpose();
        let (before, after) = (side(&record.before)?, side(&record.after)?);
        let fits = match record.operation {
            Operation::Created => before.is_none() && after.is_some(),
            Operation::Updated => before.is_some() && after.is_some(),
            Operation::Deleted => before.is_some() && after.is_none(),
        };
        match fits {
            true => Ok(Sides { kind, before, after }),
            false => Err("a side of it is missing, or one too many".to_owned()),
        }
    }

    /// Compares the newest record of an object with its row.
    fn compare_with_row(&self, sides: &Sides, record: &change::Model) -> Option<Flaw> {
        let (kind, revision) = (sides.kind, record.revision);
        let place = self.value.find(record.object_id).filter(|place| place.kind == kind.id);
        let (row, after) = match (place.and_then(|place| self.value.row(place)), &sides.after) {
            (Some(row), Some(after)) => (row.as_ref(), after),
            (None, Some(_)) => return Some(Flaw::Missing { object: self.name(record), revision }),
            (Some(_), None) => return Some(Flaw::Deleted { object: self.name(record), revision }),
            (None, None) => return None,
        };
        let mut fields = differing(kind, row, after.iter());
        if record.operation == Operation::Created {
            fields.extend(not_empty(kind, row, |column| sides.leave(column)));
        }
        (!fields.is_empty()).then(|| Flaw::Differs { object: self.name(record), revision, fields })
    }

    /// Compares a record with what the next newer ones of the object found, and with its row where they say nothing.
    fn compare_with_trail(&self, sides: &Sides, trail: &Trail, record: &change::Model) -> Vec<Flaw> {
        let (kind, revision) = (sides.kind, record.revision);
        let broken = |fields| Flaw::Broken { object: self.name(record), revision, fields };
        let after = match &sides.after {
            Some(after) if trail.there_since.is_some() => after,
            None if trail.there_since.is_none() => return Vec::new(),
            _ => return vec![broken(vec!["whether it is there".to_owned()])],
        };
        let unlike = after.iter().filter(|(column, json)| match trail.value(*column) {
            Some(found) => found != number(json),
            None => trail.others_empty && number(json) != EMPTY,
        });
        let mut lost: Vec<String> = unlike.map(|(column, _)| column.name(kind)).collect();
        if record.operation == Operation::Created {
            // What it does not name it left empty.
            let silent = trail.known.iter().filter(|(column, found)| *found != EMPTY && !sides.leave(*column));
            lost.extend(silent.map(|(column, _)| column.name(kind)));
        }
        let mut flaws = Vec::new();
        if !lost.is_empty() {
            flaws.push(broken(lost));
        }
        // A row that is not there was told of with the newest record.
        let row = self.value.row_of(record.object_id).filter(|_| !trail.others_empty);
        let Some(row) = row.map(AsRef::as_ref) else { return flaws };
        let is_known = |column: Column| trail.value(column).is_some();
        let mut fields = differing(kind, row, after.iter().filter(|(column, _)| !is_known(*column)));
        if record.operation == Operation::Created {
            fields.extend(not_empty(kind, row, |column| is_known(column) || sides.leave(column)));
        }
        if !fields.is_empty() {
            flaws.push(Flaw::Differs { object: self.name(record), revision, fields });
        }
        flaws
    }

    /// The objects that were there before the log speaks of them; of these, when that is given, those that were changed
    /// after a time.
    fn begun(&self, after: Option<DateTime<Utc>>) -> Vec<Begun> {
        let tables = self.value.registry().kinds().map(|kind| self.value.table(kind.id));
        let rows = tables.flat_map(|table| table.rows(0)).map(|(_, row)| row.common());
        let silent = rows.filter(|row| !self.seen.contains_key(&row.id));
        let silent = silent.map(|row| Begun { object: row.id, at: row.updated_at, first: None });
        let spoken = self.seen.iter().filter_map(|(object, seen)| match seen {
            Seen::Trail(Trail { there_since: Some(at), revision, .. }) => {
                Some(Begun { object: *object, at: *at, first: Some(*revision) })
            }
            Seen::Trail(_) | Seen::Lost => None,
        });
        silent.chain(spoken).filter(|begun| after.is_none_or(|after| begun.at > after)).collect()
    }

    /// What the object of a record is called: its path, or what the record says of it.
    fn name(&self, record: &change::Model) -> String {
        match self.value.find(record.object_id) {
            Some(place) => self.value.path(place),
            None => format!("{} {} ({})", record.kind, record.name, record.object_id),
        }
    }

    fn found(&mut self, flaw: Flaw) {
        self.audit.found(flaw);
    }
}

impl Audit {
    /// Counts a flaw, and keeps it if it is one of the first.
    pub(super) fn found(&mut self, flaw: Flaw) {
        self.count += 1;
        if self.flaws.len() < MOST_TOLD {
            self.flaws.push(flaw);
        }
    }
}

impl Trail {
    fn value(&self, column: Column) -> Option<u64> {
        self.known.iter().find(|(it, _)| *it == column).map(|(_, value)| *value)
    }

    /// Goes on to what was before a record.
    fn step_over(&mut self, before: Option<&[(Column, Json)]>, record: &change::Model) {
        let changed_at = |before: &[(Column, Json)]| {
            let (_, at) = before.iter().find(|(column, _)| *column == Column::UpdatedAt)?;
            DateTime::<Utc>::deserialize(at).ok()
        };
        // One that does not say it was before everything that can be looked up.
        self.there_since = before.map(|before| changed_at(before).unwrap_or(DateTime::<Utc>::MIN_UTC));
        self.revision = record.revision;
        if record.operation != Operation::Updated {
            // Of what was made nothing is left; of what was deleted everything is said.
            self.known = Vec::new();
            self.others_empty = true;
        }
        for (column, json) in before.unwrap_or_default() {
            let value = number(json);
            match self.known.iter_mut().find(|(it, _)| it == column) {
                Some((_, known)) => *known = value,
                None => self.known.push((*column, value)),
            }
        }
    }
}

impl Column {
    fn name(self, kind: &Description) -> String {
        let name = match self {
            Self::Field(place) => kind.fields.get(usize::from(place)).map_or("a field", |field| field.name),
            Self::Version => VERSION,
            Self::CreatedAt => CREATED_AT,
            Self::UpdatedAt => UPDATED_AT,
            Self::Managers => MANAGERS,
        };
        name.to_owned()
    }
}

/// The fields of one side of a record.
fn columns(kind: &Description, text: &str) -> Result<Vec<(Column, Json)>, String> {
    let fields: Fields = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let column = |(name, json): (String, Json)| {
        let column = match name.as_str() {
            VERSION => Column::Version,
            CREATED_AT => Column::CreatedAt,
            UPDATED_AT => Column::UpdatedAt,
            MANAGERS => Column::Managers,
            _ => {
                let place = kind.field(&name).and_then(|place| u8::try_from(place).ok());
                Column::Field(place.ok_or_else(|| format!("there is no field {name}"))?)
            }
        };
        Ok((column, json))
    };
    fields.into_iter().map(column).collect()
}

/// The fields that a row has otherwise.
fn differing<'a>(kind: &Description, row: &dyn Row, fields: impl Iterator<Item = &'a (Column, Json)>) -> Vec<String> {
    fields.filter(|(column, json)| !holds(kind, row, *column, json)).map(|(column, _)| column.name(kind)).collect()
}

/// The fields that hold something in a row, of those that nobody spoke of.
fn not_empty(kind: &Description, row: &dyn Row, spoken: impl Fn(Column) -> bool) -> Vec<String> {
    let places = (0..kind.fields.len()).filter_map(|place| u8::try_from(place).ok()).map(Column::Field);
    let silent = places.filter(|column| !spoken(*column));
    silent.filter(|column| !holds(kind, row, *column, &Json::Null)).map(|column| column.name(kind)).collect()
}

/// Whether a row holds what a record says. What cannot be read it does not hold.
fn holds(kind: &Description, row: &dyn Row, column: Column, json: &Json) -> bool {
    let common = row.common();
    match column {
        Column::Field(place) => {
            kind.fields.get(usize::from(place)).is_some_and(|field| (field.is)(row, json).is_ok_and(|is| is))
        }
        Column::Version => i64::deserialize(json).is_ok_and(|it| it == common.version),
        Column::CreatedAt => DateTime::<Utc>::deserialize(json).is_ok_and(|it| it == common.created_at),
        Column::UpdatedAt => DateTime::<Utc>::deserialize(json).is_ok_and(|it| it == common.updated_at),
        Column::Managers => Managers::deserialize(json).is_ok_and(|it| it == *common.managers),
    }
}

/// The number that stands for nothing: records leave it out, or write it in one of several ways.
const EMPTY: u64 = 0;

/// A number that stands for a value.
fn number(json: &Json) -> u64 {
    let empty = match json {
        Json::Null => true,
        Json::Array(list) => list.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    };
    if empty {
        return EMPTY;
    }
    let mut hasher = DefaultHasher::new();
    json.to_string().hash(&mut hasher);
    hasher.finish()
}
