//! The row that names the inventory to which the facts in a database belong.

use sea_orm::entity::prelude::*;

/// The one row in the table `facts_history`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "facts_history")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    /// The id of the history of the inventory.
    pub history: Uuid,
}

impl ActiveModelBehavior for ActiveModel {}
