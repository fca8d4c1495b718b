//! A power feed in path search: devices of a path may fail with it, and it may fail with other objects of its risk
//! groups.

use underlay_entity::power_feed::Model;

use underlay_inventory::cast;
use underlay_topology::path::Role;

/// The role of power feeds in path search.
pub const PATH: Role = Role { fails_with: |row| &cast::<Model>(row).risk_groups.0, ..Role::PLAIN };
