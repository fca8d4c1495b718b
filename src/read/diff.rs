//! The net difference between two revisions, page by page.
//!
//! First the log between the two is read in order without its fields: which objects were touched, which of them are
//! there at either end. That is put in order, and then the changes of as many objects are read and put together as a
//! page needs. So what is in memory is bounded by [`MOST_CHANGES`] outlines and one page, and a page costs two looks at
//! the log, however much lies between. It can yield between any two changes.

use std::collections::HashMap;
use std::sync::Arc;

use underlay_entity::change::Operation;
use uuid::Uuid;

use super::error::ReadError;
use super::history::{held, not_future};
use crate::feed::{Diff, Difference, RecordError};
use crate::runtime::TimeSlice;
use crate::store::{ChangeQuery, Outline, Store, StoreError};
use underlay_inventory::{KindId, Registry, Snapshot, compare_names};

/// How many changes may lie between the two revisions.
pub const MOST_CHANGES: usize = 1_000_000;
/// How many changes are read at a time: without their fields, and with them.
const OUTLINES: usize = 5_000;
const CHANGES: usize = 500;
/// The changes of how many objects are looked at together, at the least and at the most.
const FEWEST_OBJECTS: usize = 20;
const OBJECTS: usize = 200;

/// Which differences are asked for.
#[derive(Clone, Debug)]
pub struct DiffQuery {
    /// The revision from which the difference leads.
    pub from: i64,
    /// The one that it leads to: later or earlier.
    pub to: i64,
    /// Only these objects.
    pub objects: Option<Vec<Uuid>>,
    /// Only objects of these kinds, by their names.
    pub kinds: Option<Vec<String>>,
    /// Only objects to which one of these is done in the end.
    pub operations: Option<Vec<Operation>>,
    /// Only what comes after this object.
    pub after: Option<Uuid>,
    /// At most so many.
    pub first: usize,
    /// How many changes are looked at; more are refused.
    pub most_changes: usize,
}

impl DiffQuery {
    /// The first `first` of all differences between two revisions.
    pub fn all(from: i64, to: i64, first: usize) -> Self {
        Self { from, to, objects: None, kinds: None, operations: None, after: None, first, most_changes: MOST_CHANGES }
    }
}

/// A part of the differences: by kind, then by name, then by id.
#[derive(Debug)]
pub struct DiffPage {
    /// The differences.
    pub differences: Vec<Difference>,
    /// Whether there are more.
    pub more: bool,
}

/// An object that was touched between the revisions.
#[derive(Debug)]
struct Touched {
    kind: KindId,
    object: Uuid,
    name: String,
    /// Whether it was there before the first change.
    was: bool,
    /// Whether it is there after the last.
    is: bool,
}

/// The differences between two revisions, which may be given in any order.
///
/// # Errors
/// When one of the revisions is not there yet, or changes between them are not held any more, or are too many.
pub async fn diff(store: &Store, snapshot: &Snapshot, question: &DiffQuery) -> Result<DiffPage, ReadError> {
    let newest = snapshot.revision();
    not_future(FROM, question.from, newest)?;
    not_future(TO, question.to, newest)?;
    still_held(store, question).await?;
    let registry = snapshot.registry();
    let touched = touched(store, registry, question).await?;
    let first = match question.after {
        None => 0,
        Some(after) => 1 + touched.iter().position(|it| it.object == after).ok_or_else(no_cursor)?,
    };
    let page = page(store, registry, question, &touched[first..]).await?;
    // What is held now was held when it was read.
    still_held(store, question).await?;
    Ok(page)
}

const FROM: &str = "from";
const TO: &str = "to";

/// A cursor that is of no object between the revisions.
fn no_cursor() -> ReadError {
    let reason = "is no cursor of these differences: take one from pageInfo or edges".to_owned();
    ReadError::Argument { argument: "after", reason }
}

/// Sees that all changes between the revisions are held. Of the earlier one itself none are needed.
async fn still_held(store: &Store, question: &DiffQuery) -> Result<(), ReadError> {
    let (argument, earlier) = if question.from <= question.to { (FROM, question.from) } else { (TO, question.to) };
    held(&[(argument, earlier.saturating_add(1))], store.oldest_revision().await?)
}

impl DiffQuery {
    /// All changes between the two revisions that may matter.
    fn between(&self) -> ChangeQuery {
        ChangeQuery {
            objects: self.objects.clone(),
            kinds: self.kinds.clone(),
            from_revision: Some(self.from.min(self.to).saturating_add(1)),
            to_revision: Some(self.from.max(self.to)),
            oldest_first: true,
            ..ChangeQuery::default()
        }
    }

    /// Whether an object that was touched may be asked for: one that is there at both ends may be as it was.
    fn may_fit(&self, touched: &Touched) -> bool {
        let operation = match (touched.was, touched.is, self.from <= self.to) {
            (false, false, _) => return false,
            (true, true, _) => Operation::Updated,
            (false, true, true) | (true, false, false) => Operation::Created,
            (true, false, true) | (false, true, false) => Operation::Deleted,
        };
        self.operations.as_ref().is_none_or(|operations| operations.contains(&operation))
    }
}

/// The objects that were touched between the revisions and may differ, in order.
async fn touched(store: &Store, registry: &Arc<Registry>, question: &DiffQuery) -> Result<Vec<Touched>, ReadError> {
    let mut query = ChangeQuery { limit: OUTLINES as u64, ..question.between() };
    let mut touched: HashMap<(KindId, Uuid), Touched> = HashMap::new();
    let (mut count, mut slice) = (0, TimeSlice::begin());
    loop {
        let outlines = store.outlines(&query).await?;
        count += outlines.len();
        if count > question.most_changes {
            let DiffQuery { from, to, most_changes: most, .. } = *question;
            return Err(ReadError::TooManyChanges { from, to, most });
        }
        query.past = outlines.last().map(|last| (last.revision, last.position));
        let last_page = outlines.len() < OUTLINES;
        for outline in outlines {
            slice.step().await;
            touch(&mut touched, registry, outline)?;
        }
        if last_page {
            break;
        }
    }
    let mut touched: Vec<Touched> = touched.into_values().filter(|touched| question.may_fit(touched)).collect();
    let sorted = tokio::task::spawn_blocking(move || {
        let order = |left: &Touched, right: &Touched| {
            let names = || compare_names(&left.name, &right.name);
            left.kind.0.cmp(&right.kind.0).then_with(names).then_with(|| left.object.cmp(&right.object))
        };
        touched.sort_unstable_by(order);
        touched
    });
    Ok(sorted.await.map_err(|error| StoreError::Unreadable(error.to_string()))?)
}

fn touch(
    touched: &mut HashMap<(KindId, Uuid), Touched>,
    registry: &Registry,
    outline: Outline,
) -> Result<(), RecordError> {
    let Outline { revision, kind, object_id: object, name, operation, .. } = outline;
    let kind = registry.named(&kind).ok_or(RecordError::Kind { revision, kind })?.id;
    let is = operation != Operation::Deleted;
    let known = touched.entry((kind, object)).or_insert_with(|| Touched {
        kind,
        object,
        name: String::new(),
        was: operation != Operation::Created,
        is,
    });
    (known.name, known.is) = (name, is);
    Ok(())
}

/// The first differences of objects that were touched.
async fn page(
    store: &Store,
    registry: &Arc<Registry>,
    question: &DiffQuery,
    touched: &[Touched],
) -> Result<DiffPage, ReadError> {
    let mut differences = Vec::new();
    for touched in touched.chunks(question.first.saturating_add(1).clamp(FEWEST_OBJECTS, OBJECTS)) {
        let mut found = differences_of(store, registry, question, touched).await?;
        for touched in touched {
            let kind = registry.get(touched.kind).name;
            let Some(difference) = found.remove(&(kind, touched.object)) else { continue };
            if differences.len() == question.first {
                return Ok(DiffPage { differences, more: true });
            }
            differences.push(if question.from <= question.to { difference } else { difference.reversed() });
        }
    }
    Ok(DiffPage { differences, more: false })
}

async fn differences_of(
    store: &Store,
    registry: &Arc<Registry>,
    question: &DiffQuery,
    touched: &[Touched],
) -> Result<HashMap<(&'static str, Uuid), Difference>, ReadError> {
    let objects = touched.iter().map(|touched| touched.object).collect();
    let query = ChangeQuery { objects: Some(objects), limit: CHANGES as u64, ..question.between() };
    let (mut diff, mut past, mut slice) = (Diff::default(), None, TimeSlice::begin());
    loop {
        let changes = store.changes_by_object(&query, past).await?;
        for change in &changes {
            slice.step().await;
            diff.add(registry, change)?;
        }
        past = changes.last().map(|last| (last.object_id, last.revision, last.position));
        if changes.len() < CHANGES {
            break;
        }
    }
    let differences = diff.differences()?;
    Ok(differences.into_iter().map(|difference| ((difference.kind, difference.object), difference)).collect())
}
