//! The row of something that the guard holds: an object that would be removed, or a field that would be emptied or
//! replaced.

use sea_orm::entity::prelude::*;

/// One object or field in the table `source_held`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_held")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub source_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: Uuid,
    /// The field that would be emptied or replaced, or its entry, such as `labels.role`; empty for an object that would be
    /// removed.
    #[sea_orm(primary_key, auto_increment = false)]
    pub field: String,
    /// The run that is held: the newest one that listed the object or field.
    pub run_id: Uuid,
    pub kind: String,
    pub name: String,
    pub external_id: String,
    pub reason: HeldReason,
    /// The value that the source gives the field, as JSON; `None` if it gives none, or the object would be removed.
    pub value: Option<Json>,
}

impl ActiveModelBehavior for ActiveModel {}

crate::choice::choice! {
    /// The reason for which the guard holds an object or a field.
    pub enum HeldReason {
        /// The source no longer has the object.
        Gone,
        /// The source no longer has the object, but has another one with the same key or serial under a new external id.
        Renumbered,
        /// The source leaves the field empty, or a part of it.
        Emptied,
        /// The source gives the field a value that it also gives other objects, which had values of their own.
        Replaced,
    }
}

impl HeldReason {
    /// Returns true if a field is held, not an object.
    pub const fn is_of_field(self) -> bool {
        matches!(self, Self::Emptied | Self::Replaced)
    }
}
