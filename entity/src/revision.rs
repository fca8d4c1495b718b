//! The one row that counts revisions. Whoever writes takes the next number by updating it, so the order of
//! revisions is the order of commits on both databases.

use sea_orm::entity::prelude::*;

/// The row of the newest revision.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "revision")]
pub struct Model {
    /// Always 1: there is one row.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    /// The newest revision; 0 before the first batch.
    pub number: i64,
    /// The batch that made it; nil before the first.
    pub batch_id: Uuid,
    /// When it was made.
    pub at: DateTimeUtc,
    /// The least format of rows and changes that a binary must know to read.
    pub reader_format: i32,
    /// The least format of rows and changes that a binary must know to write.
    pub writer_format: i32,
}

impl ActiveModelBehavior for ActiveModel {}
