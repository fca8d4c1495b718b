//! The row of a link: that two sites, clusters or devices are joined, whatever cables do it.

use async_graphql::Enum;
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Ids, Labels, Managers};

/// The row of a link.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "link")]
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
    pub a: LinkEnd,
    /// Never the same as `a`.
    pub b: LinkEnd,
    pub r#type: LinkType,
    /// Megabits per second.
    pub capacity_mbps: Option<i64>,
    /// Milliseconds.
    pub latency_ms: Option<f64>,
    /// The cables that realise it.
    pub cables: Ids,
}

impl ActiveModelBehavior for ActiveModel {}

/// How a link is made.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "LinkType")]
pub enum LinkType {
    /// By cables or fibre of its own.
    Physical,
    /// On top of other links: a tunnel, a VLAN, a wavelength.
    Logical,
    /// Over the public internet.
    Internet,
}

/// What a link can join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase")]
pub enum LinkEnd {
    /// A site.
    Site(Uuid),
    /// A cluster.
    Cluster(Uuid),
    /// A device.
    Device(Uuid),
}

impl LinkEnd {
    /// The id of the object, whatever its kind.
    pub fn id(self) -> Uuid {
        match self {
            Self::Site(id) | Self::Cluster(id) | Self::Device(id) => id,
        }
    }
}
