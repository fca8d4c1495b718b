//! The row that is there while controllers may only observe.

use sea_orm::entity::prelude::*;

/// The one row in the table `observe_only`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "observe_only")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    /// The reason why controllers may only observe, as a sentence.
    pub reason: String,
    /// The party that set it.
    pub by: String,
    /// The time since which it is so, by the clock of the database.
    pub since: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}
