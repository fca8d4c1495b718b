//! The row of a batch. It records the revision that the batch made, so that a commit with a lost answer can be looked
//! up.

use sea_orm::entity::prelude::*;

/// The row of a batch that changed something.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "batch")]
pub struct Model {
    /// The revision that the batch made.
    #[sea_orm(primary_key, auto_increment = false)]
    pub revision: i64,
    /// A random id, which distinguishes two histories with the same revisions.
    #[sea_orm(unique)]
    pub batch_id: Uuid,
    /// The name of the request, from the time before requests had a table of their own. It is no longer written, and
    /// stays for older binaries.
    pub request_id: Option<String>,
    /// The user that wrote the batch, from the token.
    pub actor: String,
    /// The source on whose behalf a synchronizer wrote the batch.
    pub source: Option<String>,
    /// The time of the commit.
    pub at: DateTimeUtc,
    /// The answer, from the time before requests had a table of their own. It is no longer written.
    pub outcome: Option<Json>,
}

impl ActiveModelBehavior for ActiveModel {}
