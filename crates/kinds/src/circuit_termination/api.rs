//! The GraphQL root fields that read and write circuit terminations.

use super::input::{CircuitTerminationInput, CircuitTerminationPatch, CircuitTerminationPayload};
use super::node::CircuitTermination;
use crate::roots;

roots! {
    CircuitTermination;
    query CircuitTerminationQuery {
        circuit_termination(
            /// The name of the provider of the termination's circuit.
            provider: String,
            /// The name of the termination's circuit.
            circuit: String,
        ),
        circuit_terminations
    }
    mutation CircuitTerminationMutation { create_circuit_termination, update_circuit_termination, delete_circuit_termination }
    with CircuitTerminationInput, CircuitTerminationPatch, CircuitTerminationPayload { circuit_termination }
}
