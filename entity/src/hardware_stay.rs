//! The row of a stay: the time for which a part was in a host.

use sea_orm::entity::prelude::*;

/// One stay in the table `hardware_stay`. The ids grow with time, whichever process writes. A stay that ended is kept for
/// good.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "hardware_stay")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    /// The id of a [`super::hardware_part::Model`].
    pub part_id: i64,
    pub host_id: Uuid,
    /// The place of the part in the host, such as a slot or a PCI address.
    pub place: String,
    /// The time of the first report that shows it there, by the clock of the server.
    pub from_at: DateTimeUtc,
    /// The time of the first report that lacks it, once it is gone.
    pub until_at: Option<DateTimeUtc>,
    /// The time of the report that lacked it, until the next one tells whether it is gone.
    pub missing_since: Option<DateTimeUtc>,
}

impl ActiveModelBehavior for ActiveModel {}
