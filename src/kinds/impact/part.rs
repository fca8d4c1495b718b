//! Queries that run on the whole inventory for a caller who sees only a part of it.

use std::sync::Arc;

use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::impact::Impact;

/// Returns the snapshot that a query runs on: the whole inventory, even if the caller sees only a part of it.
pub fn whole(seen: &Arc<Snapshot>) -> &Arc<Snapshot> {
    seen.part_of().unwrap_or(seen)
}

/// Returns the place of an object of `from` in `to`; `None` if `to` does not have the object.
pub fn across(from: &Snapshot, to: &Snapshot, place: ObjectRef) -> Option<ObjectRef> {
    to.find(from.row(place)?.common().id)
}

/// Converts the places of visible objects to their places in the whole inventory, which has all of them.
pub fn into_whole(seen: &Arc<Snapshot>, places: Vec<ObjectRef>) -> Vec<ObjectRef> {
    match seen.part_of() {
        None => places,
        Some(whole) => places.into_iter().filter_map(|place| across(seen, whole, place)).collect(),
    }
}

/// Reduces an answer to the visible objects.
pub fn seen_of(seen: &Arc<Snapshot>, found: Impact) -> Impact {
    match seen.part_of() {
        None => found,
        Some(whole) => found.reduced(|place| across(whole, seen, place)),
    }
}
