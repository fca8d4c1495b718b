//! The row of the strays of a provisioner: what exists there and is no host.

use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

/// The strays of a provisioner, as they were seen last, in the table `stray`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stray")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub provisioner: String,
    /// The id of the site whose controllers looked, or nothing. At each site a provisioner can be another one.
    #[sea_orm(primary_key, auto_increment = false)]
    pub place: String,
    /// The controller that looked.
    pub by: String,
    /// The time of the look.
    pub seen_at: DateTimeUtc,
    /// The number of all strays. Not all of them are listed.
    pub total: i32,
    pub listed: Strays,
}

/// The strays that are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Strays(pub Vec<Stray>);

/// A machine that is registered at a provisioner and is no host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stray {
    /// The name under which the provisioner has it.
    pub name: String,
    /// The host for which it was registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The UUID or serial number by which the machine identifies itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// The time when it was first seen.
    pub since: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}
