//! Finds the objects that enter or leave a container because an object that contains them moved. Nothing of their own
//! changed, so no record mentions them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use underlay_entity::change::{self, Operation};
use uuid::Uuid;

use super::filter::{EventFilter, EventType};
use crate::filter::stands_in;
use underlay_engine::runtime::TimeSlice;
use underlay_inventory::{ObjectRef, Snapshot};

/// An object that entered or left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The id of the object.
    pub object: Uuid,
    /// The name of its kind.
    pub kind: &'static str,
    /// The name of the object.
    pub name: String,
    /// [`EventType::Entered`] or [`EventType::Left`].
    pub event_type: EventType,
}

/// Returns the objects that entered or left with the changes of one revision, in the order of their ids, without those
/// that changed themselves.
pub(super) async fn find(
    before: &Arc<Snapshot>,
    after: &Arc<Snapshot>,
    changes: &[change::Model],
    within: Uuid,
    filter: &EventFilter,
) -> Vec<Move> {
    let mut slice = TimeSlice::begin();
    let mut found = BTreeMap::new();
    let changed: HashSet<Uuid> = changes.iter().map(|change| change.object_id).collect();
    let source = changes.first().and_then(|change| change.source.as_deref());
    let moved = changes.iter().filter(|change| change.operation == Operation::Updated && change.scope_before.is_some());
    let mut seen = HashSet::new();
    for change in moved {
        // The objects in a container enter or leave with it only if the container itself does.
        if happens(before, after, change.object_id, within).is_none() {
            continue;
        }
        let mut pending: Vec<ObjectRef> = after.find(change.object_id).into_iter().collect();
        while let Some(object) = pending.pop() {
            slice.step().await;
            let Some(row) = after.row(object).filter(|_| seen.insert(object)) else { continue };
            pending.extend(after.standing_in(object));
            let (common, kind) = (row.common(), after.kind(object.kind).name);
            let event_type = happens(before, after, common.id, within).filter(|_| !changed.contains(&common.id));
            if let Some(event_type) = event_type
                && filter.wants(kind, common.id, common.labels, source, event_type)
            {
                found.insert(common.id, Move { object: common.id, kind, name: common.name.to_owned(), event_type });
            }
        }
    }
    found.into_values().collect()
}

/// Returns whether an object entered or left another one between two snapshots.
fn happens(before: &Snapshot, after: &Snapshot, object: Uuid, within: Uuid) -> Option<EventType> {
    let stands = |snapshot: &Snapshot| {
        let both = snapshot.find(object).zip(snapshot.find(within));
        both.is_some_and(|(object, ancestor)| stands_in(snapshot, object, ancestor))
    };
    match (stands(before), stands(after)) {
        (false, true) => Some(EventType::Entered),
        (true, false) => Some(EventType::Left),
        _ => None,
    }
}
