//! A circuit termination in impact analysis: it is only a part of its circuit, and the circuit carries the status of
//! both ends.

use underlay_topology::impact::{Part, Role};

/// The role of circuit terminations in impact analysis.
pub const FAILURE: Role = Role { runs: |_| true, with: &[], part: Part::Plain, missed: false };
