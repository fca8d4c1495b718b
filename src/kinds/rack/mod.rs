//! A rack: a cabinet with numbered units, standing at a site, perhaps in a location of it.
//!
//! Parents: its site, in which its name is unique; if it has a location, that is of the same site. It contains power
//! feeds and ports; devices are placed in it, which holds it in place but does not make them its own. Its height
//! never shrinks below a unit that is occupied.

mod api;
mod describe;
mod failure;
mod input;
mod node;
mod path;
mod rules;

pub use api::{RackMutation, RackQuery};
pub use describe::DESCRIPTION;
pub use failure::FAILURE;
pub use input::{RackFilter, RackInput, RackListFilter, RackRef};
pub use node::Rack;
pub use path::PATH;
