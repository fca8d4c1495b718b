//! Checks the rows against the change log: the rows that were loaded must be those that the log describes.
//!
//! The audit reads the log once, from the newest change to the oldest. The newest change of an object must leave the
//! row as it is. Every older change must leave what the next one found. So every field of every row and every record
//! is checked, as far back as the log goes. For each object in the log, the audit remembers the state that the next
//! older record must leave. It stores hashes instead of values. The memory therefore grows with the number of objects
//! and changed fields, but not with the length of the log.
//!
//! Guarantees: an intact database yields no flaw, even if other processes write or prune meanwhile. A flaw in one row
//! or record hides no other flaw.

mod columns;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value as Json;
use thiserror::Error;
use underlay_entity::change::{self, Operation};
use uuid::Uuid;

use self::columns::{Column, EMPTY_HASH, columns, differing, not_empty, value_hash};
use super::record::FORMAT;
use super::replication::FollowError;
use crate::store::{ChangeQuery, Store};
use underlay_inventory::{Description, Snapshot};

/// The number of changes that are read at a time.
const CHANGES_PER_PAGE: u64 = 1_000;
/// The maximum number of flaws that are listed. Further flaws are only counted.
const MAX_LISTED_FLAWS: usize = 20;

/// A contradiction between a row and the log, or between two records of the log. `object` is the path of the object,
/// or its kind, name and id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    #[error("the row of {object} is missing: it existed after revision {revision}")]
    Missing { object: String, revision: i64 },
    #[error("the row of {object} exists, but revision {revision} deleted it")]
    Deleted { object: String, revision: i64 },
    #[error("the row of {object} exists, but no change in the log created it")]
    Unknown { object: String },
    #[error("the changes of {object} in the log begin with revision {revision}, but an earlier one should exist")]
    Headless { object: String, revision: i64 },
    #[error("the row of {object} is not as revision {revision} left it: {} {}", fields.join(", "), if fields.len() == 1 { "differs" } else { "differ" })]
    Differs { object: String, revision: i64, fields: Vec<String> },
    #[error(
        "the changes of {object} do not follow on each other: {} {} not as the change after revision {revision} found it",
        fields.join(", "),
        if fields.len() == 1 { "is" } else { "are" }
    )]
    Broken { object: String, revision: i64, fields: Vec<String> },
    #[error("the change of {object} in revision {revision} differs from its batch and the rows in: {}", what.join(", "))]
    Untrue { object: String, revision: i64, what: Vec<&'static str> },
    #[error("the change of {object} in revision {revision} cannot be read: {what}")]
    Unreadable { object: String, revision: i64, what: String },
}

/// The result of an audit.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// The number of changes that were checked.
    pub changes: u64,
    /// The number of flaws that were found.
    pub count: u64,
    /// The first flaws, at most 20.
    pub flaws: Vec<Flaw>,
}

/// Checks the whole log up to a snapshot that was loaded from the rows.
///
/// # Errors
/// Returns an error if the database does not answer.
pub async fn audit(store: &Store, snapshot: &Arc<Snapshot>) -> Result<Audit, FollowError> {
    let mut auditor = Auditor::new(snapshot);
    let mut query =
        ChangeQuery { to_revision: Some(snapshot.revision()), limit: CHANGES_PER_PAGE, ..ChangeQuery::default() };
    loop {
        let changes = store.changes(&query).await?;
        changes.iter().for_each(|record| auditor.look_at(record));
        match changes.last() {
            // Changes that were pruned meanwhile are older than the next page.
            Some(last) => query.past = Some((last.revision, last.position)),
            None => break,
        }
    }
    let missed = match store.oldest().await? {
        // The log is complete, so every object must have been created by a change in it.
        None | Some((..=1, _)) => auditor.begun(None),
        Some((_, oldest)) => {
            // A change made at the time of a held revision must be in the log. Revisions that were committed together
            // may share one time, so changes at the time of the oldest one cannot be judged.
            let mut begun = auditor.begun(Some(oldest));
            let times: Vec<_> = begun.iter().map(|begun| begun.at).collect();
            let made: HashSet<_> = store.made_at(&times).await?.into_iter().collect();
            begun.retain(|begun| made.contains(&begun.at));
            begun
        }
    };
    for Begun { object, first, .. } in missed {
        let object = snapshot.find(object).map_or_else(|| object.to_string(), |found| snapshot.path(found));
        auditor.found(match first {
            Some(revision) => Flaw::Headless { object, revision },
            None => Flaw::Unknown { object },
        });
    }
    Ok(auditor.audit)
}

/// An object that existed before the first record of it in the log.
struct Begun {
    object: Uuid,
    /// The time of the last change before that record.
    at: DateTime<Utc>,
    /// The revision of the first record of the object. `None` if the log has no record.
    first: Option<i64>,
}

/// The knowledge about an object from the records that were read.
#[derive(Debug)]
enum Seen {
    /// The state that the next older record of the object must leave.
    Trail(Trail),
    /// A record of the object could not be read, so older records cannot be judged.
    Lost,
}

/// The state that the next older record of an object must leave.
#[derive(Debug, Default)]
struct Trail {
    /// The time of the object's last change before the records that were read. `None` if the object did not exist.
    there_since: Option<DateTime<Utc>>,
    /// The revision of the last record that was read.
    revision: i64,
    /// The fields whose value before the records is known, as pairs of a column and a hash of the value.
    known: Vec<(Column, u64)>,
    /// True if all other fields were empty. False if they had the values of the row.
    others_empty: bool,
}

/// A record whose fields were parsed.
struct Sides {
    kind: &'static Description,
    before: Option<Vec<(Column, Json)>>,
    after: Option<Vec<(Column, Json)>>,
}

impl Sides {
    /// Returns true if the record contains the value that it left in a column.
    fn leave(&self, column: Column) -> bool {
        self.after.iter().flatten().any(|(it, _)| *it == column)
    }
}

struct Auditor<'a> {
    snapshot: &'a Snapshot,
    seen: HashMap<Uuid, Seen>,
    audit: Audit,
}

impl<'a> Auditor<'a> {
    fn new(snapshot: &'a Snapshot) -> Self {
        Self { snapshot, seen: HashMap::new(), audit: Audit::default() }
    }

    /// Checks the next older record.
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

    /// Parses the two sides of a record.
    fn read(&self, record: &change::Model) -> Result<Sides, String> {
        if record.format != FORMAT {
            return Err(format!("format {} is not known to this version", record.format));
        }
        let kind = self.snapshot.registry().named(&record.kind);
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
        let current = self.snapshot.find(record.object_id).filter(|current| current.kind == kind.id);
        let (row, after) = match (current.and_then(|current| self.snapshot.row(current)), &sides.after) {
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

    /// Compares a record with the state that the next newer records of the object found. Fields that those records do
    /// not contain are compared with the row.
    fn compare_with_trail(&self, sides: &Sides, trail: &Trail, record: &change::Model) -> Vec<Flaw> {
        let (kind, revision) = (sides.kind, record.revision);
        let broken = |fields| Flaw::Broken { object: self.name(record), revision, fields };
        let after = match &sides.after {
            Some(after) if trail.there_since.is_some() => after,
            None if trail.there_since.is_none() => return Vec::new(),
            _ => return vec![broken(vec!["existence".to_owned()])],
        };
        let unlike = after.iter().filter(|(column, json)| match trail.value(*column) {
            Some(found) => found != value_hash(json),
            None => trail.others_empty && value_hash(json) != EMPTY_HASH,
        });
        let mut lost: Vec<String> = unlike.map(|(column, _)| column.name(kind)).collect();
        if record.operation == Operation::Created {
            // The fields that this record does not contain were left empty.
            let silent = trail.known.iter().filter(|(column, found)| *found != EMPTY_HASH && !sides.leave(*column));
            lost.extend(silent.map(|(column, _)| column.name(kind)));
        }
        let mut flaws = Vec::new();
        if !lost.is_empty() {
            flaws.push(broken(lost));
        }
        // A missing row was already reported with the newest record.
        let row = self.snapshot.row_of(record.object_id).filter(|_| !trail.others_empty);
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

    /// Returns the objects that existed before their first record in the log. If `after` is given, returns only those
    /// that were changed after that time.
    fn begun(&self, after: Option<DateTime<Utc>>) -> Vec<Begun> {
        let tables = self.snapshot.registry().kinds().map(|kind| self.snapshot.table(kind.id));
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

    /// Returns the path of a record's object. If the object does not exist, returns the kind, name and id from the
    /// record.
    fn name(&self, record: &change::Model) -> String {
        match self.snapshot.find(record.object_id) {
            Some(object) => self.snapshot.path(object),
            None => format!("{} {} ({})", record.kind, record.name, record.object_id),
        }
    }

    fn found(&mut self, flaw: Flaw) {
        self.audit.found(flaw);
    }
}

impl Audit {
    /// Counts a flaw, and lists it if it is one of the first.
    pub(super) fn found(&mut self, flaw: Flaw) {
        self.count += 1;
        if self.flaws.len() < MAX_LISTED_FLAWS {
            self.flaws.push(flaw);
        }
    }
}

impl Trail {
    fn value(&self, column: Column) -> Option<u64> {
        self.known.iter().find(|(it, _)| *it == column).map(|(_, value)| *value)
    }

    /// Moves to the state before a record.
    fn step_over(&mut self, before: Option<&[(Column, Json)]>, record: &change::Model) {
        let changed_at = |before: &[(Column, Json)]| {
            let (_, at) = before.iter().find(|(column, _)| *column == Column::UpdatedAt)?;
            DateTime::<Utc>::deserialize(at).ok()
        };
        // A record without a time of change counts as older than every held revision.
        self.there_since = before.map(|before| changed_at(before).unwrap_or(DateTime::<Utc>::MIN_UTC));
        self.revision = record.revision;
        if record.operation != Operation::Updated {
            // A creation leaves nothing known of the state before. The record of a deletion contains all fields.
            self.known = Vec::new();
            self.others_empty = true;
        }
        for (column, json) in before.unwrap_or_default() {
            let value = value_hash(json);
            match self.known.iter_mut().find(|(it, _)| it == column) {
                Some((_, known)) => *known = value,
                None => self.known.push((*column, value)),
            }
        }
    }
}
