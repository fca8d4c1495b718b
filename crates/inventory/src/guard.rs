//! Guards: objects that are in use outside of the inventory, and must not lose their existence or their place.
//!
//! A kind can have a [`Guard`](super::Guard). While it answers for an object, the write path refuses every delete of
//! the object and every write that clears one of its placement fields: the references to what it stands in, and to the
//! parents of its key. The same holds for the objects that it stands on, such as the machine of a host.

use super::edges::ObjectRef;
use super::field::Field;
use super::kind::{Description, Guarded};
use super::snapshot::Snapshot;

impl Snapshot {
    /// Returns the object that guards an object, and its use: the object itself, or one that stands on it. `None` if
    /// the object is not guarded.
    pub fn guard_of(&self, place: ObjectRef) -> Option<(ObjectRef, Guarded)> {
        let guarding = self.registry().kinds().filter_map(|kind| Some((kind, kind.guard?)));
        for (kind, guard) in guarding {
            if kind.id == place.kind
                && let Some(guarded) = self.row(place).and_then(|row| (guard.of)(row.as_ref(), self))
            {
                return Some((place, guarded));
            }
            for name in guard.with {
                let references = kind.references().filter(|(_, field)| field.name == *name);
                let mut holders = references.flat_map(|(reference, _)| self.incoming(place).by(reference));
                let of = |holder: ObjectRef| Some((holder, (guard.of)(self.row(holder)?.as_ref(), self)?));
                if let Some(found) = holders.find_map(of) {
                    return Some(found);
                }
            }
        }
        None
    }
}

impl Description {
    /// Returns the fields that a guarded object must not lose.
    pub fn placement_fields(&self) -> impl Iterator<Item = &'static Field> {
        let with = self.guard.map_or(&[][..], |guard| guard.with);
        self.fields.iter().filter(move |field| {
            let Some(reference) = field.reference else { return false };
            reference.within || self.key.parents.contains(&field.name) || with.contains(&field.name)
        })
    }
}
