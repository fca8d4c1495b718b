//! The diff between two revisions in the API.

use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use underlay_entity::change::Operation;
use uuid::Uuid;

use super::Node;
use super::changes::{object_ids, shown, size};
use super::errors::{few, forbidden, named_kinds, unreadable};
use super::request::Request;
use super::scalars::{FreeJson, Revision};
use super::shared_values::ValueKey;
use underlay_engine::feed::Difference;
use underlay_inventory::Snapshot;
use underlay_read::{DiffPosition, DiffQuery, Paced, PageInfo, ReadError, diff};

/// The differences of one object between two revisions.
#[derive(Clone, Debug)]
pub struct ObjectDiff {
    snapshot: Arc<Snapshot>,
    difference: Arc<Difference>,
    cursor: String,
}

/// The differences of one object between two revisions.
#[Object]
impl ObjectDiff {
    /// The kind of the object, such as `Rack`.
    async fn kind(&self) -> &str {
        self.difference.kind
    }

    /// The id of the object that differs.
    async fn object_id(&self) -> ID {
        self.difference.object.into()
    }

    /// The name of the object at the second revision. For an object that does not exist there, its name at the first
    /// revision.
    async fn name(&self) -> &str {
        &self.difference.name
    }

    /// The operation that leads from the first revision to the second.
    async fn operation(&self) -> Operation {
        self.difference.operation()
    }

    /// The fields that differ, with their values at the first revision. All fields if the object does not exist at the
    /// second revision; null if it does not exist at the first.
    async fn before(&self) -> Option<FreeJson> {
        self.shown(self.difference.before.as_ref())
    }

    /// The fields that differ, with their values at the second revision. All fields if the object does not exist at the
    /// first revision; null if it does not exist at the second.
    async fn after(&self) -> Option<FreeJson> {
        self.shown(self.difference.after.as_ref())
    }

    /// The object at the revision that the request reads. Null if it does not exist there.
    async fn object(&self) -> Option<Node> {
        let found = self.snapshot.find(self.difference.object)?;
        Node::at(&self.snapshot, found)
    }
}

impl ObjectDiff {
    fn shown(&self, fields: Option<&serde_json::Map<String, serde_json::Value>>) -> Option<FreeJson> {
        fields.map(|fields| shown(&self.snapshot, self.difference.kind, fields.clone().into()))
    }
}

/// A page of the diff between two revisions.
#[derive(Clone, Debug)]
pub struct ObjectDiffConnection {
    changes: Arc<[ObjectDiff]>,
    more: bool,
    began_after: bool,
}

/// An entry of the diff, with its cursor.
#[derive(Clone, Debug, SimpleObject)]
pub struct ObjectDiffEdge {
    /// The position of the entry in the list. Pass it as `after` to continue from here.
    pub cursor: String,
    /// The differences of one object.
    pub node: ObjectDiff,
}

/// A page of the diff between two revisions.
#[Object]
impl ObjectDiffConnection {
    /// The differences of this page, each with its cursor.
    async fn edges(&self) -> Vec<Paced<ObjectDiffEdge>> {
        let edge = |node: &ObjectDiff| ObjectDiffEdge { cursor: node.cursor.clone(), node: node.clone() };
        self.changes.iter().map(edge).map(Paced).collect()
    }

    /// The differences of this page.
    async fn nodes(&self) -> Vec<Paced<&ObjectDiff>> {
        self.changes.iter().map(Paced).collect()
    }

    /// The cursors of this page, and if more entries exist before or after it.
    async fn page_info(&self) -> PageInfo {
        PageInfo {
            has_next_page: self.more,
            has_previous_page: self.began_after,
            start_cursor: self.changes.first().map(|change| change.cursor.clone()),
            end_cursor: self.changes.last().map(|change| change.cursor.clone()),
        }
    }
}

/// Selects the entries of a diff. All given members must match.
#[derive(Clone, Debug, Default, InputObject)]
pub struct ObjectDiffFilter {
    /// Only differences of these objects: at most 1,000.
    pub objects: Option<Vec<ID>>,
    /// Only differences of objects of these kinds, such as `Rack`.
    pub kinds: Option<Vec<String>>,
    /// Only differences with these operations.
    pub operations: Option<Vec<Operation>>,
}

/// The root field `diff`.
#[derive(Debug, Default)]
pub struct DiffRoots;

/// The root field `diff`.
#[Object]
impl DiffRoots {
    /// Returns the diff between two revisions: one entry for each object that differs, ordered by kind, name and id. An
    /// object that was created and deleted in between, or changed and changed back, does not differ. Differences in
    /// `version`, `updatedAt` and the `since` of managers do not count; they are shown only beside others. If `from` is
    /// later than `to`, the diff is what would undo the changes. All changes between the two revisions must still be
    /// held (`REVISION_COMPACTED`), and there may be at most 1,000,000 (`TOO_COMPLEX`).
    async fn diff(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The revision that the diff starts from. 0 is before the first revision.")] from: Revision,
        #[graphql(desc = "The revision that the diff leads to. It may be later or earlier than `from`.")] to: Revision,
        #[graphql(desc = "Selects the entries of the diff. Defaults to all.")] filter: Option<ObjectDiffFilter>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")] first: Option<i32>,
        #[graphql(desc = "Returns only entries after this cursor.")] after: Option<String>,
    ) -> Result<Option<ObjectDiffConnection>> {
        let request = Request::of(context);
        let log = request.log().map_err(|it| forbidden(&it))?;
        let (snapshot, filter) = (request.snapshot(), filter.unwrap_or_default());
        if let Some(kinds) = &filter.kinds {
            named_kinds(&snapshot, kinds)?;
        }
        few("operations", filter.operations.as_ref().map_or(0, Vec::len))?;
        let span = Span { from: from.0, to: to.0 };
        let question = DiffQuery {
            objects: filter.objects.as_deref().map(object_ids).transpose()?,
            kinds: filter.kinds,
            operations: filter.operations,
            after: after.as_deref().map(|text| span.object(text)).transpose()?,
            ..DiffQuery::all(span.from, span.to, size(first)?)
        };
        let work = async {
            // It may note something about a million changes, however few entries are wanted.
            let _turn = request.turn_to_compute().await;
            let page = diff(log, &snapshot, &question).await.map_err(|error| unreadable(&error))?;
            let change = |difference: Difference| ObjectDiff {
                snapshot: Arc::clone(&snapshot),
                cursor: span.cursor(difference.object),
                difference: Arc::new(difference),
            };
            let changes = page.differences.into_iter().map(change).collect();
            Ok(ObjectDiffConnection { changes, more: page.more, began_after: question.after.is_some() })
        };
        let found = request.shared.get(ValueKey::of(context, "diff", &snapshot)?, work).await?;
        Ok(Some(ObjectDiffConnection::clone(&found)))
    }
}

/// The two revisions of a diff.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: i64,
    to: i64,
}

impl Span {
    fn cursor(self, object: Uuid) -> String {
        DiffPosition { from: self.from, to: self.to, object }.encode()
    }

    /// Returns the object that a cursor points at.
    fn object(self, cursor: &str) -> Result<Uuid> {
        let position = DiffPosition::decode(cursor).filter(|it| (it.from, it.to) == (self.from, self.to));
        let reason = format!("is no cursor of the differences from {} to {}", self.from, self.to);
        position.map(|it| it.object).ok_or_else(|| unreadable(&ReadError::Argument { argument: "after", reason }))
    }
}
