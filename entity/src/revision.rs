//! The one row that counts revisions. A writer takes the next number by updating this row, so revisions have the order
//! of commits on both databases.

use sea_orm::entity::prelude::*;

/// The row of the current revision.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "revision")]
pub struct Model {
    /// Always 1, because there is only one row.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    /// The current revision; 0 before the first batch.
    pub number: i64,
    /// The batch that made the revision; nil before the first batch.
    pub batch_id: Uuid,
    /// The time at which the revision was made.
    pub at: DateTimeUtc,
    /// The minimum format version that a reader must support.
    pub reader_format: i32,
    /// The minimum format version that a writer must support.
    pub writer_format: i32,
}

impl ActiveModelBehavior for ActiveModel {}
