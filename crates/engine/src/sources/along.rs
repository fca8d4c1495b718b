//! Finds what counts with another object that goes: its parts, such as its ports, and what ends at these, such as
//! cables. A device that goes is one object to the guard, however many cables it has.
//!
//! Guarantee: no source can bring an object into the fall of another one to wipe it uncounted. The whole always counts.
//! A part was made in its whole and cannot leave it. What ends at parts can be plugged elsewhere, so it counts for itself
//! if it was changed within the window of the guard.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use underlay_inventory::{Description, ObjectRef, Snapshot};

/// Returns those of the objects that go which count with another one. `wholes` are the objects that go and count, or of
/// which it was decided.
pub fn along(
    snapshot: &Snapshot,
    going: &HashSet<ObjectRef>,
    wholes: &HashSet<ObjectRef>,
    since: DateTime<Utc>,
) -> HashSet<ObjectRef> {
    let is_part = |object: &ObjectRef| is_part_of_any(snapshot, *object, wholes);
    let ends_there = |object: &ObjectRef| ends_at_part_of_any(snapshot, *object, wholes, since);
    going.iter().filter(|object| is_part(object) || ends_there(object)).copied().collect()
}

/// Returns true if the objects of a kind are parts of others: each is made in its whole, and cannot leave it.
fn is_kind_of_parts(kind: &Description) -> bool {
    let mut wholes =
        kind.fields.iter().filter(|field| field.reference.is_some_and(|reference| reference.contained)).peekable();
    wholes.peek().is_some() && wholes.all(|field| field.immutable)
}

fn is_part_of_any(snapshot: &Snapshot, object: ObjectRef, wholes: &HashSet<ObjectRef>) -> bool {
    let kind = snapshot.kind(object.kind);
    let Some(row) = snapshot.row(object).filter(|_| is_kind_of_parts(kind)) else { return false };
    let references = kind.fields.iter().filter_map(|field| field.reference).filter(|reference| reference.contained);
    let mut wholes_of = references.filter_map(|reference| reference.first(row.as_ref()));
    wholes_of.any(|whole| snapshot.find(whole).is_some_and(|whole| wholes.contains(&whole)))
}

fn ends_at_part_of_any(
    snapshot: &Snapshot,
    object: ObjectRef,
    wholes: &HashSet<ObjectRef>,
    since: DateTime<Utc>,
) -> bool {
    let Some(row) = snapshot.row(object) else { return false };
    let common = row.common();
    if common.updated_at > since && common.updated_at != common.created_at {
        return false;
    }
    let fields = snapshot.kind(object.kind).fields;
    let mut ends = Vec::new();
    for reference in fields.iter().filter_map(|field| field.reference).filter(|reference| reference.ends) {
        (reference.each)(row.as_ref(), &mut |id| ends.push(id));
    }
    ends.into_iter().filter_map(|id| snapshot.find(id)).any(|end| is_part_of_any(snapshot, end, wholes))
}
