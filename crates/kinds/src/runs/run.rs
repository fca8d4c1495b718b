//! A run of a source in the API, with its errors and what the guard holds.

use async_graphql::{ComplexObject, Context, ID, Result, SimpleObject};
use chrono::{DateTime, Utc};
use underlay_entity::source_held::{self, HeldReason};
use underlay_entity::source_run::{self, RunMode, RunState};
use underlay_entity::source_suspect;
use uuid::Uuid;

use super::load::{HeldList, HeldWith, load};
use super::most;
use crate::Node;
use crate::request::Request;
use crate::scalars::Revision;
use crate::source::Source;

/// A run of a source: one pass of its synchronizer.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex)]
pub struct SourceRun {
    /// The id of the run. Batches of the run give it as `run`.
    pub id: ID,
    /// The part of the source that the run reads.
    pub mode: RunMode,
    /// The state of the run.
    pub state: RunState,
    /// The time when the run started.
    pub started_at: DateTime<Utc>,
    /// The time of the last call for the run.
    pub heartbeat_at: DateTime<Utc>,
    /// The time when the run ended. Null while it accepts calls.
    pub finished_at: Option<DateTime<Utc>>,
    /// The number of different things that the run saw.
    pub seen: i64,
    /// The number of objects that the run created.
    pub created: i64,
    /// The number of objects that the run changed.
    pub updated: i64,
    /// The number of items that changed nothing.
    pub unchanged: i64,
    /// The number of objects that the run retired.
    pub retired: i64,
    /// The number of objects that the run deleted.
    pub deleted: i64,
    /// The number of objects that the run released.
    pub released: i64,
    /// The number of things that failed in the end: that were refused and not written later, or reported as errors by
    /// the synchronizer. An external id counts once.
    pub failed: i64,
    /// The number of fields that kept their value, because another manager owns them or the guard holds them.
    pub skipped_fields: i64,
    /// The number of things that the synchronizer read, as it says.
    pub read: i64,
    /// The number of things that the synchronizer put into attributes, as it says.
    pub put_aside: i64,
    /// The number of things that the synchronizer left out, as it says.
    pub left_out: i64,
    /// True if the run is held because at least half of what is gone looks like objects with new external ids. An
    /// operator can give the old objects the new ids: `approveRun` with `adopt`.
    pub renumbered: bool,
    /// The first things that failed in the end, each with its last error: at most 100. Objects that are gone and could
    /// not be removed are among them. Empty for callers that may not run the source: `failed` counts what failed.
    pub errors: Vec<SourceRunError>,
    /// The first revision that the run made.
    pub first_revision: Option<Revision>,
    /// The last revision that the run made.
    pub last_revision: Option<Revision>,
    /// The watermark of the source. Only its synchronizer understands it.
    pub cursor: Option<String>,
    #[graphql(skip)]
    source_id: Uuid,
    #[graphql(skip)]
    run_id: Uuid,
}

/// An error of a run.
#[derive(Clone, Debug, SimpleObject)]
pub struct SourceRunError {
    /// The external id of the thing that the error is about.
    pub external_id: Option<String>,
    /// The code of the error.
    pub code: String,
    /// The reason, in one sentence.
    pub message: String,
}

/// An object or a field that the guard holds.
#[derive(Clone, Debug, SimpleObject)]
pub struct HeldObject {
    /// The kind of the object.
    pub kind: String,
    /// The id of the object.
    pub id: ID,
    /// The name of the object.
    pub name: String,
    /// The id of the object in the source.
    pub external_id: String,
    /// The reason why it is held.
    pub reason: HeldReason,
    /// The field that would be emptied or replaced, or its entry, such as `labels.role`. Null if the object would be
    /// removed.
    pub field: Option<String>,
    /// The value that the source gives the field. Null if it gives none, or the object would be removed.
    pub value: Option<crate::scalars::FreeJson>,
}

/// Something that a look between two scans did not find in its source.
#[derive(Clone, Debug, SimpleObject)]
pub struct Suspect {
    /// The kind of the object.
    pub kind: String,
    /// The id of the object in the source.
    pub external_id: String,
    /// The time of the look.
    pub at: DateTime<Utc>,
}

impl From<source_run::Model> for SourceRun {
    fn from(run: source_run::Model) -> Self {
        let error = |error: source_run::RunErrorEntry| SourceRunError {
            external_id: error.external_id,
            code: error.code,
            message: error.message,
        };
        Self {
            id: run.id.into(),
            mode: run.mode,
            state: run.state,
            started_at: run.started_at,
            heartbeat_at: run.heartbeat_at,
            finished_at: run.finished_at,
            seen: run.seen,
            created: run.created,
            updated: run.updated,
            unchanged: run.unchanged,
            retired: run.retired,
            deleted: run.deleted,
            released: run.released,
            failed: run.failed,
            skipped_fields: run.skipped_fields,
            read: run.read,
            put_aside: run.put_aside,
            left_out: run.left_out,
            renumbered: run.renumbered,
            errors: run.errors.0.into_iter().map(error).collect(),
            first_revision: run.first_revision.map(Revision),
            last_revision: run.last_revision.map(Revision),
            cursor: run.cursor,
            source_id: run.source_id,
            run_id: run.id,
        }
    }
}

impl From<source_held::Model> for HeldObject {
    fn from(held: source_held::Model) -> Self {
        Self {
            kind: held.kind,
            id: held.object_id.into(),
            name: held.name,
            external_id: held.external_id,
            reason: held.reason,
            field: Some(held.field).filter(|field| !field.is_empty()),
            value: held.value.map(crate::scalars::FreeJson),
        }
    }
}

impl From<source_suspect::Model> for Suspect {
    fn from(suspect: source_suspect::Model) -> Self {
        Self { kind: suspect.kind, external_id: suspect.external_id, at: suspect.at }
    }
}

/// A run of a source: one pass of its synchronizer.
#[ComplexObject]
impl SourceRun {
    /// The source of the run. Null if it was deleted.
    async fn source(&self, context: &Context<'_>) -> Option<Source> {
        let snapshot = Request::of(context).snapshot();
        match Node::at(&snapshot, snapshot.find(self.source_id)?)? {
            Node::Source(source) => Some(source),
            _ => None,
        }
    }

    /// The objects and fields that the guard holds with the run, in the order of names.
    async fn held(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 1000.")] first: Option<i32>,
    ) -> Result<Vec<HeldObject>> {
        let key = HeldList { run: self.run_id, most: most(first)? };
        let held = Box::pin(load(context, key)).await?.unwrap_or_default();
        Ok(held.into_iter().map(HeldObject::from).collect())
    }

    /// The number of objects and fields that the guard holds with the run.
    async fn held_count(&self, context: &Context<'_>) -> Result<i64> {
        Ok(load(context, HeldWith(self.run_id)).await?.unwrap_or_default())
    }
}
