//! The row of a batch: which revision it made, so that a commit whose answer was lost can be looked up.

use sea_orm::entity::prelude::*;

/// The row of a batch that changed something.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "batch")]
pub struct Model {
    /// The revision that it made.
    #[sea_orm(primary_key, auto_increment = false)]
    pub revision: i64,
    /// Random, so that two histories with the same numbers can be told apart.
    #[sea_orm(unique)]
    pub batch_id: Uuid,
    /// Held the name of the request before requests had a table of their own. It is not written any more, and stays for
    /// binaries of before.
    pub request_id: Option<String>,
    /// Who wrote, from the token.
    pub actor: String,
    /// The source in whose name a synchronizer wrote.
    pub source: Option<String>,
    /// When it was committed.
    pub at: DateTimeUtc,
    /// Held the answer before requests had a table of their own. It is not written any more.
    pub outcome: Option<Json>,
}

impl ActiveModelBehavior for ActiveModel {}
