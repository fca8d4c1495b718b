//! The change log in the API: of one object, and as a query over everything.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::{Context, Enum, ID, InputObject, Json, Object, Result, SimpleObject};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Datelike, Utc};
use futures_util::future::BoxFuture;
use underlay_entity::change::{self, Operation};
use underlay_entity::common::Managers;
use uuid::Uuid;

use super::Node;
use super::errors::{forbidden, internal, named_kinds, unreadable};
use super::grammar::{ManagedField, holdings};
use super::request::Request;
use super::scalars::Revision;
use crate::inventory::{STORED_YEARS, Snapshot, shorten_text};
use crate::read::{Bounds, MOST, Paced, PageInfo, ReadError, held, not_future};
use crate::store::{ChangeQuery, Store};

/// How many changes a page has when nobody says.
const USUAL: usize = 50;
/// How many objects' changes are asked for in one statement.
pub const MOST_LOADED: usize = 1_000;

/// The argument with a cursor.
const AFTER: &str = "after";
/// Members of the filter.
const FROM_REVISION: &str = "fromRevision";
const TO_REVISION: &str = "toRevision";

/// The place of a change: (revision, position).
type Spot = (i64, i32);

/// What one batch did to one object.
#[derive(Clone, Debug)]
pub struct Change {
    snapshot: Arc<Snapshot>,
    record: Arc<change::Model>,
}

/// What one batch did to one object.
#[Object]
impl Change {
    /// The revision that the batch made.
    async fn revision(&self) -> Revision {
        Revision(self.record.revision)
    }

    /// The place of the change in its batch.
    async fn position(&self) -> i32 {
        self.record.position
    }

    /// The kind of the object.
    async fn kind(&self) -> &str {
        &self.record.kind
    }

    /// The id of the object.
    async fn object_id(&self) -> ID {
        self.record.object_id.into()
    }

    /// The name of the object after the change; of a deleted one, before it.
    async fn name(&self) -> &str {
        &self.record.name
    }

    /// What was done.
    async fn operation(&self) -> Operation {
        self.record.operation
    }

    /// The fields that differ, as they were; all of them for a delete, null for a create.
    async fn before(&self) -> Result<Option<Json<serde_json::Value>>> {
        self.shown(self.record.before.as_deref())
    }

    /// The fields that differ, as they became; all of them for a create, null for a delete.
    async fn after(&self) -> Result<Option<Json<serde_json::Value>>> {
        self.shown(self.record.after.as_deref())
    }

    /// Who wrote.
    async fn actor(&self) -> &str {
        &self.record.actor
    }

    /// The source in whose name it was written; null for a user.
    async fn source(&self) -> Option<&str> {
        self.record.source.as_deref()
    }

    /// When it was written, in UTC.
    async fn at(&self) -> DateTime<Utc> {
        self.record.at
    }

    /// The object as it is at the revision that is read; null when it is no longer there.
    async fn object(&self) -> Option<Node> {
        let place = self.snapshot.find(self.record.object_id)?;
        Node::at(&self.snapshot, place)
    }
}

impl Change {
    /// A change, whose object is read from a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, record: Arc<change::Model>) -> Self {
        Self { snapshot, record }
    }

    /// The fields of one side of the record.
    fn shown(&self, fields: Option<&str>) -> Result<Option<Json<serde_json::Value>>> {
        let fields = fields.map(read_record).transpose()?;
        Ok(fields.map(|fields| shown(&self.snapshot, &self.record.kind, fields)))
    }
}

/// The fields of an object of a kind as they are shown: with managers by their names.
pub fn shown(snapshot: &Snapshot, kind: &str, mut fields: serde_json::Value) -> Json<serde_json::Value> {
    let kind = snapshot.registry().named(kind);
    if let (Some(kind), Some(managers)) = (kind, fields.get_mut("managers")) {
        let read: Managers = serde_json::from_value(managers.take()).unwrap_or_default();
        let name = |it: ManagedField| (it.field, serde_json::Value::String(it.manager));
        *managers = holdings(snapshot, kind, &read).into_iter().map(name).collect();
    }
    Json(fields)
}

/// The fields in one side of a record.
pub fn read_record(fields: &str) -> Result<serde_json::Value> {
    serde_json::from_str(fields).map_err(|error| internal(&format!("a change record cannot be read: {error}")))
}

/// A part of a list of changes.
#[derive(Clone, Debug)]
pub struct ChangeConnection {
    changes: Vec<Change>,
    more: bool,
    began_after: bool,
    counted: Option<ChangeQuery>,
}

/// A change in a list, with its place in it.
#[derive(Clone, Debug, SimpleObject)]
pub struct ChangeEdge {
    /// The place of the change in the list, to go on from.
    pub cursor: String,
    /// The change.
    pub node: Change,
}

/// A part of a list of changes.
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

    /// Where this page stands in the list.
    async fn page_info(&self) -> PageInfo {
        PageInfo {
            has_next_page: self.more,
            has_previous_page: self.began_after,
            start_cursor: self.changes.first().map(|change| cursor(&change.record)),
            end_cursor: self.changes.last().map(|change| cursor(&change.record)),
        }
    }

    /// How many changes the whole list has; null for the list of one object. Worked out only when it is selected.
    async fn total_count(&self, context: &Context<'_>) -> Result<Option<u64>> {
        let Some(query) = &self.counted else { return Ok(None) };
        let count = Request::of(context).log().map_err(|it| forbidden(&it))?.count_changes(query).await;
        count.map(Some).map_err(|error| unreadable(&error.into()))
    }
}

fn cursor(record: &change::Model) -> String {
    URL_SAFE_NO_PAD.encode(format!("{}/{}", record.revision, record.position))
}

fn spot(after: Option<&str>, snapshot: &Snapshot) -> Result<Option<Spot>> {
    let Some(text) = after else { return Ok(None) };
    let decoded = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let spot = decoded.and_then(|text| {
        let (revision, position) = text.split_once('/')?;
        Some((revision.parse().ok()?, position.parse().ok()?))
    });
    let reason = "is no cursor of a list of changes: take one from pageInfo or edges".to_owned();
    let spot = spot.ok_or_else(|| ReadError::Argument { argument: AFTER, reason });
    let known = spot.and_then(|spot: Spot| not_future(AFTER, spot.0, snapshot.revision()).map(|()| spot));
    known.map(Some).map_err(|error| unreadable(&error))
}

pub(super) fn size(first: Option<i32>) -> Result<usize> {
    let first = first.map_or(Ok(USUAL), usize::try_from).ok().filter(|first| *first <= MOST);
    let reason = format!("must be from 0 to {MOST}");
    first.ok_or_else(|| unreadable(&ReadError::Argument { argument: "first", reason }))
}

/// The changes of one object, newest first, up to the revision of a snapshot; `None` for who may not read the log.
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
        let (limit, past) = (size(first)?, spot(after.as_deref(), snapshot)?);
        let key = ChangesOf { object, past, up_to: snapshot.revision(), limit: limit + 1 };
        let loader: &DataLoader<ChangeLoader> = context.data_unchecked();
        let found = loader.load_one(key).await.map_err(|error| unreadable(&ReadError::Store(error)))?;
        let Loaded { records, oldest } = found.unwrap_or_default();
        let began = past.map(|(revision, _)| (AFTER, revision));
        held(began.as_slice(), oldest).map_err(|error| unreadable(&error))?;
        Ok(Some(connection(snapshot, records, limit, past.is_some(), None)))
    })
}

fn connection(
    snapshot: &Arc<Snapshot>,
    mut records: Vec<Arc<change::Model>>,
    limit: usize,
    began_after: bool,
    counted: Option<ChangeQuery>,
) -> ChangeConnection {
    let more = records.len() > limit;
    records.truncate(limit);
    let changes = records.into_iter().map(|record| Change { snapshot: Arc::clone(snapshot), record });
    ChangeConnection { changes: changes.collect(), more, began_after, counted }
}

/// A page of the changes of one object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChangesOf {
    object: Uuid,
    past: Option<Spot>,
    up_to: i64,
    limit: usize,
}

/// The changes of one object that were found.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    records: Vec<Arc<change::Model>>,
    /// The oldest revision that is held, where a page begins after a cursor.
    oldest: i64,
}

/// Loads the changes of many objects with one statement for each form of the question.
#[derive(Clone, Debug)]
pub struct ChangeLoader(pub Store);

impl Loader<ChangesOf> for ChangeLoader {
    type Value = Loaded;
    type Error = Arc<crate::store::StoreError>;

    async fn load(&self, keys: &[ChangesOf]) -> Result<HashMap<ChangesOf, Self::Value>, Self::Error> {
        let mut forms: HashMap<(Option<Spot>, i64, usize), Vec<Uuid>> = HashMap::new();
        for key in keys {
            forms.entry((key.past, key.up_to, key.limit)).or_default().push(key.object);
        }
        let mut found: HashMap<ChangesOf, Self::Value> = HashMap::new();
        for ((past, up_to, limit), objects) in forms {
            let records = self.0.changes_of_each(&objects, past, up_to, limit as u64).await?;
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

/// In which order changes are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum ChangeOrder {
    /// From the newest to the oldest. The default.
    #[default]
    NewestFirst,
    /// From the oldest to the newest.
    OldestFirst,
}

/// Which changes are asked for. What is given must all hold.
#[derive(Clone, Debug, Default, InputObject)]
pub struct ChangeFilter {
    /// Of one of these objects.
    pub objects: Option<Vec<ID>>,
    /// Of an object of one of these kinds, such as `Rack`.
    pub kinds: Option<Vec<String>>,
    /// By one of these actors.
    pub actors: Option<Vec<String>>,
    /// In the name of one of these sources.
    pub sources: Option<Vec<String>>,
    /// One of these operations.
    pub operations: Option<Vec<Operation>>,
    /// At this revision or later: not before `oldestRevision`, unless nothing was ever dropped, and at most the one after
    /// the newest.
    pub from_revision: Option<Revision>,
    /// At this revision or earlier: not before `oldestRevision`, unless nothing was ever dropped, and at most the newest.
    pub to_revision: Option<Revision>,
    /// At this time or later: not before `oldestRevision` was made, unless nothing was ever dropped.
    pub from_time: Option<DateTime<Utc>>,
    /// At this time or earlier: not before `oldestRevision` was made, unless nothing was ever dropped.
    pub to_time: Option<DateTime<Utc>>,
}

/// Root fields that read the change log.
#[derive(Debug, Default)]
pub struct ChangeRoots;

/// Root fields that read the change log.
#[Object]
impl ChangeRoots {
    /// The oldest revision whose changes are held, and those of all later ones: 1 as long as none were dropped. For a
    /// token of a tenant the oldest after which a subscription can begin. Null only with an error.
    async fn oldest_revision(&self, context: &Context<'_>) -> Result<Option<Revision>> {
        let view = &Request::of(context).view;
        let Some(log) = view.log() else { return Ok(Some(Revision(view.newest.oldest()))) };
        let oldest = log.oldest_revision().await;
        oldest.map(|oldest| Some(Revision(oldest))).map_err(|error| unreadable(&error.into()))
    }

    /// The change log: who changed what, when, from what to what. Changes are held for a configured time
    /// (`oldestRevision`): without a bound it shows what there is; a filter or a cursor that asks for what was dropped is
    /// refused with `REVISION_COMPACTED`, and `oldestRevision` in the extensions of the error.
    async fn changes(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; default: all.")] filter: Option<ChangeFilter>,
        #[graphql(desc = "In which order. Default: NEWEST_FIRST.")] order_by: Option<ChangeOrder>,
        #[graphql(desc = "At most so many: 0 to 1000, default 50.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
    ) -> Result<Option<ChangeConnection>> {
        let request = Request::of(context);
        let (log, snapshot) = (request.log().map_err(|it| forbidden(&it))?, request.snapshot());
        let (limit, past) = (size(first)?, spot(after.as_deref(), &snapshot)?);
        let filter = filter.unwrap_or_default();
        let bounds = bounds(&filter, past);
        let mut query = query(&snapshot, filter)?;
        let counted = query.clone();
        (query.past, query.limit) = (past, limit as u64 + 1);
        query.oldest_first = order_by.unwrap_or_default() == ChangeOrder::OldestFirst;
        let records = log.changes(&query).await.map_err(|error| unreadable(&error.into()))?;
        bounds.check(log).await.map_err(|error| unreadable(&error))?;
        let records = records.into_iter().map(Arc::new).collect();
        Ok(Some(connection(&snapshot, records, limit, past.is_some(), Some(counted))))
    }
}

/// From where to where a history is asked for.
fn bounds(filter: &ChangeFilter, past: Option<Spot>) -> Bounds {
    let from = filter.from_revision.map(|revision| (FROM_REVISION, revision.0));
    let to = filter.to_revision.map(|revision| (TO_REVISION, revision.0));
    let after = past.map(|(revision, _)| (AFTER, revision));
    let times = [("fromTime", filter.from_time), ("toTime", filter.to_time)];
    Bounds {
        revisions: [from, to, after].into_iter().flatten().collect(),
        times: times.into_iter().filter_map(|(argument, at)| Some((argument, at?))).collect(),
    }
}

/// The ids that a member `objects` of a filter gives.
pub(super) fn object_ids(ids: &[ID]) -> Result<Vec<Uuid>> {
    let id = |id: &ID| {
        let reason = format!("must hold UUIDs, not {:?}", shorten_text(id));
        Uuid::parse_str(id).map_err(|_| unreadable(&ReadError::Argument { argument: "objects", reason }))
    };
    ids.iter().map(id).collect()
}

/// The question to the change log, bounded by the revision of the request.
fn query(snapshot: &Snapshot, filter: ChangeFilter) -> Result<ChangeQuery> {
    let objects = filter.objects.as_deref().map(object_ids).transpose()?;
    if let Some(kinds) = &filter.kinds {
        named_kinds(snapshot, kinds)?;
    }
    for (argument, texts) in [("actors", &filter.actors), ("sources", &filter.sources)] {
        if texts.iter().flatten().any(|text| text.contains('\0')) {
            let reason = "must not contain the character NUL".to_owned();
            return Err(unreadable(&ReadError::Argument { argument, reason }));
        }
    }
    for (argument, time) in [("fromTime", filter.from_time), ("toTime", filter.to_time)] {
        if let Some(time) = time.filter(|time| !STORED_YEARS.contains(&time.year())) {
            let reason = format!("must be a time from 0001-01-01 to 9999-12-31, not {time}");
            return Err(unreadable(&ReadError::Argument { argument, reason }));
        }
    }
    let newest = snapshot.revision();
    // Whoever asks again and again for what is new names the revision after the last.
    let from = filter.from_revision.map(|revision| (FROM_REVISION, revision.0, newest.saturating_add(1)));
    let to = filter.to_revision.map(|revision| (TO_REVISION, revision.0, newest));
    if let Some((argument, revision, _)) = from.into_iter().chain(to).find(|(_, revision, most)| revision > most) {
        return Err(unreadable(&ReadError::Future { argument, revision, newest }));
    }
    Ok(ChangeQuery {
        objects,
        kinds: filter.kinds,
        actors: filter.actors,
        sources: filter.sources,
        operations: filter.operations,
        from_revision: filter.from_revision.map(|revision| revision.0),
        to_revision: Some(filter.to_revision.map_or(newest, |revision| revision.0)),
        from_time: filter.from_time,
        to_time: filter.to_time,
        ..ChangeQuery::default()
    })
}
