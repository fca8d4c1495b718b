//! What a circuit is to lines: a crossing between its two ends.

use underlay_entity::circuit::Model;
use underlay_entity::lifecycle::Status;

use crate::inventory::cast;
use crate::topology::line::{Crossing, Role};

/// What a circuit is to lines.
pub const ROLE: Role = Role::Crossing(Crossing {
    active: |row| cast::<Model>(row).status == Status::Active,
    length_m: |row| cast::<Model>(row).distance_m,
    latency_ms: |row| cast::<Model>(row).latency_ms,
});
