//! The row of a circuit termination: one of the two ends of a circuit.

use sea_orm::entity::prelude::*;

crate::row::kind_row! {
    /// One end of a circuit in the table `circuit_termination`.
    table "circuit_termination" {
        /// The circuit to which this end belongs.
        pub circuit_id: Uuid,
        pub side: CircuitSide,
        /// The site at this end. At most one of `site_id` and `provider_network_id` is set.
        pub site_id: Option<Uuid>,
        pub provider_network_id: Option<Uuid>,
        /// The port at the site into which the circuit is plugged directly.
        pub port_id: Option<Uuid>,
    }
}

crate::choice::choice! {
    /// The side of a circuit.
    pub enum CircuitSide {
        /// The A end of the circuit.
        A,
        /// The Z end of the circuit.
        Z,
    }
}
