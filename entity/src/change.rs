//! The change log: one row for each object that a batch changed. A follower can make the next snapshot from these rows
//! alone, and a change can be undone.

use sea_orm::entity::prelude::*;

/// The row of a change. Its JSON is stored as text, because rows are written for every object of every batch, as fast
/// as possible, and are seldom read.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "change")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub revision: i64,
    /// The position of the change in its batch, from 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i32,
    /// The format of `before` and `after`.
    pub format: i16,
    /// The kind of the object.
    pub kind: String,
    pub object_id: Uuid,
    /// The name of the object after the change, or before the change if the object was deleted.
    pub name: String,
    pub operation: Operation,
    /// The changed fields before the change, as a JSON object. A delete has all fields, and a create has none (null).
    pub before: Option<String>,
    /// The changed fields after the change, as a JSON object. A create has all fields, and a delete has none (null).
    pub after: Option<String>,
    /// The labels, tenant and containers before the change, as a JSON object, so that filters can be applied later.
    /// Null if equal to `scope_after`.
    pub scope_before: Option<String>,
    /// The labels, tenant and containers after the change, as a JSON object.
    pub scope_after: Option<String>,
    /// The user that made the change, from the token.
    pub actor: String,
    /// The source on whose behalf a synchronizer made the change.
    pub source: Option<String>,
    pub at: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}

crate::choice::choice! {
    /// The effect of a change on an object.
    pub enum Operation {
        /// The object was created.
        Created,
        /// Some fields of the object changed.
        Updated,
        /// The object was deleted.
        Deleted,
    }
}
