//! The row of a lease: the right of one holder to work on a part of the inventory, until a time.

use sea_orm::entity::prelude::*;

/// One lease in the table `lease`. Its row is never deleted, so that its epoch never starts again.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lease")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    /// The holder, or the last holder of a lease that has ended.
    pub holder: String,
    /// The number of times that the lease was taken anew: by another holder, or after it had ended.
    pub epoch: i64,
    /// The time at which the lease ends, by the clock of the database.
    pub until: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}
