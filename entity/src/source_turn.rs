//! The row of the turn of a source. Every write for a run of the source takes the next step, so two processes never
//! judge the same moment.

use sea_orm::entity::prelude::*;

/// One turn in the table `source_turn`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_turn")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub source_id: Uuid,
    pub step: i64,
    /// The revision at which the last complete full run started.
    pub settled_revision: i64,
    /// The time when the last full run succeeded.
    pub last_success_at: Option<DateTimeUtc>,
}

impl ActiveModelBehavior for ActiveModel {}
