//! The row of the ledger of a source: how many objects of a kind were removed or emptied, and when.

use sea_orm::entity::prelude::*;

/// One entry in the table `source_ledger`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_ledger")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub source_id: Uuid,
    pub kind: String,
    pub at: DateTimeUtc,
    /// The number of objects that were removed.
    pub removed: i64,
    /// The number of removed objects that carried the external reference of the source.
    pub removed_own: i64,
    /// The number of objects of which a field was emptied. It is zero in new rows: see
    /// [`source_emptied`](crate::source_emptied).
    pub emptied: i64,
}

impl ActiveModelBehavior for ActiveModel {}
