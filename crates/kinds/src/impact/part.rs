//! Queries that run on the whole inventory for a caller who sees only a part of it.

use std::sync::Arc;

use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::impact::Impact;

/// Returns the snapshot that a query runs on: the whole inventory, even if the caller sees only a part of it.
pub fn whole(seen: &Arc<Snapshot>) -> &Arc<Snapshot> {
    seen.part_of().unwrap_or(seen)
}

/// Returns the reference in `to` to an object of `from`; `None` if `to` does not have the object.
pub fn across(from: &Snapshot, to: &Snapshot, object: ObjectRef) -> Option<ObjectRef> {
    to.find(from.row(object)?.common().id)
}

/// Converts references to visible objects to references in the whole inventory, which has all of them.
pub fn into_whole(seen: &Arc<Snapshot>, objects: Vec<ObjectRef>) -> Vec<ObjectRef> {
    match seen.part_of() {
        None => objects,
        Some(whole) => objects.into_iter().filter_map(|object| across(seen, whole, object)).collect(),
    }
}

/// Reduces an answer to the visible objects.
pub fn seen_of(seen: &Arc<Snapshot>, found: Impact) -> Impact {
    match seen.part_of() {
        None => found,
        Some(whole) => found.reduced(|object| across(whole, seen, object)),
    }
}
