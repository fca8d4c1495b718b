//! The row of a circuit: a line that is bought from a provider, or a cross-connect.

use sea_orm::entity::prelude::*;

use crate::common::Texts;
use crate::lifecycle::Status;
use crate::object_reference::ObjectReference;

crate::row::kind_row! {
    /// One circuit in the table `circuit`.
    table "circuit" {
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
}

crate::choice::choice! {
    /// The type of service that a circuit provides.
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
}
