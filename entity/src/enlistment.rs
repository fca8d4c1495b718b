//! The row of an enlistment: the order to make hosts of the machines that an appliance lists, and how it ended.

use sea_orm::entity::prelude::*;

/// The last enlistment of an appliance, in the table `enlistment`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "enlistment")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub appliance_id: Uuid,
    /// The number of the enlistment among those of its appliance, from 1.
    pub number: i64,
    /// The pattern of the names of the machines; `None` for that of the appliance.
    pub pattern: Option<String>,
    /// True if the new hosts are discovered.
    pub discover: bool,
    /// True if the hosts that are discovered become AVAILABLE.
    pub adopt: bool,
    /// True if hosts are discovered also where their machine runs.
    pub force: bool,
    /// The provisioner of the new hosts.
    pub provisioner: Option<String>,
    /// The user who asked for it.
    pub by: String,
    pub at: DateTimeUtc,
    /// The time when it ended; `None` while no controller has done it.
    pub done_at: Option<DateTimeUtc>,
    /// The number of machines that the appliance listed.
    pub found: Option<i32>,
    /// The number of hosts that were made.
    pub enlisted: Option<i32>,
    /// A sentence about what went wrong, or was left out.
    pub sentence: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}
