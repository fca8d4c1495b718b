//! The row of a part that is recognised in whichever host it is. It is kept for good.

use sea_orm::entity::prelude::*;

use crate::hardware_event::HardwarePart;

/// One part in the table `hardware_part`. The kind, the model and the serial number together are unique.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "hardware_part")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub kind: HardwarePart,
    pub manufacturer: Option<String>,
    /// The model, or the maker's part number. Empty if it is not known.
    pub model: String,
    pub serial: String,
}

impl ActiveModelBehavior for ActiveModel {}
