//! A cluster in impact analysis: its state depends on how many of its servers and storage devices are left.

use underlay_topology::impact::{Part, Role};

/// The role of clusters in impact analysis.
pub const FAILURE: Role = Role { runs: |_| true, with: &[], part: Part::Pool, missed: true };
