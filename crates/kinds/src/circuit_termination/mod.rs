//! A circuit termination: the end A or Z of a circuit. It is written through its circuit or by an item of its own. Its
//! name is its side, even if no name is given, and changes with the side. A termination at a site may have a cable, or
//! be plugged directly into a port, which then takes no cable. In a provider network, neither is possible.

mod kind;
mod rules;
mod topology;
mod write;

pub use kind::{
    CircuitTermination, CircuitTerminationFilter, CircuitTerminationInput, CircuitTerminationListFilter,
    CircuitTerminationMutation, CircuitTerminationQuery, CircuitTerminationRef, DESCRIPTION,
};
pub use rules::takes_circuit;
pub use topology::TOPOLOGY;
