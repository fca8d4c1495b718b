//! The row of a location: an optional level between a site and its racks.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};

/// One location in the table `location`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "location")]
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
    /// The site of the location. It never changes.
    pub site_id: Uuid,
    /// The location of the same site that contains this one. The chain of parents has no cycle.
    pub parent_id: Option<Uuid>,
    pub r#type: Option<LocationType>,
}

impl ActiveModelBehavior for ActiveModel {}

/// The type of a location.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "LocationType")]
pub enum LocationType {
    /// One building of a campus.
    Building,
    /// A floor of a building.
    Floor,
    /// A room or hall.
    Room,
    /// A fenced part of a room.
    Cage,
    /// A row of racks.
    Row,
}

crate::row::row!(Model);
