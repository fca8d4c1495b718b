//! The net difference between two revisions, as the API shows it.

use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Json, Object, Result, SimpleObject};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use underlay_entity::change::Operation;
use uuid::Uuid;

use super::Node;
use super::changes::{object_ids, shown, size};
use super::errors::{forbidden, named_kinds, unreadable};
use super::request::Request;
use super::scalars::Revision;
use crate::feed::Difference;
use crate::inventory::Snapshot;
use crate::read::{NetQuestion, Paced, PageInfo, ReadError, net};

/// What differs in one object between two revisions.
#[derive(Clone, Debug)]
pub struct NetChange {
    snapshot: Arc<Snapshot>,
    difference: Arc<Difference>,
    cursor: String,
}

/// What differs in one object between two revisions.
#[Object]
impl NetChange {
    /// The kind of the object.
    async fn kind(&self) -> &str {
        self.difference.kind
    }

    /// The id of the object.
    async fn object_id(&self) -> ID {
        self.difference.object.into()
    }

    /// The name of the object at the second revision; of one that is not there then, at the first.
    async fn name(&self) -> &str {
        &self.difference.name
    }

    /// What leads from the first revision to the second.
    async fn operation(&self) -> Operation {
        self.difference.operation()
    }

    /// The fields that differ, as they are at the first revision; all of them when the object is not there at the second,
    /// null when it is not there at the first.
    async fn before(&self) -> Option<Json<serde_json::Value>> {
        self.shown(self.difference.before.as_ref())
    }

    /// The fields that differ, as they are at the second revision; all of them when the object is not there at the first,
    /// null when it is not there at the second.
    async fn after(&self) -> Option<Json<serde_json::Value>> {
        self.shown(self.difference.after.as_ref())
    }

    /// The object as it is at the revision that is read; null when it is not there.
    async fn object(&self) -> Option<Node> {
        let place = self.snapshot.find(self.difference.object)?;
        Node::at(&self.snapshot, place)
    }
}

impl NetChange {
    fn shown(&self, fields: Option<&serde_json::Map<String, serde_json::Value>>) -> Option<Json<serde_json::Value>> {
        fields.map(|fields| shown(&self.snapshot, self.difference.kind, fields.clone().into()))
    }
}

/// A part of the differences between two revisions.
#[derive(Clone, Debug)]
pub struct NetChangeConnection {
    changes: Vec<NetChange>,
    more: bool,
    began_after: bool,
}

/// A difference in a list, with its place in it.
#[derive(Clone, Debug, SimpleObject)]
pub struct NetChangeEdge {
    /// The place of the difference in the list, to go on from.
    pub cursor: String,
    /// The difference.
    pub node: NetChange,
}

/// A part of the differences between two revisions.
#[Object]
impl NetChangeConnection {
    /// The differences of this page, each with its cursor.
    async fn edges(&self) -> Vec<Paced<NetChangeEdge>> {
        let edge = |node: &NetChange| NetChangeEdge { cursor: node.cursor.clone(), node: node.clone() };
        self.changes.iter().map(edge).map(Paced).collect()
    }

    /// The differences of this page.
    async fn nodes(&self) -> Vec<Paced<&NetChange>> {
        self.changes.iter().map(Paced).collect()
    }

    /// Where this page stands in the list.
    async fn page_info(&self) -> PageInfo {
        PageInfo {
            has_next_page: self.more,
            has_previous_page: self.began_after,
            start_cursor: self.changes.first().map(|change| change.cursor.clone()),
            end_cursor: self.changes.last().map(|change| change.cursor.clone()),
        }
    }
}

/// Which differences are asked for. What is given must all hold.
#[derive(Clone, Debug, Default, InputObject)]
pub struct NetChangeFilter {
    /// In one of these objects.
    pub objects: Option<Vec<ID>>,
    /// In objects of one of these kinds, such as `Rack`.
    pub kinds: Option<Vec<String>>,
    /// One of these operations.
    pub operations: Option<Vec<Operation>>,
}

/// The root field for differences.
#[derive(Debug, Default)]
pub struct NetRoots;

/// The root field for differences.
#[Object]
impl NetRoots {
    /// The net difference between two revisions: for each object that differs one entry, by kind, name and id. What was
    /// created and deleted between them, or changed and changed back, is no difference; nor are `version`, `updatedAt`
    /// and since when a manager holds a field, which are shown beside others only. With `from` after `to` it is what
    /// would undo the changes. All changes between the two must still be held (`REVISION_COMPACTED`), and be at most
    /// 1,000,000 (`TOO_COMPLEX`).
    async fn diff(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The revision that the difference leads from. 0: before the first.")] from: Revision,
        #[graphql(desc = "The revision that it leads to: later or earlier.")] to: Revision,
        #[graphql(desc = "Which differences; default: all.")] filter: Option<NetChangeFilter>,
        #[graphql(desc = "At most so many: 0 to 1000, default 50.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
    ) -> Result<Option<NetChangeConnection>> {
        let request = Request::of(context);
        let log = request.log().map_err(|it| forbidden(&it))?;
        let (snapshot, filter) = (request.snapshot(), filter.unwrap_or_default());
        if let Some(kinds) = &filter.kinds {
            named_kinds(&snapshot, kinds)?;
        }
        let span = Span { from: from.0, to: to.0 };
        let question = NetQuestion {
            objects: filter.objects.as_deref().map(object_ids).transpose()?,
            kinds: filter.kinds,
            operations: filter.operations,
            after: after.as_deref().map(|text| span.object(text)).transpose()?,
            ..NetQuestion::all(span.from, span.to, size(first)?)
        };
        let page = net(log, &snapshot, &question).await.map_err(|error| unreadable(&error))?;
        let change = |difference: Difference| NetChange {
            snapshot: Arc::clone(&snapshot),
            cursor: span.cursor(difference.object),
            difference: Arc::new(difference),
        };
        let changes = page.differences.into_iter().map(change).collect();
        Ok(Some(NetChangeConnection { changes, more: page.more, began_after: question.after.is_some() }))
    }
}

/// The two revisions, which a cursor names too: between others the same object may be missing.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: i64,
    to: i64,
}

impl Span {
    fn cursor(self, object: Uuid) -> String {
        URL_SAFE_NO_PAD.encode(format!("{}/{}/{object}", self.from, self.to))
    }

    /// The object that a cursor stands at.
    fn object(self, cursor: &str) -> Result<Uuid> {
        let decoded = URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let object = decoded.as_deref().and_then(|text| text.strip_prefix(&format!("{}/{}/", self.from, self.to)));
        let reason = format!("is no cursor of the differences from {} to {}", self.from, self.to);
        let object = object.and_then(|text| Uuid::parse_str(text).ok());
        object.ok_or_else(|| unreadable(&ReadError::Argument { argument: "after", reason }))
    }
}
