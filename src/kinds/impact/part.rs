//! Questions that are asked of the whole inventory in the name of somebody who sees a part of it.

use std::sync::Arc;

use crate::inventory::{Place, Snapshot};
use crate::topology::impact::Impact;

/// The value that a question is asked of: the whole one, whatever is seen of it.
pub fn whole(seen: &Arc<Snapshot>) -> &Arc<Snapshot> {
    seen.part_of().unwrap_or(seen)
}

/// The place that an object of one of these values has in the other; `None` where it is not in that.
pub fn across(from: &Snapshot, to: &Snapshot, place: Place) -> Option<Place> {
    to.find(from.row(place)?.common().id)
}

/// The places that objects which are seen have in the whole, where they all are.
pub fn into_whole(seen: &Arc<Snapshot>, places: Vec<Place>) -> Vec<Place> {
    match seen.part_of() {
        None => places,
        Some(whole) => places.into_iter().filter_map(|place| across(seen, whole, place)).collect(),
    }
}

/// What is seen of an answer.
pub fn seen_of(seen: &Arc<Snapshot>, found: Impact) -> Impact {
    match seen.part_of() {
        None => found,
        Some(whole) => found.reduced(|place| across(whole, seen, place)),
    }
}
