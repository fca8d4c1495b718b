//! A location in path search: everything in it may fail with it.

use crate::topology::path::Role;

/// The role of locations in path search.
pub const PATH: Role = Role::PLAIN;
