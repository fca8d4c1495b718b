//! The row of a power feed: a circuit of electrical power that reaches a rack or a site.

use async_graphql::Enum;
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers, Texts};
use crate::lifecycle::Status;

/// The row of a power feed.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "power_feed")]
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
    pub site_id: Uuid,
    pub rack_id: Option<Uuid>,
    pub phase: Option<Phase>,
    /// Volts.
    pub voltage: Option<i32>,
    /// Amperes.
    pub amps_rated: Option<i32>,
    /// What supplies it; never in a circle.
    pub upstream: Option<PowerSource>,
    /// Free names that mean "fails together".
    pub risk_groups: Texts,
    pub status: Status,
}

impl ActiveModelBehavior for ActiveModel {}

/// How many phases a power feed has.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "Phase")]
pub enum Phase {
    /// One phase.
    SinglePhase,
    /// Three phases.
    ThreePhase,
}

/// What supplies power: an outlet or a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase")]
pub enum PowerSource {
    /// A port: a power outlet above a feed, a power inlet behind an outlet.
    Port(Uuid),
    /// A power feed.
    PowerFeed(Uuid),
}

impl PowerSource {
    /// The id of the object, whatever its kind.
    pub fn id(self) -> Uuid {
        match self {
            Self::Port(id) | Self::PowerFeed(id) => id,
        }
    }
}

/// All that supplies one outlet; it is live while one of them is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct PowerSources(pub Box<[PowerSource]>);
