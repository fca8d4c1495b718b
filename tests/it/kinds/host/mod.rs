//! Hosts: their fields and machines, how they arrive, orders and claims, and who sees them.

mod arrivals;
mod claims;
mod in_use;
mod machines;
mod orders;
mod provisioners;
mod sharing;
mod spread;
mod values;
mod visible;

use std::sync::Arc;

use serde_json::Value;
use underlay_engine::write::{Batch, Origin, plan};

use crate::harness::inside::batch;
use crate::harness::world::World;

/// Writes fields that only the server sets, as the mutations of the life do.
fn write_as_server(world: &mut World, items: Value) {
    let items = world.items(items);
    let planned = plan(&world.snapshot, &Batch { origin: Origin::Server, ..batch(items) }, chrono::Utc::now());
    let planned = planned.expect("a batch within bounds");
    assert!(planned.accepted, "{:?}", planned.outcomes);
    world.snapshot = Arc::unwrap_or_clone(planned.next);
}
