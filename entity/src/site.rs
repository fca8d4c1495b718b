//! The row of a site: one facility, or a zone of a cloud.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};
use crate::lifecycle::Status;
use crate::place::Coordinates;

/// One site in the table `site`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "site")]
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
    pub display_name: Option<String>,
    pub region_id: Option<Uuid>,
    /// The provider that operates the facility.
    pub provider_id: Option<Uuid>,
    pub r#type: SiteType,
    /// The postal address of the facility.
    pub address: Option<String>,
    pub coordinates: Option<Coordinates>,
    /// The IANA name of the time zone, such as `Europe/Amsterdam`.
    pub time_zone: Option<String>,
    pub status: Status,
}

impl ActiveModelBehavior for ActiveModel {}

/// The type of a site.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "SiteType")]
pub enum SiteType {
    /// A building, or a part of one, that is made for machines.
    Datacenter,
    /// A zone of a cloud provider.
    AvailabilityZone,
    /// A small place near users: a tower, a shop, a point of presence.
    Edge,
    /// A group for objects without a physical place.
    Virtual,
    /// Any other type of site.
    Other,
}

crate::row::row!(Model);
