//! The row of an item of a run that created an object, or was refused as a duplicate, because it does not fit other
//! objects, or because what contains it does not exist. It shows whether objects that are gone have new external ids.

use sea_orm::entity::prelude::*;

/// One item in the table `source_item`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_item")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub run_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub external_id: String,
    /// The object whose place the item takes, if there is one.
    pub holder_id: Option<Uuid>,
    /// The object that the item created; null if it was refused.
    pub created_id: Option<Uuid>,
    /// The serial in the item.
    pub serial: Option<String>,
    /// The external id of what contains the object, if the item was refused because that does not exist.
    pub parent_external_id: Option<String>,
    /// The name in such an item.
    pub name: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}
