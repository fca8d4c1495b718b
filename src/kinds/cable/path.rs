//! A cable in path search: a hop of the lines, which fails together with other objects of its conduit, duct or trench.

use underlay_entity::cable::Model;

use underlay_inventory::cast;
use underlay_topology::path::Role;

/// The role of cables in path search.
pub const PATH: Role = Role { fails_with: |row| &cast::<Model>(row).risk_groups.0, ..Role::PLAIN };
