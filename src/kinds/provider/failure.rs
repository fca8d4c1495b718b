//! A provider, to failure: its networks and circuits go down with it.

use crate::topology::impact::{Part, Role};

/// What it is to failure.
pub const FAILURE: Role = Role { runs: |_| true, with: &[], part: Part::Plain, missed: true };
