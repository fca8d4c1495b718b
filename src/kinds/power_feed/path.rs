//! A power feed, to paths: devices on them may fail with it, and it with the others of its risk groups.

use underlay_entity::power_feed::Model;

use crate::inventory::cast;
use crate::topology::path::Role;

/// What it is to paths.
pub const PATH: Role = Role { fails_with: |row| &cast::<Model>(row).risk_groups.0, ..Role::PLAIN };
