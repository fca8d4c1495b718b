//! What a provider network is to lines: where one ends that is complete.

use crate::topology::line::{Role, Terminus};

/// What a provider network is to lines.
pub const ROLE: Role = Role::Terminus(Terminus { completes: true, active: |_| true });
