//! A circuit: a line that a provider runs between two ends, A and Z. Its name is unique in its provider, and so is the
//! provider's own id. A circuit contains its terminations, which are written through it.

mod api;
mod describe;
mod ends;
mod input;
mod node;
mod topology;

pub use api::{CircuitMutation, CircuitQuery};
pub use describe::DESCRIPTION;
pub use input::{CircuitFilter, CircuitInput, CircuitListFilter, CircuitRef};
pub use node::Circuit;
pub use topology::TOPOLOGY;
