//! Lines: what is joined end to end, by hand or inside of what it passes, followed hop by hop.
//!
//! A line runs over *ends* (what a plug goes into), *joints* (what joins ends by hand), *crossings* (bought ways between
//! two ends) and ends at an end or at a *terminus* (a place out of sight). What each kind is says its [`Role`]. Where a
//! walk is, is an end and a stack of positions: the lanes or fibres that it has to come out of again.
//!
//! Guarantees: every walk ends, within [`MOST_HOPS`], [`MOST_HOPS_OF_A_STRAND`] and [`MOST_BRANCHES`]; the same
//! snapshot gives the same answer, in the same order; nothing here waits.

mod branch;
mod brief;
mod error;
mod memory;
mod role;
mod round;
mod rules;
mod strands;
mod trace;
mod walk;
mod ways;

pub use branch::{Branch, FarEnd, FarEnds};
pub(super) use brief::brief;
pub use error::LineError;
pub use role::{Crossing, End, Inside, Joint, Lane, Lines, Mapping, Onward, Role, State, Terminus};
pub use trace::{Trace, Tracer};
pub use walk::{Direction, MOST_BRANCHES, MOST_HOPS, MOST_HOPS_OF_A_STRAND, Outcome, Through};
