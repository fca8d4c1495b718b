//! The row with the time by which old changes are dropped. It follows the clock, but not its jumps.

use sea_orm::entity::prelude::*;

/// The one row in the table `kept_clock`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "kept_clock")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    /// The time by which changes are old. It is never ahead of the clock, and behind it by the times that the clock
    /// jumped.
    pub at: DateTimeUtc,
    /// The time of the clock when it was last read for this row.
    pub read_at: DateTimeUtc,
    /// The time after the last jump that nobody accepted; `None` if there is none.
    pub jumped_at: Option<DateTimeUtc>,
}

impl ActiveModelBehavior for ActiveModel {}
