//! A location, to paths: all that is in it may fail with it.

use crate::topology::path::Role;

/// What it is to paths.
pub const PATH: Role = Role::PLAIN;
