//! The root fields for the ends of circuits.

use super::input::{CircuitTerminationInput, CircuitTerminationPatch, CircuitTerminationPayload};
use super::node::CircuitTermination;
use crate::roots;

roots! {
    CircuitTermination;
    query CircuitTerminationQuery {
        circuit_termination(
            /// The name of the provider of its circuit.
            provider: String,
            /// The name of its circuit.
            circuit: String,
        ),
        circuit_terminations
    }
    mutation CircuitTerminationMutation { create_circuit_termination, update_circuit_termination, delete_circuit_termination }
    with CircuitTerminationInput, CircuitTerminationPatch, CircuitTerminationPayload { circuit_termination }
}
