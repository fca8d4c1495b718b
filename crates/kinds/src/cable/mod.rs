//! A cable: it joins ends on its A side to ends on its B side. Ends are ports, power feeds and circuit terminations.
//! Each side has at least one end, no end appears twice, an end takes at most one cable, and the types of the ends must
//! fit. Lanes pair positions of ends; without lanes, every A end reaches every B end. The name of a cable is unique
//! over all cables, and is generated if absent.

mod ends;
mod kind;
mod lanes;
mod names;
mod rules;
mod topology;

pub use ends::{CableEnd, cable_on, is_cabled};
pub use kind::{Cable, CableFilter, CableInput, CableListFilter, CableMutation, CableQuery, CableRef, DESCRIPTION};
pub use lanes::highest_position;
pub use rules::unfit_ends;
pub use topology::TOPOLOGY;
