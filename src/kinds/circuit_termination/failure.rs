//! The end of a circuit, to failure: a part of its circuit, which carries the status of both.

use crate::topology::impact::{Part, Role};

/// What it is to failure.
pub const FAILURE: Role = Role { runs: |_| true, with: &[], part: Part::Plain, missed: false };
