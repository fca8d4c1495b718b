//! Refuses to delete objects that are in use, and to clear their placement, however a batch does it.
//!
//! The state before the items decides: an item that ends the use of an object cannot be in one batch with one that
//! deletes the object. Batches of the server itself are exempt.

use underlay_entity::row::Row;
use uuid::Uuid;

use super::work::Work;
use underlay_inventory::{Field, ObjectRef, Refusal, Snapshot, Touched};

impl Work<'_> {
    /// Refuses the changes of protected objects among these.
    pub(super) fn check_protection(&mut self, start: &Snapshot, touched: &[Touched]) {
        let has_protection = start.registry().kinds().any(|kind| kind.protection.is_some());
        if !has_protection || self.batch.origin.is_server() {
            return;
        }
        let refused: Vec<(Uuid, Refusal)> =
            touched.iter().filter_map(|it| Some((it.id, refusal(start, it)?))).collect();
        for (object, refusal) in refused {
            self.refuse_object(object, refusal);
        }
    }
}

/// Returns the refusal of a change, if it takes something from a protected object.
fn refusal(start: &Snapshot, touched: &Touched) -> Option<Refusal> {
    let before = touched.before.as_ref()?;
    let cleared = match &touched.after {
        None => None,
        Some(after) => Some(cleared(start, touched, before.as_ref(), after.as_ref())?.name),
    };
    let object = start.find(touched.id)?;
    let (by, in_use) = start.protected_by(object)?;
    Some(refused(start, object, cleared, in_use.words(&start.path(by))))
}

/// Returns the first placement field that a change clears.
fn cleared(start: &Snapshot, touched: &Touched, before: &dyn Row, after: &dyn Row) -> Option<&'static Field> {
    let is_set = |field: &Field, row: &dyn Row| field.reference.is_some_and(|it| it.first(row).is_some());
    start.kind(touched.kind).placement_fields().find(|field| is_set(field, before) && !is_set(field, after))
}

/// Returns the refusal for an object that is protected.
fn refused(start: &Snapshot, object: ObjectRef, cleared: Option<&str>, why: String) -> Refusal {
    Refusal::Protected { what: start.path(object), field: cleared.map(str::to_owned), why }
}
