//! The interned managers. The rows of every kind refer to the manager of a field by a small number instead of a text.

use sea_orm::entity::prelude::*;

/// The row of a manager: a source or a user that has set a field.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "manager")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    #[sea_orm(unique)]
    pub name: String,
}

impl ActiveModelBehavior for ActiveModel {}
