//! The row of a cable: what joins ports, power feeds and circuits by hand.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers, Texts};

/// The row of a cable.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "cable")]
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
    /// What is printed on it.
    pub label: Option<String>,
    pub media: Option<Media>,
    pub status: CableStatus,
    /// Metres.
    pub length_m: Option<f64>,
    pub color: Option<String>,
    /// Conduit, duct, trench: free names that mean "fails together".
    pub risk_groups: Texts,
    pub a_ends: CableEnds,
    pub b_ends: CableEnds,
    pub lanes: Lanes,
}

impl ActiveModelBehavior for ActiveModel {}

/// What a cable is made of.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "Media")]
pub enum Media {
    /// Twisted pair or other copper.
    Copper,
    /// Single-mode fibre.
    FiberSmf,
    /// Multi-mode fibre.
    FiberMmf,
    /// Copper with a module fixed at each end (direct attach cable).
    Dac,
    /// Fibre with a module fixed at each end (active optical cable).
    Aoc,
    /// Carries power.
    Power,
}

/// Where a cable stands in its life. Default CONNECTED.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
    DeriveActiveEnum,
    Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "CableStatus")]
pub enum CableStatus {
    /// Decided, not yet plugged in.
    Planned,
    /// Plugged in at both sides.
    #[default]
    Connected,
    /// On its way out.
    Decommissioning,
}

/// What a cable can end on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CableEnd {
    /// A port of a device or rack.
    Port(Uuid),
    /// A power feed.
    PowerFeed(Uuid),
    /// One end of a circuit.
    CircuitTermination(Uuid),
}

impl CableEnd {
    /// The id of the object, whatever its kind.
    pub fn id(self) -> Uuid {
        match self {
            Self::Port(id) | Self::PowerFeed(id) | Self::CircuitTermination(id) => id,
        }
    }
}

/// All ends of one side of a cable; several for a breakout cable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct CableEnds(pub Box<[CableEnd]>);

/// One strand of a cable: which position of which A end it joins to which position of which B end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "LaneInput")]
pub struct Lane {
    /// The place in `aEnds`, from 1. Default 1.
    #[serde(default = "first")]
    #[graphql(default = 1)]
    pub a_end: i32,
    /// The position of that end, from 1. Default 1.
    #[serde(default = "first")]
    #[graphql(default = 1)]
    pub a_position: i32,
    /// The place in `bEnds`, from 1. Default 1.
    #[serde(default = "first")]
    #[graphql(default = 1)]
    pub b_end: i32,
    /// The position of that end, from 1. Default 1.
    #[serde(default = "first")]
    #[graphql(default = 1)]
    pub b_position: i32,
}

fn first() -> i32 {
    1
}

/// All strands of a cable. Empty: every A end reaches every B end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Lanes(pub Box<[Lane]>);
