//! The protection of objects that are in use outside of the inventory: they are not deleted and keep their place.
//!
//! A kind can have a [`Protection`](super::Protection). While it says that an object is in use, the write path refuses
//! every delete of the object and every write that clears one of its placement fields: the references to what it stands
//! in, and to the parents of its key. The same holds for the objects that it stands on, such as the machine of a host.

use super::edges::ObjectRef;
use super::field::Field;
use super::kind::{Description, InUse};
use super::snapshot::Snapshot;

impl Snapshot {
    /// Returns the object in use that protects an object, and its use: the object itself, or one that stands on it.
    /// `None` if the object is not protected.
    pub fn protected_by(&self, object: ObjectRef) -> Option<(ObjectRef, InUse)> {
        let protections = self.registry().kinds().filter_map(|kind| Some((kind, kind.protection?)));
        for (kind, protection) in protections {
            if kind.id == object.kind
                && let Some(in_use) = self.row(object).and_then(|row| (protection.of)(row.as_ref(), self))
            {
                return Some((object, in_use));
            }
            for name in protection.with {
                let references = kind.references().filter(|(_, field)| field.name == *name);
                let mut holders = references.flat_map(|(reference, _)| self.incoming(object).by(reference));
                let of = |holder: ObjectRef| Some((holder, (protection.of)(self.row(holder)?.as_ref(), self)?));
                if let Some(found) = holders.find_map(of) {
                    return Some(found);
                }
            }
        }
        None
    }
}

impl Description {
    /// Returns the fields that a protected object must not lose.
    pub fn placement_fields(&self) -> impl Iterator<Item = &'static Field> {
        let with = self.protection.map_or(&[][..], |protection| protection.with);
        self.fields.iter().filter(move |field| {
            let Some(reference) = field.reference else { return false };
            reference.within || self.key.parents.contains(&field.name) || with.contains(&field.name)
        })
    }
}
