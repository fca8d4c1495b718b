//! The row of the facts themselves. It is apart from the row of the report, so that the times of all reports are read
//! and written without them.

use sea_orm::entity::prelude::*;

/// The facts of one report in the table `facts_body`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "facts_body")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub host_id: Uuid,
    /// The number of a [`super::facts::FactsOrigin`].
    #[sea_orm(primary_key, auto_increment = false)]
    pub origin: i16,
    /// The report as JSON, compressed by gzip.
    pub body: Vec<u8>,
    /// The parts that the last report lacked, and that were there before.
    pub missing: Option<Json>,
}

impl ActiveModelBehavior for ActiveModel {}
