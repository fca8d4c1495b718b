//! The row of an appliance: a system that lists machines and switches them on and off.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};

/// One appliance in the table `appliance`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "appliance")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub labels: Labels,
    pub tenant: Option<String>,
    pub description: Option<String>,
    pub attributes: Attributes,
    pub external_refs: ExternalRefs,
    pub managers: Managers,
    pub version: i64,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
    pub r#type: ApplianceType,
    pub url: Option<String>,
    pub credential_id: Option<Uuid>,
    /// The pattern of the names of the machines that become hosts.
    pub name_pattern: Option<String>,
    /// The beginning of the names of these hosts.
    pub prefix: Option<String>,
    pub site_id: Option<Uuid>,
    pub rack_id: Option<Uuid>,
    /// The time between two looks at the appliance, in seconds.
    pub interval_seconds: i32,
}

impl ActiveModelBehavior for ActiveModel {}

/// The way in which a controller talks to an appliance.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "ApplianceType")]
pub enum ApplianceType {
    /// The appliance speaks Redfish.
    Redfish,
    /// The appliance is a hypervisor with libvirt.
    Libvirt,
    /// The appliance is one machine that speaks IPMI.
    Ipmi,
    /// The appliance and its machines exist only in a controller.
    Simulated,
    /// A program that is configured at the controller talks to the appliance.
    Exec,
    /// People switch the machines on and off.
    Manual,
}

crate::row::row!(Model);
