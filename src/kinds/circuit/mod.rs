//! A circuit: a line that a provider runs between two ends, A and Z. Its name is unique in its provider, and so is the
//! provider's own id. A circuit contains its terminations, which are written through it.

mod api;
mod describe;
mod ends;
mod failure;
mod input;
pub mod line;
mod node;
mod path;

pub use api::{CircuitMutation, CircuitQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{CircuitFilter, CircuitInput, CircuitListFilter, CircuitRef};
pub use node::Circuit;
pub use path::PATH;
