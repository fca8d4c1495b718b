//! The end of a circuit, to paths: a hop of their lines. A path to it is one to what these lines join.

use crate::topology::path::{Ends, Role};

/// What it is to paths.
pub const PATH: Role = Role { ends: Ends::OfItsLine, is_risk: false, ..Role::PLAIN };
