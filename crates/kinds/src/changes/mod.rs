//! The change log in the API: the changes of one object, and a query over all changes.

mod filter;

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::{Context, ID, Object, Result, SimpleObject};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use tokio::sync::OnceCell;
use underlay_entity::change::{self, Operation};
use underlay_entity::common::Managers;
use uuid::Uuid;

use super::Node;
use super::errors::{forbidden, internal, unreadable};
use super::grammar::{ManagedField, holdings};
use super::request::Request;
use super::scalars::{FreeJson, Revision};
use super::shared_values::ValueKey;
use underlay_engine::store::{ChangeQuery, Store};
use underlay_inventory::Snapshot;
use underlay_read::{
    ItemReferences, LogPosition, MAX_PAGE_OBJECTS, Paced, PageInfo, ReadError, held, named, not_future,
};

use self::filter::{ChangeFilter, ChangeOrder, bounds, query};

pub use self::filter::object_ids;

/// The default number of changes in a page.
const DEFAULT_PAGE_CHANGES: usize = 50;
/// The maximum number of objects whose changes one statement loads.
pub const MAX_LOADED_OBJECTS: usize = 1_000;

/// The names of the arguments that take a cursor.
const AFTER: &str = "after";
const BEFORE: &str = "before";

/// The change of one object by one batch.
#[derive(Clone, Debug)]
pub struct Change {
    snapshot: Arc<Snapshot>,
    record: Arc<change::Model>,
}

/// The change of one object by one batch.
#[Object]
impl Change {
    /// The revision that the batch created.
    async fn revision(&self) -> Revision {
        Revision(self.record.revision)
    }

    /// The position of the change in its batch.
    async fn position(&self) -> i32 {
        self.record.position
    }

    /// The kind of the object, such as `Rack`.
    async fn kind(&self) -> &str {
        &self.record.kind
    }

    /// The id of the object that changed.
    async fn object_id(&self) -> ID {
        self.record.object_id.into()
    }

    /// The name of the object after the change. For a deleted object, its name before the change.
    async fn name(&self) -> &str {
        &self.record.name
    }

    /// The operation: CREATED, UPDATED or DELETED.
    async fn operation(&self) -> Operation {
        self.record.operation
    }

    /// The fields that differ, with their values before the change. All fields for a delete, null for a create.
    async fn before(
        &self,
        #[graphql(
            desc = "KEY names other objects by their keys, as items of `apply` do, where they still exist. Defaults to their ids alone."
        )]
        references: Option<ItemReferences>,
    ) -> Result<Option<FreeJson>> {
        self.shown(self.record.before.as_deref(), references)
    }

    /// The fields that differ, with their values after the change. All fields for a create, null for a delete.
    async fn after(
        &self,
        #[graphql(
            desc = "KEY names other objects by their keys, as items of `apply` do, where they still exist. Defaults to their ids alone."
        )]
        references: Option<ItemReferences>,
    ) -> Result<Option<FreeJson>> {
        self.shown(self.record.after.as_deref(), references)
    }

    /// The actor that wrote the change.
    async fn actor(&self) -> &str {
        &self.record.actor
    }

    /// The source on whose behalf the change was written. Null for a change by a user.
    async fn source(&self) -> Option<&str> {
        self.record.source.as_deref()
    }

    /// The time when the change was written, in UTC.
    async fn at(&self) -> DateTime<Utc> {
        self.record.at
    }

    /// The object at the revision that the request reads. Null if it no longer exists.
    async fn object(&self) -> Option<Node> {
        let found = self.snapshot.find(self.record.object_id)?;
        Node::at(&self.snapshot, found)
    }
}

impl Change {
    /// Creates a change whose object is read from a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, record: Arc<change::Model>) -> Self {
        Self { snapshot, record }
    }

    /// Returns the fields of one side of the record.
    fn shown(&self, fields: Option<&str>, references: Option<ItemReferences>) -> Result<Option<FreeJson>> {
        let fields = fields.map(read_record).transpose()?;
        let fields = fields.map(|fields| match references {
            Some(references) => with_references(&self.snapshot, &self.record.kind, fields, references),
            None => fields,
        });
        Ok(fields.map(|fields| shown(&self.snapshot, &self.record.kind, fields)))
    }
}

/// Returns the fields of an object as clients see them, with managers by their names.
pub fn shown(snapshot: &Snapshot, kind: &str, mut fields: serde_json::Value) -> FreeJson {
    let kind = snapshot.registry().named(kind);
    if let (Some(kind), Some(managers)) = (kind, fields.get_mut("managers")) {
        let read: Managers = serde_json::from_value(managers.take()).unwrap_or_default();
        let name = |it: ManagedField| (it.field, serde_json::Value::String(it.manager));
        *managers = holdings(snapshot, kind, &read).into_iter().map(name).collect();
    }
    FreeJson(fields)
}

/// Returns the fields of a record with the targets of references in a form of items.
fn with_references(
    snapshot: &Snapshot,
    kind: &str,
    mut fields: serde_json::Value,
    references: ItemReferences,
) -> serde_json::Value {
    let Some(kind) = snapshot.registry().named(kind) else { return fields };
    for (name, value) in fields.as_object_mut().into_iter().flatten() {
        if let Some(field) = kind.field(name).map(|index| &kind.fields[index]) {
            *value = named(snapshot, field, value.take(), references);
        }
    }
    fields
}

/// Parses the fields in one side of a record.
pub fn read_record(fields: &str) -> Result<serde_json::Value> {
    serde_json::from_str(fields).map_err(|error| internal(&format!("a change record cannot be read: {error}")))
}

/// A page of a list of changes.
#[derive(Clone, Debug)]
pub struct ChangeConnection {
    changes: Arc<[Change]>,
    has_next: bool,
    has_previous: bool,
    counted: Option<Arc<Counted>>,
}

/// The number of changes in a whole list, once it was counted.
#[derive(Debug)]
struct Counted {
    query: ChangeQuery,
    count: OnceCell<u64>,
}

/// A change in a list, with its cursor.
#[derive(Clone, Debug, SimpleObject)]
pub struct ChangeEdge {
    /// The position of the change in the list. Pass it as `after` to continue from here.
    pub cursor: String,
    /// The change at this position.
    pub node: Change,
}

/// A page of a list of changes.
#[Object]
impl ChangeConnection {
    /// The changes of this page, each with its cursor.
    async fn edges(&self) -> Vec<Paced<ChangeEdge>> {
        let edge = |change: &Change| ChangeEdge { cursor: cursor(&change.record), node: change.clone() };
        self.changes.iter().map(edge).map(Paced).collect()
    }

    /// The changes of this page.
    async fn nodes(&self) -> Vec<Paced<&Change>> {
        self.changes.iter().map(Paced).collect()
    }

    /// The cursors of this page, and if more entries exist before or after it.
    async fn page_info(&self) -> PageInfo {
        PageInfo {
            has_next_page: self.has_next,
            has_previous_page: self.has_previous,
            start_cursor: self.changes.first().map(|change| cursor(&change.record)),
            end_cursor: self.changes.last().map(|change| cursor(&change.record)),
        }
    }

    /// The number of changes in the whole list. Null for the list of one object. It is computed only if it is selected.
    async fn total_count(&self, context: &Context<'_>) -> Result<Option<u64>> {
        let Some(Counted { query, count }) = self.counted.as_deref() else { return Ok(None) };
        let log = Request::of(context).log().map_err(|it| forbidden(&it))?;
        let count = count.get_or_try_init(|| log.count_changes(query)).await;
        count.copied().map(Some).map_err(|error| unreadable(&error.into()))
    }
}

fn cursor(record: &change::Model) -> String {
    LogPosition { revision: record.revision, position: record.position }.encode()
}

/// Parses the cursor in an argument. The revision of a cursor must not be in the future.
fn position(argument: &'static str, text: Option<&str>, snapshot: &Snapshot) -> Result<Option<LogPosition>> {
    let Some(text) = text else { return Ok(None) };
    let reason = "is no cursor of a list of changes: take one from pageInfo or edges".to_owned();
    let position = LogPosition::decode(text).ok_or_else(|| ReadError::Argument { argument, reason });
    let known = position.and_then(|it| not_future(argument, it.revision, snapshot.revision()).map(|()| it));
    known.map(Some).map_err(|error| unreadable(&error))
}

/// Returns a position as the store takes it.
fn pair(position: LogPosition) -> (i64, i32) {
    (position.revision, position.position)
}

pub(super) fn size(first: Option<i32>) -> Result<usize> {
    first.map_or(Ok(DEFAULT_PAGE_CHANGES), |first| in_range("first", first))
}

fn in_range(argument: &'static str, size: i32) -> Result<usize> {
    let size = usize::try_from(size).ok().filter(|size| *size <= MAX_PAGE_OBJECTS);
    let reason = format!("must be from 0 to {MAX_PAGE_OBJECTS}");
    size.ok_or_else(|| unreadable(&ReadError::Argument { argument, reason }))
}

/// The part of a list of changes that a request asks for.
#[derive(Clone, Copy, Debug)]
struct Part {
    limit: usize,
    after: Option<LogPosition>,
    before: Option<LogPosition>,
    /// True if the part is taken from the end of the list.
    from_end: bool,
}

impl Part {
    fn of(
        (first, last): (Option<i32>, Option<i32>),
        (after, before): (Option<&str>, Option<&str>),
        snapshot: &Snapshot,
    ) -> Result<Self> {
        let limit = match (first, last) {
            (Some(_), Some(_)) => {
                let reason = "cannot be combined with first".to_owned();
                return Err(unreadable(&ReadError::Argument { argument: "last", reason }));
            }
            (None, Some(last)) => in_range("last", last)?,
            (first, None) => size(first)?,
        };
        let (after, before) = (position(AFTER, after, snapshot)?, position(BEFORE, before, snapshot)?);
        Ok(Self { limit, after, before, from_end: last.is_some() })
    }

    /// Returns a page of the records that were read for it: one more than it has, if there are more.
    fn page(
        self,
        mut records: Vec<Arc<change::Model>>,
        snapshot: &Arc<Snapshot>,
        counted: Option<ChangeQuery>,
    ) -> ChangeConnection {
        let more = records.len() > self.limit;
        records.truncate(self.limit);
        if self.from_end {
            records.reverse();
        }
        let (has_next, has_previous) = match self.from_end {
            true => (self.before.is_some(), more),
            false => (more, self.after.is_some()),
        };
        let changes = records.into_iter().map(|record| Change { snapshot: Arc::clone(snapshot), record });
        let counted = counted.map(|query| Arc::new(Counted { query, count: OnceCell::new() }));
        ChangeConnection { changes: changes.collect(), has_next, has_previous, counted }
    }
}

/// Returns the changes of one object, newest first, up to the revision of a snapshot. Returns `None` if the caller may
/// not read the log.
pub fn of_object<'a>(
    context: &'a Context<'_>,
    snapshot: &'a Arc<Snapshot>,
    object: Uuid,
    first: Option<i32>,
    after: Option<String>,
) -> BoxFuture<'a, Result<Option<ChangeConnection>>> {
    Box::pin(async move {
        if Request::of(context).log().is_err() {
            return Ok(None);
        }
        let (limit, past) = (size(first)?, position(AFTER, after.as_deref(), snapshot)?);
        let key = ChangesOf { object, past, up_to: snapshot.revision(), limit: limit + 1 };
        let loader: &DataLoader<ChangeLoader> = context.data_unchecked();
        let found = loader.load_one(key).await.map_err(|error| unreadable(&ReadError::Store(error)))?;
        let Loaded { records, oldest } = found.unwrap_or_default();
        let began = past.map(|past| (AFTER, past.revision));
        held(began.as_slice(), oldest).map_err(|error| unreadable(&error))?;
        let part = Part { limit, after: past, before: None, from_end: false };
        Ok(Some(part.page(records, snapshot, None)))
    })
}

/// The key of the loader: a page of the changes of one object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChangesOf {
    object: Uuid,
    past: Option<LogPosition>,
    up_to: i64,
    limit: usize,
}

/// The loaded changes of one object.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    records: Vec<Arc<change::Model>>,
    /// The oldest revision that is held. It is read only if a page begins after a cursor.
    oldest: i64,
}

/// Loads the changes of many objects, with one statement for each distinct cursor, revision and page size.
#[derive(Clone, Debug)]
pub struct ChangeLoader(pub Store);

impl Loader<ChangesOf> for ChangeLoader {
    type Value = Loaded;
    type Error = Arc<underlay_engine::store::StoreError>;

    async fn load(&self, keys: &[ChangesOf]) -> Result<HashMap<ChangesOf, Self::Value>, Self::Error> {
        let mut forms: HashMap<(Option<LogPosition>, i64, usize), Vec<Uuid>> = HashMap::new();
        for key in keys {
            forms.entry((key.past, key.up_to, key.limit)).or_default().push(key.object);
        }
        let mut found: HashMap<ChangesOf, Self::Value> = HashMap::new();
        for ((past, up_to, limit), objects) in forms {
            let records = self.0.changes_of_each(&objects, past.map(pair), up_to, limit as u64).await?;
            let oldest = if past.is_some() { self.0.oldest_revision().await? } else { 0 };
            let key = |object| ChangesOf { object, past, up_to, limit };
            found.extend(objects.into_iter().map(|object| (key(object), Loaded { records: Vec::new(), oldest })));
            for record in records {
                if let Some(loaded) = found.get_mut(&key(record.object_id)) {
                    loaded.records.push(Arc::new(record));
                }
            }
        }
        Ok(found)
    }
}

/// Root fields that read the change log.
#[derive(Debug, Default)]
pub struct ChangeRoots;

/// Root fields that read the change log.
#[Object]
impl ChangeRoots {
    /// The oldest revision from which on all changes are held: 1 as long as none were dropped. For a token of a tenant,
    /// the oldest revision after which a subscription can begin. Null only with an error.
    async fn oldest_revision(&self, context: &Context<'_>) -> Result<Option<Revision>> {
        let request = Request::of(context);
        let Ok(log) = request.log() else {
            // The view may be newer than what this answer is read from.
            let oldest = request.view.current.oldest_for_clients();
            return Ok(Some(Revision(oldest.min(request.snapshot().revision()))));
        };
        let work = async {
            let _turn = log.turn_to_read().await;
            log.oldest_revision().await.map_err(|error| unreadable(&error.into()))
        };
        let key = ValueKey::of(context, "oldestRevision", &request.snapshot())?;
        Ok(Some(Revision(*request.shared.get(key, work).await?)))
    }

    /// The change log: the actor, the time, and the old and new values of every change. Changes are held for a
    /// configured time (see `oldestRevision`). Without a bound, the list has all changes that are held. A filter or
    /// cursor that asks for dropped changes fails with `REVISION_COMPACTED`, and the extensions of the error hold
    /// `oldestRevision`.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    async fn changes(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Selects the changes to list. Defaults to all.")] filter: Option<ChangeFilter>,
        #[graphql(desc = "The order of the list. Defaults to NEWEST_FIRST.")] order_by: Option<ChangeOrder>,
        #[graphql(desc = "The maximum number of entries from the beginning: 0 to 1000. Defaults to 50.")] first: Option<
            i32,
        >,
        #[graphql(desc = "Returns only entries after this cursor.")] after: Option<String>,
        #[graphql(desc = "The maximum number of entries from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only entries before this cursor.")] before: Option<String>,
    ) -> Result<Option<ChangeConnection>> {
        let request = Request::of(context);
        let (log, snapshot) = (request.log().map_err(|it| forbidden(&it))?, request.snapshot());
        let part = Part::of((first, last), (after.as_deref(), before.as_deref()), &snapshot)?;
        let filter = filter.unwrap_or_default();
        let bounds = bounds(&filter, part.after, part.before);
        let mut query = query(&snapshot, filter)?;
        let counted = query.clone();
        (query.past, query.before) = (part.after.map(pair), part.before.map(pair));
        (query.from_end, query.limit) = (part.from_end, part.limit as u64 + 1);
        query.oldest_first = order_by.unwrap_or_default() == ChangeOrder::OldestFirst;
        let work = async {
            let records = log.changes(&query).await.map_err(|error| unreadable(&error.into()))?;
            bounds.check(log).await.map_err(|error| unreadable(&error))?;
            request.pace.hold(records.iter().map(bytes).sum()).await;
            let records = records.into_iter().map(Arc::new).collect();
            Ok(part.page(records, &snapshot, Some(counted)))
        };
        let found = request.shared.get(ValueKey::of(context, "changes", &snapshot)?, work).await?;
        Ok(Some(ChangeConnection::clone(&found)))
    }
}

/// Returns the number of bytes that a record takes in memory.
fn bytes(record: &change::Model) -> usize {
    let fields = [&record.before, &record.after].into_iter().flatten();
    size_of::<change::Model>() + fields.map(|fields| fields.len()).sum::<usize>()
}
