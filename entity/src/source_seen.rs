//! The row of an external id that a running run has seen.

use sea_orm::entity::prelude::*;

/// One external id in the table `source_seen`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_seen")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub run_id: Uuid,
    /// The first 128 bits of the SHA-256 digest of the kind and the external id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Uuid,
    /// True if only another run of the source saw it, while this one was going on.
    pub by_other: bool,
}

impl ActiveModelBehavior for ActiveModel {}
