//! A circuit on lines: a line crosses a circuit from one end to the other.

use underlay_entity::circuit::Model;
use underlay_entity::lifecycle::Status;

use underlay_inventory::cast;
use underlay_topology::line::{Crossing, Role};

/// The role of circuits on lines.
pub const ROLE: Role = Role::Crossing(Crossing {
    active: |row| cast::<Model>(row).status == Status::Active,
    length_m: |row| cast::<Model>(row).distance_m,
    latency_ms: |row| cast::<Model>(row).latency_ms,
});
