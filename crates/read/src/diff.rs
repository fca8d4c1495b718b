//! The diff between two revisions, page by page.
//!
//! The log between the two revisions is first read in order without its fields, to find the objects that were touched
//! and the revisions at which they exist. These objects are sorted. Then the changes of as many objects as a page needs
//! are read and combined. So memory is bounded by [`MAX_CHANGES`] outlines and one page, and a page reads the log
//! twice, however many changes there are. The code can yield between any two changes.

use std::collections::HashMap;
use std::sync::Arc;

use underlay_entity::change::Operation;
use uuid::Uuid;

use super::error::ReadError;
use super::history::{held, not_future};
use underlay_engine::feed::{Diff, Difference, RecordError};
use underlay_engine::runtime::TimeSlice;
use underlay_engine::store::{ChangeQuery, Outline, Store, StoreError};
use underlay_inventory::{KindId, Registry, Snapshot, compare_names};

/// The maximum number of changes between the two revisions.
pub const MAX_CHANGES: usize = 1_000_000;
/// The number of changes that are read at a time, without their fields and with them.
const OUTLINES_PER_PAGE: usize = 5_000;
const CHANGES_PER_PAGE: usize = 500;
/// The minimum and maximum number of objects whose changes are read together.
const MIN_OBJECTS_TOGETHER: usize = 20;
const MAX_OBJECTS_TOGETHER: usize = 200;

/// The selection of differences.
#[derive(Clone, Debug)]
pub struct DiffQuery {
    /// The revision from which the diff leads.
    pub from: i64,
    /// The revision to which it leads, which may be later or earlier.
    pub to: i64,
    /// Selects only these objects.
    pub objects: Option<Vec<Uuid>>,
    /// Selects only objects of these kinds, by their names.
    pub kinds: Option<Vec<String>>,
    /// Selects only objects whose combined change is one of these.
    pub operations: Option<Vec<Operation>>,
    /// Selects only differences after this object.
    pub after: Option<Uuid>,
    /// The maximum number of differences.
    pub first: usize,
    /// The maximum number of changes that are read. If there are more, the query is refused.
    pub max_changes: usize,
}

impl DiffQuery {
    /// Selects the first differences between two revisions, of all objects.
    pub fn all(from: i64, to: i64, first: usize) -> Self {
        Self { from, to, objects: None, kinds: None, operations: None, after: None, first, max_changes: MAX_CHANGES }
    }
}

/// A page of differences, in the order of kind, name and id.
#[derive(Debug)]
pub struct DiffPage {
    /// The differences of this page, one for each object.
    pub differences: Vec<Difference>,
    /// True if there are more differences.
    pub more: bool,
}

/// An object that was touched between the two revisions.
#[derive(Debug)]
struct Touched {
    kind: KindId,
    object: Uuid,
    name: String,
    /// True if the object existed before the first change.
    was: bool,
    /// True if the object exists after the last change.
    is: bool,
}

/// Returns the differences between two revisions, which may be given in any order.
///
/// # Errors
/// Returns an error if one of the revisions does not exist yet, or if the changes between them were dropped or are too
/// many.
pub async fn diff(store: &Store, snapshot: &Snapshot, question: &DiffQuery) -> Result<DiffPage, ReadError> {
    let newest = snapshot.revision();
    not_future(FROM_ARGUMENT, question.from, newest)?;
    not_future(TO_ARGUMENT, question.to, newest)?;
    still_held(store, question).await?;
    let registry = snapshot.registry();
    let touched = touched(store, registry, question).await?;
    let first = match question.after {
        None => 0,
        Some(after) => 1 + touched.iter().position(|it| it.object == after).ok_or_else(no_cursor)?,
    };
    let page = page(store, registry, question, &touched[first..]).await?;
    // Changes that are stored now were stored when they were read.
    still_held(store, question).await?;
    Ok(page)
}

const FROM_ARGUMENT: &str = "from";
const TO_ARGUMENT: &str = "to";

/// Returns the error of a cursor that belongs to no object between the two revisions.
fn no_cursor() -> ReadError {
    let reason = "is no cursor of these differences: take one from pageInfo or edges".to_owned();
    ReadError::Argument { argument: "after", reason }
}

/// Checks that all changes between the two revisions are stored. The changes of the earlier revision itself are not
/// needed.
async fn still_held(store: &Store, question: &DiffQuery) -> Result<(), ReadError> {
    let (argument, earlier) =
        if question.from <= question.to { (FROM_ARGUMENT, question.from) } else { (TO_ARGUMENT, question.to) };
    held(&[(argument, earlier.saturating_add(1))], store.oldest_revision().await?)
}

impl DiffQuery {
    /// Returns the query for all changes between the two revisions that may matter.
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

    /// Returns true if a touched object may be selected. An object that exists at both revisions may be unchanged.
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

/// Returns the objects that were touched between the two revisions and may differ, in order.
async fn touched(store: &Store, registry: &Arc<Registry>, question: &DiffQuery) -> Result<Vec<Touched>, ReadError> {
    let mut query = ChangeQuery { limit: OUTLINES_PER_PAGE as u64, ..question.between() };
    let mut touched: HashMap<(KindId, Uuid), Touched> = HashMap::new();
    let (mut count, mut slice) = (0, TimeSlice::begin());
    loop {
        let outlines = store.outlines(&query).await?;
        count += outlines.len();
        if count > question.max_changes {
            let DiffQuery { from, to, max_changes: most, .. } = *question;
            return Err(ReadError::TooManyChanges { from, to, most });
        }
        query.past = outlines.last().map(|last| (last.revision, last.position));
        let last_page = outlines.len() < OUTLINES_PER_PAGE;
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

/// Returns the first differences of objects that were touched.
async fn page(
    store: &Store,
    registry: &Arc<Registry>,
    question: &DiffQuery,
    touched: &[Touched],
) -> Result<DiffPage, ReadError> {
    let mut differences = Vec::new();
    for touched in touched.chunks(question.first.saturating_add(1).clamp(MIN_OBJECTS_TOGETHER, MAX_OBJECTS_TOGETHER)) {
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
    let query = ChangeQuery { objects: Some(objects), limit: CHANGES_PER_PAGE as u64, ..question.between() };
    let (mut diff, mut past, mut slice) = (Diff::default(), None, TimeSlice::begin());
    loop {
        let changes = store.changes_by_object(&query, past).await?;
        for change in &changes {
            slice.step().await;
            diff.add(registry, change)?;
        }
        past = changes.last().map(|last| (last.object_id, last.revision, last.position));
        if changes.len() < CHANGES_PER_PAGE {
            break;
        }
    }
    let differences = diff.differences()?;
    Ok(differences.into_iter().map(|difference| ((difference.kind, difference.object), difference)).collect())
}
