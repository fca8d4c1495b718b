//! A cluster, to failure: as many as are left of its servers and storage.

use crate::topology::impact::{Part, Role};

/// What it is to failure.
pub const FAILURE: Role = Role { runs: |_| true, with: &[], part: Part::Pool, missed: true };
