//! The change log: one row for each object that a batch touched. A follower needs nothing else to make the
//! next value, and a change can be undone.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

/// The row of a change. What is JSON in it is kept as text: it is written for every object of every batch, as fast as
/// can be, and seldom looked into.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "change")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub revision: i64,
    /// The place in the batch.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i32,
    /// How `before` and `after` are written.
    pub format: i16,
    /// The kind of the object.
    pub kind: String,
    pub object_id: Uuid,
    /// The name of the object after the change; of a deleted one, before it.
    pub name: String,
    pub operation: Operation,
    /// The fields that differ, as they were: a JSON object. All of them for a delete, absent for a create.
    pub before: Option<String>,
    /// The fields that differ, as they are: a JSON object. All of them for a create, absent for a delete.
    pub after: Option<String>,
    /// Labels, tenant and containers as they were, so that a filter can be judged later: a JSON object. Absent when
    /// equal to `scope_after`.
    pub scope_before: Option<String>,
    /// Labels, tenant and containers as they are: a JSON object.
    pub scope_after: Option<String>,
    /// Who wrote, from the token.
    pub actor: String,
    /// The source in whose name a synchronizer wrote.
    pub source: Option<String>,
    pub at: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}

/// What happened to an object in a change.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "Operation")]
pub enum Operation {
    /// It was made.
    Created,
    /// Some of its fields changed.
    Updated,
    /// It was removed.
    Deleted,
}
