//! Hosts, and the kinds that belong to them: host classes, credentials, profiles and appliances.

mod appliances;
mod arrivals;
mod claims;
mod classes;
mod credentials;
mod in_use;
mod machines;
mod orders;
mod profiles;
mod provisioners;
mod spread;
mod values;
mod visible;

use std::sync::Arc;

use serde_json::Value;
use underlay::write::{Batch, Origin, plan};

use super::World;
use crate::harness::inside::batch;

/// Writes fields that only the server sets, as the mutations of the life do.
fn write_as_server(world: &mut World, items: Value) {
    let items = world.items(items);
    let planned = plan(&world.snapshot, &Batch { origin: Origin::Server, ..batch(items) }, chrono::Utc::now());
    let planned = planned.expect("a batch within bounds");
    assert!(planned.accepted, "{:?}", planned.outcomes);
    world.snapshot = Arc::unwrap_or_clone(planned.next);
}
