//! The row of something that a look between two scans did not find in the source. Only the next full run judges it.

use sea_orm::entity::prelude::*;

/// One suspect in the table `source_suspect`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_suspect")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub source_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub external_id: String,
    pub at: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}
