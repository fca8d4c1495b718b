//! Queries that treat a snapshot as a graph, with objects as nodes and references as edges.
//!
//! No result is stored: every answer is computed from one snapshot. Facts that snapshots memoize for later queries are
//! dropped when an object that they depend on changes, so they are never stale. This module names no kind: each kind
//! describes its role in topology in one [`role::Role`].

mod flow;
pub mod graph;
pub mod impact;
mod lazy;
pub mod line;
mod nearest;
pub mod path;
pub mod role;
mod steps;

pub use steps::StopFlag;
