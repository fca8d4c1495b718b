//! The row of a circuit termination: one of the two ends of a circuit.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};

/// One end of a circuit in the table `circuit_termination`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "circuit_termination")]
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
    /// The circuit to which this end belongs.
    pub circuit_id: Uuid,
    pub side: CircuitSide,
    /// The site at this end. At most one of `site_id` and `provider_network_id` is set.
    pub site_id: Option<Uuid>,
    pub provider_network_id: Option<Uuid>,
    /// The port at the site into which the circuit is plugged directly.
    pub port_id: Option<Uuid>,
}

impl ActiveModelBehavior for ActiveModel {}

/// The side of a circuit.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "CircuitSide")]
pub enum CircuitSide {
    /// The A end of the circuit.
    A,
    /// The Z end of the circuit.
    Z,
}

crate::row::row!(Model);
