//! The row with the id of the history of a database. A synchronizer throws away what it remembers when the id changes.

use sea_orm::entity::prelude::*;

/// The one row in the table `history`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "history")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    pub history: Uuid,
}

impl ActiveModelBehavior for ActiveModel {}
