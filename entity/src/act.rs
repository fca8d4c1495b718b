//! The row of an act: a line in the history of an object, about what a controller did with the thing outside.

use sea_orm::entity::prelude::*;

/// One act in the table `act`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "act")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: Uuid,
    /// The number of the act among those of its object, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    /// The time of the act, as the controller knows it.
    pub at: DateTimeUtc,
    /// The controller.
    pub by: String,
    /// The act, as one word.
    pub name: String,
    /// A sentence about the act and how it ended.
    pub sentence: String,
}

impl ActiveModelBehavior for ActiveModel {}
