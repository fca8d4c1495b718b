//! A circuit: a line that a provider runs between two ends, A and Z. Its name is unique in its provider, and so is the
//! provider's own id. A circuit contains its terminations, which are written through it.

mod ends;
mod kind;
mod topology;

pub use kind::{
    Circuit, CircuitFilter, CircuitInput, CircuitListFilter, CircuitMutation, CircuitQuery, CircuitRef, DESCRIPTION,
};
pub use topology::TOPOLOGY;
