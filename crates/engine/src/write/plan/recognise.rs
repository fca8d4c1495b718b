//! Recognises the objects that a batch identifies by id or external id, before any object is looked up by its key.
//! Finds those of them that give up their key.
//!
//! Guarantees: an object that carries an external id of a source is never recognised by its key for another external
//! id of that source, and an object that the batch renames or moves is not recognised by the key that it leaves. So
//! keys are judged on the state after the whole batch, wherever an item stands in it. An object is written by one item
//! of a batch, unless every item that writes it gives its id.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use serde_json::Value as Json;
use uuid::Uuid;

use super::family::families;
use super::work::{Work, WrittenBy};
use crate::write::outcome::Recognised;
use underlay_entity::row::Row;
use underlay_inventory::{Description, Field, ObjectRef, Refusal, Snapshot};

impl Work<'_> {
    /// Looks up the objects that entries identify by id or external id.
    pub(super) fn recognise(&mut self) {
        for at in 0..self.entries.len() {
            let found = self.given_by_id(at).or_else(|| {
                let found = self.given_by_external_id(at);
                self.entries.get_mut(at).lookups.by_external_id = found;
                found
            });
            if let Some(row) = found.and_then(|object| self.draft.snapshot().row(object)) {
                // Items with the same id are applied in turn, so the last one counts.
                self.claimed.insert(row.common().id, at);
            }
        }
    }

    fn given_by_id(&self, at: usize) -> Option<ObjectRef> {
        let input = &self.entries.get(at).input;
        let id = Uuid::parse_str(input.fields.get("id")?.as_str()?).ok()?;
        self.draft.snapshot().find(id).filter(|object| object.kind == input.kind.id)
    }

    fn given_by_external_id(&self, at: usize) -> Option<ObjectRef> {
        let input = &self.entries.get(at).input;
        let slot = self.draft.snapshot().table(input.kind.id).by_external(self.source()?, input.external_id()?)?;
        Some(ObjectRef { kind: input.kind.id, slot })
    }

    /// Returns true if an object that was found by the key of an entry is the object that the entry means.
    pub(super) fn is_meant(&mut self, at: usize, object: ObjectRef, depth: usize) -> bool {
        let Some(row) = self.draft.snapshot().row(object).cloned() else { return false };
        if self.carries_another(at, row.as_ref()) {
            return false;
        }
        match self.claimed.get(&row.common().id).copied().filter(|other| *other != at) {
            Some(other) => !self.leaves_key(other, row.as_ref(), depth),
            None => true,
        }
    }

    /// Returns true if an object has an external id of the batch's source that differs from the one in an entry: before
    /// the batch, or by the entry that is known to write the object. External ids of other sources are fields like
    /// others, which an item may change if their managers permit it.
    pub(super) fn carries_another(&self, at: usize, row: &dyn Row) -> bool {
        let Some(source) = self.source() else { return false };
        let Some(value) = self.entries.get(at).input.external_id_of(source) else { return false };
        let common = row.common();
        let before = common.external_refs.0.iter().find(|it| it.source == source).map(|it| it.external_id.as_str());
        let writer = self.claimed.get(&common.id).filter(|writer| **writer != at);
        let by_writer = writer.and_then(|writer| self.entries.get(*writer).input.external_id_of(source));
        before.into_iter().chain(by_writer).any(|there| there != value)
    }

    /// Returns true if an entry changes the key of its object, which has this row.
    fn leaves_key(&mut self, at: usize, row: &dyn Row, depth: usize) -> bool {
        let entry = self.entries.get(at);
        let kind = entry.input.kind;
        let renamed = entry.value("name").is_some_and(|name| name.as_str() != Some(row.common().name));
        if renamed {
            return true;
        }
        let families = families(entry, kind, &mut self.families);
        if families.is_ok_and(|families| !families.contains(&kind.family(row))) {
            return true;
        }
        // A parent that cannot be resolved is refused when its entry is identified.
        let parent = self.parent(at, kind, depth + 1).ok().flatten();
        parent.is_some_and(|parent| kind.parent(row) != Some(parent))
    }

    /// Returns true if an entry without a name means the object that already refers to the same target. It does not if
    /// another entry, which is known to write that object, changes the reference.
    pub(super) fn is_meant_unnamed(
        &mut self,
        at: usize,
        field: &'static Field,
        object: ObjectRef,
        depth: usize,
    ) -> bool {
        let Some(row) = self.draft.snapshot().row(object).cloned() else { return false };
        if self.carries_another(at, row.as_ref()) {
            return false;
        }
        let writer = self.claimed.get(&row.common().id).copied().filter(|writer| *writer != at);
        let Some(value) = writer.and_then(|writer| self.entries.get(writer).value(field.name)) else { return true };
        let value = Cow::Owned(value.into_owned());
        let target = self.first_target(self.entries.get(at).input.kind, field, value, depth).ok().flatten();
        target.is_none_or(|target| field.reference.and_then(|it| it.first(row.as_ref())) == Some(target))
    }

    /// Refuses the entries whose object another item of the batch writes too.
    pub(super) fn refuse_twice(&mut self, others: &[usize]) {
        let mut first: HashMap<Uuid, usize> = HashMap::new();
        if !others.is_empty() {
            let wholes = self.entries.iter().enumerate().filter(|(_, entry)| entry.input.part.is_none());
            for (id, at) in wholes.filter_map(|(at, entry)| Some((entry.state.id()?, at))) {
                first.entry(id).or_insert(at);
            }
        }
        // Earlier items were planned separately, so any entry may mean an object that one of them wrote.
        let entries = if self.written.is_empty() { others.to_vec() } else { (0..self.entries.len()).collect() };
        for at in entries {
            let entry = self.entries.get(at);
            let Some(id) = entry.state.id().filter(|_| entry.input.part.is_none()) else { continue };
            let in_batch = first.get(&id).filter(|first| **first != at);
            let here = in_batch.map(|first| WrittenBy::of(&self.entries.get(*first).input));
            let Some(first) = here.or_else(|| self.written.get(&id).copied()) else { continue };
            if entry.input.gives_id() && first.gives_id {
                continue;
            }
            let field = match entry.state.recognised_by() {
                _ if entry.input.gives_id() => "id",
                Some(Recognised::ExternalId) => "externalId",
                _ => "name",
            };
            let object = self.draft.snapshot().find(id);
            let what =
                object.map_or_else(|| entry.input.kind.name.to_owned(), |object| self.draft.snapshot().path(object));
            let refusal = Refusal::WrittenTwice { field: field.to_owned(), what, item: first.item };
            self.entries.get_mut(at).state.refuse(refusal);
        }
    }

    /// Returns the first object that a row of a kind refers to if a field has this value.
    pub(super) fn first_target(
        &mut self,
        kind: &'static Description,
        field: &'static Field,
        value: Cow<'_, Json>,
        depth: usize,
    ) -> Result<Option<Uuid>, Refusal> {
        let ids = self.resolve_field(field, value, depth + 1)?;
        let mut row = (kind.blank)();
        let Some(blank) = Arc::get_mut(&mut row) else { return Ok(None) };
        field.put(blank, field.fit(&ids)?.as_ref())?;
        Ok(field.reference.and_then(|reference| reference.first(row.as_ref())))
    }

    /// Returns the description of an object in a message: its path in a snapshot, and its external ids after the batch.
    pub(super) fn called(&self, snapshot: &Snapshot, kind: &Description, id: Uuid) -> String {
        let object = snapshot.find(id);
        let path = object.map_or_else(|| format!("a new {}", kind.name), |object| snapshot.path(object));
        let row = self.draft.snapshot().row_of(id);
        let refs: Vec<_> = row.into_iter().flat_map(|row| row.common().external_refs.0.iter()).collect();
        let refs: Vec<_> = refs.iter().map(|it| format!("{} of source {}", it.external_id, it.source)).collect();
        if refs.is_empty() { path } else { format!("{path} ({})", refs.join(", ")) }
    }
}
