//! The row of something that a run could not write or remove. A run that writes it after all deletes the row, so the
//! rows tell what failed in the end.

use sea_orm::entity::prelude::*;

use crate::source_run::SameMachine;

/// One thing in the table `source_failure`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_failure")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub run_id: Uuid,
    /// The first 128 bits of the SHA-256 digest of the kind and the external id; a random number for a thing without an
    /// external id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Uuid,
    /// The position among the failures of the run.
    pub number: i64,
    pub external_id: Option<String>,
    pub code: String,
    pub message: String,
    /// True if it counts as failed; false for an object that is gone and could not be removed, and for an item that was
    /// refused because another object is its machine.
    pub counts: bool,
    /// The object that is the machine of the item.
    pub same_machine: Option<SameMachine>,
}

impl ActiveModelBehavior for ActiveModel {}
