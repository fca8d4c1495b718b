//! A cable: what joins ends on its A side with ends on its B side: ports, power feeds and terminations of circuits.
//! There is at least one end on each side, no end twice, and one cable at the most on an end; the ends can be joined.
//! Lanes pair positions of ends; without lanes every A end reaches every B end. Its name is unique over all cables and
//! made up when absent.

mod api;
mod describe;
mod ends;
mod failure;
mod input;
mod lanes;
pub mod line;
mod node;
mod path;
mod rules;

pub use api::{CableMutation, CableQuery};
pub use describe::DESCRIPTION;
pub use ends::{CableEnd, cable_on, is_cabled};
pub use failure::FAILURE;
pub use input::{CableFilter, CableInput, CableListFilter, CableRef};
pub use lanes::highest_position;
pub use node::Cable;
pub use path::PATH;
pub use rules::unfit_ends;
