//! A location in path search: everything in it may fail with it.

use underlay_topology::path::Role;

/// The role of locations in path search.
pub const PATH: Role = Role::PLAIN;
