//! A termination: the end A or Z of a circuit. It is written through its circuit or by an item of its own. Its name is
//! its side, also when no name is given. It may be at a site, where it may
//! also be cabled, or be plugged straight into a port, which then takes no cable; or in a provider network, where
//! neither is possible.

mod api;
mod describe;
mod failure;
mod input;
pub mod line;
mod node;
mod path;
mod rules;

pub use api::{CircuitTerminationMutation, CircuitTerminationQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{
    CircuitTerminationFilter, CircuitTerminationInput, CircuitTerminationListFilter, CircuitTerminationRef,
};
pub use node::CircuitTermination;
pub use path::PATH;
pub use rules::takes_circuit;
