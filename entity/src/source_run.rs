//! The row of a run of a source: one pass of its synchronizer, with the counts of what it did.

use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

/// One run in the table `source_run`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_run")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The source. There is no reference in the database, because runs outlive a source for a moment.
    pub source_id: Uuid,
    pub mode: RunMode,
    pub state: RunState,
    pub started_at: DateTimeUtc,
    /// The time of the last call for the run.
    pub heartbeat_at: DateTimeUtc,
    pub finished_at: Option<DateTimeUtc>,
    /// The caller that started the run.
    pub actor: String,
    /// The revision of the inventory when the run started.
    pub base_revision: i64,
    /// True once the scan was reported complete, and false once it was reported incomplete. Null before that.
    pub complete: Option<bool>,
    /// True if the run is held because at least half of what is gone looks like objects with new external ids.
    pub renumbered: bool,
    pub seen: i64,
    pub created: i64,
    pub updated: i64,
    pub unchanged: i64,
    pub retired: i64,
    pub deleted: i64,
    pub released: i64,
    pub failed: i64,
    pub skipped_fields: i64,
    /// The number of things that the synchronizer read, as it says.
    pub read: i64,
    /// The number of things that the synchronizer put into attributes, as it says.
    pub put_aside: i64,
    /// The number of things that the synchronizer left out, as it says.
    pub left_out: i64,
    pub errors: RunErrors,
    pub first_revision: Option<i64>,
    pub last_revision: Option<i64>,
    /// The watermark of the source, which only its synchronizer understands.
    pub cursor: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}

crate::choice::choice! {
    /// The part of the source that a run reads.
    pub enum RunMode {
        /// The run reads everything. Objects that it does not see are gone.
        Full,
        /// The run reads a part. It never decides that an object is gone.
        Partial,
    }
}

crate::choice::choice! {
    /// The state of a run.
    pub enum RunState {
        /// The run accepts items.
        Running,
        /// The run ended and did everything that it had to do.
        Succeeded,
        /// The scan of the source was not complete, so nothing was removed.
        Failed,
        /// The run would have removed or emptied more than the limits of the source allow. An operator must approve or
        /// reject it.
        Held,
        /// No call for the run came for five minutes.
        Abandoned,
        /// The run was cancelled, or an operator rejected it.
        Cancelled,
    }
}

/// The first errors of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct RunErrors(pub Vec<RunErrorEntry>);

/// An error that a run reported, with the object that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunErrorEntry {
    /// The external id of the thing that the error is about, if there is one.
    pub external_id: Option<String>,
    pub code: String,
    pub message: String,
    /// The object that is the machine of an item that was refused for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_machine: Option<SameMachine>,
}

/// An object that is the same machine as an item of a source, which was refused for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase")]
pub struct SameMachine {
    /// The id of the object.
    pub object: Uuid,
    /// The field by which they are one machine.
    pub by: String,
}
