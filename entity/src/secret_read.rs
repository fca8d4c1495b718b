//! The row that counts how often a caller read the secrets of an object in an hour.

use sea_orm::entity::prelude::*;

/// One count in the table `secret_read`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "secret_read")]
pub struct Model {
    /// The caller that read.
    #[sea_orm(primary_key, auto_increment = false)]
    pub reader: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: Uuid,
    /// The beginning of the hour, by the clock of the database.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hour: DateTimeUtc,
    /// The number of times that the secrets were read.
    pub reads: i64,
}

impl ActiveModelBehavior for ActiveModel {}
