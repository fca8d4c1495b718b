//! The row of a circuit: a line that is bought from a provider, or a cross-connect.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers, Texts};
use crate::lifecycle::Status;
use crate::object_reference::ObjectReference;

/// One circuit in the table `circuit`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "circuit")]
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
    /// The provider of the circuit. It never changes.
    pub provider_id: Uuid,
    /// The provider's own id for the circuit, unique within the provider.
    pub circuit_id: Option<String>,
    pub r#type: CircuitType,
    /// The bandwidth in megabits per second.
    pub bandwidth_mbps: Option<i64>,
    /// The length of the circuit in metres.
    pub distance_m: Option<f64>,
    /// The latency in milliseconds.
    pub latency_ms: Option<f64>,
    pub installed_on: Option<Date>,
    /// Free names of shared risks, such as a conduit, duct or trench. Objects that share a name fail together.
    pub risk_groups: Texts,
    pub status: Status,
    pub service_ref: Option<ObjectReference>,
}

impl ActiveModelBehavior for ActiveModel {}

/// The type of service that a circuit provides.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "CircuitType")]
pub enum CircuitType {
    /// A cable of the facility between two of its customers.
    CrossConnect,
    /// A line of a provider between two places.
    ProviderCircuit,
    /// Access to the whole internet.
    Transit,
    /// Access to the networks of one peer or exchange.
    Peering,
}

crate::row::row!(Model);
