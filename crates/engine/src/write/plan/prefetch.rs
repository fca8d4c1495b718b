//! Prefetches the parents of the entries of a large batch, and the objects that have their keys, on two threads, before
//! any entry is identified.
//!
//! The steps, in order:
//! 1. On two threads, each entry's parent is looked up, then the object that has its key.
//! 2. The results are stored in the entries.
//! 3. A key that no object has is looked up again if another entry may take it, or may create an object that a
//!    reference means.
//!
//! The result is valid as long as no item writes an object that is a part of the key of another item. It may be
//! incomplete: an entry without a clear result is looked up again when it is identified. The exception is an entry
//! whose key no object has and no other entry of the batch can get: its object is new, and is not looked up again.

use foldhash::{HashMap, HashMapExt, HashSet};
use serde_json::Value as Json;
use uuid::Uuid;

use super::entry::{Entry, KeyLookup};
use super::family::{Families, families};
use super::reference_cache::ReferenceCache;
use super::work::Work;
use crate::runtime::parallel;
use underlay_inventory::{Description, KeyOf, KindId, ObjectRef, Selector};

/// The prefetched facts of an entry.
#[derive(Debug)]
struct Prefetched {
    parent_field: &'static str,
    parent: Uuid,
    /// The value of the field, with the id of the parent.
    resolved: Json,
    by_key: KeyLookup,
}

/// The results of lookups that one thread can use again.
#[derive(Default)]
struct Cache {
    references: ReferenceCache,
    families: Families,
}

impl Work<'_> {
    /// Prefetches the facts of all entries.
    pub(super) fn prefetch(&mut self) {
        let entries: Vec<usize> = (0..self.entries.len()).collect();
        let prefetched = parallel(&entries, entries.len(), |entries| {
            let mut cache = Cache::default();
            entries.iter().map(|at| self.look_up_entry(self.entries.get(*at), &mut cache)).collect()
        });
        let is_complete = prefetched.iter().all(Option::is_some);
        for (at, prefetched) in entries.into_iter().zip(prefetched) {
            let Some(Prefetched { parent_field, parent, resolved, by_key }) = prefetched else { continue };
            let entry = self.entries.get_mut(at);
            entry.resolved.push(parent_field, resolved);
            (entry.lookups.parent, entry.lookups.by_key) = (Some(parent), by_key);
        }
        let can_be_certain = is_complete && !self.refer_to_each_other();
        for at in self.uncertain(can_be_certain) {
            self.entries.get_mut(at).lookups.by_key = KeyLookup::Unknown;
        }
    }

    /// Returns the entries whose keys no object has, but may have when the entries are identified.
    fn uncertain(&self, can_be_certain: bool) -> Vec<usize> {
        let nothing = |at: &usize| self.entries.get(*at).lookups.by_key == KeyLookup::Nothing;
        let nothing: Vec<usize> = (0..self.entries.len()).filter(nothing).collect();
        if nothing.is_empty() || !can_be_certain {
            return nothing;
        }
        let key = |entry: &Entry<'_>| (entry.input.kind.id, entry.lookups.parent);
        let mut times: HashMap<_, usize> = HashMap::with_capacity(self.entries.len());
        for entry in self.entries.iter() {
            *times.entry((key(entry), entry.input.name().and_then(Json::as_str))).or_default() += 1;
        }
        let is_shared = |at: &usize| {
            let entry = self.entries.get(*at);
            times.get(&(key(entry), entry.input.name().and_then(Json::as_str))) != Some(&1)
        };
        nothing.into_iter().filter(is_shared).collect()
    }

    /// Returns true if an entry may refer to an object that another entry creates, judged by their kinds and fields.
    fn refer_to_each_other(&self) -> bool {
        let written: HashSet<KindId> = self.entries.iter().map(|entry| entry.input.kind.id).collect();
        let is_written = |name: &&str| self.base.registry().named(name).is_some_and(|kind| written.contains(&kind.id));
        let fields_to_written = |kind: &KindId| {
            let references = self.base.kind(*kind).references();
            let fields =
                references.filter(|(_, field)| field.reference.is_some_and(|it| it.targets.iter().any(is_written)));
            (*kind, fields.map(|(_, field)| field.name).collect::<Vec<_>>())
        };
        let fields: HashMap<KindId, Vec<&str>> = written.iter().map(fields_to_written).collect();
        self.entries.iter().any(|entry| {
            let fields = fields.get(&entry.input.kind.id);
            fields.is_some_and(|fields| fields.iter().any(|name| entry.input.fields.has(name)))
        })
    }

    /// Returns the facts of an entry, or `None` if it gives no parent or its parent is not found.
    fn look_up_entry(&self, entry: &Entry<'_>, cache: &mut Cache) -> Option<Prefetched> {
        let kind = entry.input.kind;
        let (parent_field, reference, value) = kind.parent_fields().find_map(|(_, field)| {
            let value = entry.value(field.name)?;
            Some((field.name, field.reference?, value))
        })?;
        let registry = self.base.registry();
        let mut targets = reference.targets.iter().filter_map(|name| registry.named(name));
        let parent =
            targets.find_map(|target| self.look_up_parent(target, parent_field, &value, &mut cache.references))?;
        let by_key = self.look_up_key(entry, parent, &mut cache.families);
        Some(Prefetched { parent_field, parent, resolved: Json::String(parent.to_string()), by_key })
    }

    /// Returns the object that a reference to a kind that no item writes means.
    fn look_up_parent(
        &self,
        kind: &'static Description,
        path: &str,
        value: &Json,
        cache: &mut ReferenceCache,
    ) -> Option<Uuid> {
        if let Some(id) = cache.get(kind, value) {
            return Some(id);
        }
        let selector = Selector::parse(kind, path, value, self.source()).ok()?;
        let now = self.draft.snapshot();
        let id = now.row(now.select(kind, path, &selector).ok()??)?.common().id;
        if self.to_delete.contains(&id) {
            return None;
        }
        cache.insert(kind, value, id);
        Some(id)
    }

    /// Returns the object that has the key of an entry.
    fn look_up_key(&self, entry: &Entry<'_>, parent: Uuid, known: &mut Families) -> KeyLookup {
        let kind = entry.input.kind;
        let (Some(name), Ok(families)) = (entry.input.name(), families(entry, kind, known)) else {
            return KeyLookup::Unknown;
        };
        let table = self.draft.snapshot().table(kind.id);
        let key = |family| KeyOf { parent, family, name: name.as_str().unwrap_or_default().into() };
        let mut slots = families.filter_map(|family| table.by_key(&key(family)));
        match (slots.next(), slots.next()) {
            (None, _) => KeyLookup::Nothing,
            (Some(slot), None) => KeyLookup::Object(ObjectRef { kind: kind.id, slot }),
            (Some(_), Some(_)) => KeyLookup::Unknown,
        }
    }
}
