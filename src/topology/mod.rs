//! The topology: a snapshot seen as a graph, objects as nodes and references as edges.
//!
//! Nothing here is stored: every answer is worked out from one snapshot. What snapshots learn from questions they forget
//! when anything changes that it follows from, so nothing can be stale. Nothing here knows a kind by name: what a kind is
//! to the topology it says in a small description of its own.

mod brief;
pub mod impact;
pub mod line;
pub mod path;
mod steps;

pub use brief::brief;
