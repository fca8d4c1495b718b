//! A cable, to paths: a hop of their lines, which fails with the others of its conduit, duct or trench.

use underlay_entity::cable::Model;

use crate::inventory::cast;
use crate::topology::path::Role;

/// What it is to paths.
pub const PATH: Role = Role { fails_with: |row| &cast::<Model>(row).risk_groups.0, ..Role::PLAIN };
