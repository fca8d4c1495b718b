//! The GraphQL root fields that read and write circuits.

use super::input::{CircuitInput, CircuitPatch, CircuitPayload};
use super::node::Circuit;
use crate::roots;

roots! {
    Circuit;
    query CircuitQuery {
        circuit(
            /// The name of the circuit's provider.
            provider: String,
        ),
        circuits
    }
    mutation CircuitMutation { create_circuit, update_circuit, delete_circuit }
    with CircuitInput, CircuitPatch, CircuitPayload { circuit }
}
