//! The row of an object that the runs of a source emptied lately, so that it counts once a day, whatever it loses.

use sea_orm::entity::prelude::*;

/// One object in the table `source_emptied`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_emptied")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub source_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: Uuid,
    pub kind: String,
    /// The time from which on it counts for a day.
    pub at: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}
