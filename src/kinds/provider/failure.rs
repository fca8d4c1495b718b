//! A provider in impact analysis: its networks and circuits go down with it.

use underlay_topology::impact::{Part, Role};

/// The role of providers in impact analysis.
pub const FAILURE: Role = Role { runs: |_| true, with: &[], part: Part::Plain, missed: true };
