//! A provider network on lines: a complete line can end in it.

use underlay_topology::line::{Role, Terminus};

/// The role of provider networks on lines.
pub const ROLE: Role = Role::Terminus(Terminus { completes: true, active: |_| true });
