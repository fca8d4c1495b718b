//! Lines: objects that are connected end to end, by cables or inside devices, traced hop by hop.
//!
//! A line runs over *ends* (objects that a cable is plugged into), *spans* (cables between ends) and *opaque spans*
//! (circuits between two ends). It ends at an end or at an endpoint whose inside the inventory does not show. Each kind
//! describes its part in a [`Role`](crate::role::Role). The position of a walk is an end and a stack of positions: the
//! lanes or fibres that the walk must leave again.
//!
//! Guarantees: every walk ends within [`MAX_HOPS`], [`MAX_STRAND_HOPS`] and [`MAX_BRANCHES`]. The same snapshot
//! gives the same answer in the same order.

mod branch;
mod error;
mod measure;
mod memory;
mod node;
mod round;
mod rules;
mod strands;
mod trace;
mod walk;
mod ways;

pub use branch::{Branch, FarEnd, FarEnds};
pub use error::LineError;
pub use measure::{LATENCY_OF_A_METRE_MS, Measure};
pub use node::{Direction, Outcome, Through};
pub use trace::{Trace, Tracer};
pub use walk::{MAX_BRANCHES, MAX_HOPS, MAX_STRAND_HOPS};
