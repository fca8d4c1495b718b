//! The row of a circuit: a line bought from a provider, or a cross-connect.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers, Texts};
use crate::lifecycle::Status;
use crate::object_reference::ObjectReference;

/// The row of a circuit.
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
    /// Never changes.
    pub provider_id: Uuid,
    /// The provider's own id, unique in the provider.
    pub circuit_id: Option<String>,
    pub r#type: CircuitType,
    /// Megabits per second.
    pub bandwidth_mbps: Option<i64>,
    /// Metres.
    pub distance_m: Option<f64>,
    /// Milliseconds.
    pub latency_ms: Option<f64>,
    pub installed_on: Option<Date>,
    /// Conduit, duct, trench: free names that mean "fails together".
    pub risk_groups: Texts,
    pub status: Status,
    pub service_ref: Option<ObjectReference>,
}

impl ActiveModelBehavior for ActiveModel {}

/// What a circuit is.
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
    /// Reach to the whole internet.
    Transit,
    /// Reach to the networks of one peer or exchange.
    Peering,
}
