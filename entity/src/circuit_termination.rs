//! The row of a circuit termination: one of the two ends of a circuit.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};

/// The row of a circuit termination.
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
    /// The circuit that it is an end of.
    pub circuit_id: Uuid,
    pub side: CircuitSide,
    /// Of `site_id` and `provider_network_id` at most one is set.
    pub site_id: Option<Uuid>,
    pub provider_network_id: Option<Uuid>,
    /// The port at the site that the circuit is plugged straight into.
    pub port_id: Option<Uuid>,
}

impl ActiveModelBehavior for ActiveModel {}

/// Which end of a circuit.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "CircuitSide")]
pub enum CircuitSide {
    /// The A end.
    A,
    /// The Z end.
    Z,
}
