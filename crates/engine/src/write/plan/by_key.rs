//! Finds the object of an entry by its key: the parent, the family and the name. An object of a kind that needs no name
//! is found by the target that it refers to.

use serde_json::Value as Json;
use uuid::Uuid;

use super::entry::KeyLookup;
use super::family::families;
use super::work::Work;
use underlay_inventory::{Description, KeyOf, ObjectRef, ReferenceId, Refusal};

impl Work<'_> {
    /// Returns the object that has the key of an entry. Several such objects are an error.
    pub(super) fn by_key(
        &mut self,
        at: usize,
        kind: &'static Description,
        name: &str,
        depth: usize,
    ) -> Result<Option<ObjectRef>, Refusal> {
        let mut found = self.candidates(at, kind, name, depth)?;
        found.retain(|object| self.can_be_written(*object) && self.is_meant(at, *object, depth));
        match found.as_slice() {
            [] => Ok(None),
            [object] => Ok(Some(*object)),
            several => Err(Refusal::Ambiguous {
                field: "name".to_owned(),
                what: format!("{} {name}", kind.name),
                count: several.len(),
                candidates: several.iter().map(|it| self.draft.snapshot().path(*it)).collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// Returns the objects that have the key of an entry in the draft.
    fn candidates(
        &mut self,
        at: usize,
        kind: &'static Description,
        name: &str,
        depth: usize,
    ) -> Result<Vec<ObjectRef>, Refusal> {
        // The parent is resolved in any case, because its errors are those of the entry.
        let parent = self.parent(at, kind, depth)?;
        match self.entries.get(at).lookups.by_key {
            KeyLookup::Nothing => return Ok(Vec::new()),
            // An object of the batch may have taken its key in the index.
            KeyLookup::Object(object) if !self.draft.has_displaced() => return Ok(vec![object]),
            KeyLookup::Object(_) | KeyLookup::Unknown => {}
        }
        if parent.is_none() && !kind.key.parents.is_empty() {
            return Ok(self.draft.snapshot().select_named(kind, name)?.into_iter().collect());
        }
        let families = families(self.entries.get(at), kind, &mut self.families)?;
        let table = self.draft.snapshot().table(kind.id);
        let key = |family| KeyOf { parent: parent.unwrap_or_default(), family, name: name.into() };
        let slots = families.filter_map(|family| table.by_key(&key(family)));
        Ok(slots.map(|slot| ObjectRef { kind: kind.id, slot }).collect())
    }

    /// Returns the parent of an entry, from the first of the fields that may hold it.
    pub(super) fn parent(
        &mut self,
        at: usize,
        kind: &'static Description,
        depth: usize,
    ) -> Result<Option<Uuid>, Refusal> {
        if let Some(parent) = self.entries.get(at).lookups.parent {
            return Ok(Some(parent));
        }
        for (_, field) in kind.parent_fields() {
            let value = self.entries.get(at).value(field.name);
            if let (Some(value), Some(reference)) = (value, field.reference) {
                let id = self.referring(at, |work| work.resolve(reference.targets, field.name, &value, depth + 1))?;
                // From here on, the name may also match the object itself.
                self.entries.get_mut(at).resolved.push(field.name, Json::String(id.to_string()));
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Returns the object that already refers to the same target as an entry without a name, for kinds that need no
    /// name.
    pub(super) fn by_target(
        &mut self,
        at: usize,
        kind: &'static Description,
        depth: usize,
    ) -> Result<Option<ObjectRef>, Refusal> {
        let Some(index) = kind.recognised_by().and_then(|by| kind.field(by)) else { return Ok(None) };
        let field = &kind.fields[index];
        let Some(value) = self.entries.get(at).value(field.name) else { return Ok(None) };
        let first = self.first_target(kind, field, value, depth)?;
        let Some(target) = first.and_then(|id| self.draft.snapshot().find(id)) else { return Ok(None) };
        let reference = ReferenceId { kind: kind.id, field: index as u8 };
        let found = self.draft.snapshot().incoming(target).first_by(reference);
        Ok(found.filter(|found| self.can_be_written(*found) && self.is_meant_unnamed(at, field, *found, depth)))
    }
}
