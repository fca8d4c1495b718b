//! The row of a link: it states that two sites, clusters or devices are connected, whatever cables they use.

use async_graphql::Enum;
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Ids, Labels, Managers};
use crate::targets::Targets;

/// One link in the table `link`.
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
    /// The other end, which is never the same as `a`.
    pub b: LinkEnd,
    pub r#type: LinkType,
    /// The capacity in megabits per second.
    pub capacity_mbps: Option<i64>,
    /// The latency in milliseconds.
    pub latency_ms: Option<f64>,
    /// The cables that implement the link.
    pub cables: Ids,
}

impl ActiveModelBehavior for ActiveModel {}

/// The way in which a link is implemented.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "LinkType")]
pub enum LinkType {
    /// The link has cables or fibre of its own.
    Physical,
    /// The link runs on top of other links: a tunnel, a VLAN, a wavelength.
    Logical,
    /// The link runs over the public internet.
    Internet,
}

/// The end of a link: a reference to the object that it connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase")]
pub enum LinkEnd {
    /// A site, by its id.
    Site(Uuid),
    /// A cluster, by its id.
    Cluster(Uuid),
    /// A device, by its id.
    Device(Uuid),
}

impl LinkEnd {
    /// Returns the id of the object, whatever its kind.
    pub fn id(self) -> Uuid {
        match self {
            Self::Site(id) | Self::Cluster(id) | Self::Device(id) => id,
        }
    }
}

impl Targets for LinkEnd {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        visit(self.id());
    }
}

crate::row::row!(Model);
