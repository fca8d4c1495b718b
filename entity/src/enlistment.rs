//! The row of an enlistment: the order to make hosts of the machines that an appliance lists, and how it ended.

use async_graphql::{Enum, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

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
    /// The number of hosts whose addresses were changed.
    pub changed: Option<i32>,
    /// The first machines, each with its outcome.
    pub machines: Option<EnlistedMachines>,
}

/// The machines that an appliance listed, each with its outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct EnlistedMachines(pub Vec<EnlistedMachine>);

/// A machine that an appliance listed, with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct EnlistedMachine {
    /// The name of the machine at the appliance.
    pub name: String,
    /// The name of its host. Null if it has none.
    pub host: Option<String>,
    /// The outcome for the machine.
    pub outcome: EnlistOutcome,
    /// The reason why the host was left as it is, or why it was not written.
    pub reason: Option<String>,
}

/// The outcome for a machine that an appliance listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EnlistOutcome {
    /// It got a host.
    Created,
    /// Its host got the address that the appliance lists now.
    AddressChanged,
    /// Its host has this address already.
    Unchanged,
    /// Its host, or what may be its host, was left as it is: the reason says why.
    Kept,
    /// The host could not be written: the reason says why.
    Refused,
}

impl ActiveModelBehavior for ActiveModel {}
