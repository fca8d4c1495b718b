//! Prefetches the parents of the entries of a large batch, and the objects that have their keys, on two threads, before
//! any entry is identified.
//!
//! The result is valid as long as no item writes an object that is a part of the key of another item. It may be
//! incomplete: an entry without a clear result is looked up again when it is identified. The exception is an entry
//! whose key no object has and no other entry of the batch can get: its object is new, and is not looked up again.

use foldhash::{HashMap, HashMapExt, HashSet};
use serde_json::Value as Json;
use uuid::Uuid;

use super::Work;
use super::entries::UnderKey;
use super::identify::{KnownFamily, families};
use super::reference_cache::ReferenceCache;
use crate::runtime::parallel;
use underlay_inventory::{Description, KeyOf, KindId, ObjectRef, Selector};

/// The prefetched facts of an entry.
#[derive(Debug)]
struct Prefetched {
    /// The field that names the parent, the id of the parent, and the reference as it was written.
    parent: (&'static str, Uuid, Json),
    under_key: UnderKey,
}

/// The results so far.
#[derive(Default)]
struct Found {
    known: ReferenceCache,
    families: Vec<KnownFamily>,
}

impl Work<'_> {
    /// Prefetches the facts of all entries.
    pub(super) fn prefetch(&mut self) {
        let entries: Vec<usize> = (0..self.entries.len()).collect();
        let prefetched = parallel(&entries, entries.len(), |entries| {
            let mut found = Found::default();
            entries.iter().map(|at| self.prefetched(*at, &mut found)).collect()
        });
        let all_known = prefetched.iter().all(Option::is_some);
        for (at, prefetched) in entries.into_iter().zip(prefetched) {
            let Some(Prefetched { parent: (field, id, resolved), under_key }) = prefetched else { continue };
            let entry = self.entries.get_mut(at);
            entry.resolved.push((field, resolved));
            (entry.parent, entry.under_key) = (Some(id), under_key);
        }
        let can_be_alone = all_known && !self.refer_to_each_other();
        for at in self.not_alone(can_be_alone) {
            self.entries.get_mut(at).under_key = UnderKey::Unknown;
        }
    }

    /// Returns the entries whose keys no object has, but may have when the entries are identified.
    fn not_alone(&self, can_be_alone: bool) -> Vec<usize> {
        let nothing = |at: &usize| self.entries.get(*at).under_key == UnderKey::Nothing;
        let nothing: Vec<usize> = (0..self.entries.len()).filter(nothing).collect();
        if nothing.is_empty() || !can_be_alone {
            return nothing;
        }
        let mut times: HashMap<_, usize> = HashMap::with_capacity(self.entries.len());
        let key = |at: usize| {
            let entry = self.entries.get(at);
            (entry.kind.id, entry.parent, entry.name().and_then(Json::as_str))
        };
        (0..self.entries.len()).for_each(|at| *times.entry(key(at)).or_default() += 1);
        nothing.into_iter().filter(|at| times.get(&key(*at)) != Some(&1)).collect()
    }

    /// Returns true if an entry may refer to an object that another entry creates, judged by their kinds and fields.
    fn refer_to_each_other(&self) -> bool {
        let written: HashSet<KindId> = (0..self.entries.len()).map(|at| self.entries.get(at).kind.id).collect();
        let is_written = |name: &&str| self.base.registry().named(name).is_some_and(|kind| written.contains(&kind.id));
        let to_written = |kind: KindId| {
            let references = self.base.kind(kind).references();
            let fields =
                references.filter(|(_, field)| field.reference.is_some_and(|it| it.targets.iter().any(is_written)));
            (kind, fields.map(|(_, field)| field.name).collect::<Vec<_>>())
        };
        let fields: HashMap<KindId, Vec<&str>> = written.iter().map(|kind| to_written(*kind)).collect();
        (0..self.entries.len()).map(|at| self.entries.get(at)).any(|entry| {
            let fields = fields.get(&entry.kind.id);
            fields.is_some_and(|fields| fields.iter().any(|name| entry.fields.has(name)))
        })
    }

    fn prefetched(&self, at: usize, found: &mut Found) -> Option<Prefetched> {
        let kind = self.entries.get(at).kind;
        let given = |field: &'static str| Some((field, self.entries.given(at, field)?));
        let (field, reference, value) = kind.parent_fields().find_map(|(_, field)| {
            let (name, value) = given(field.name)?;
            Some((name, field.reference?, value))
        })?;
        let registry = self.base.registry();
        let mut targets = reference.targets.iter().filter_map(|name| registry.named(name));
        let parent = targets.find_map(|target| self.meaning(target, field, &value, &mut found.known))?;
        let under_key = self.under_key(at, kind, parent, &mut found.families);
        Some(Prefetched { parent: (field, parent, Json::String(parent.to_string())), under_key })
    }

    /// Returns the object that a reference to a kind that no item writes means.
    fn meaning(
        &self,
        kind: &'static Description,
        path: &str,
        value: &Json,
        known: &mut ReferenceCache,
    ) -> Option<Uuid> {
        if let Some(id) = known.get(kind, value) {
            return Some(id);
        }
        let selector = Selector::parse(kind, path, value, self.source()).ok()?;
        let now = self.draft.value();
        let id = now.row(now.select(kind, path, &selector).ok()??)?.common().id;
        if self.to_delete.contains(&id) {
            return None;
        }
        known.insert(kind, value, id);
        Some(id)
    }

    /// Returns the object that has the key of an entry.
    fn under_key(&self, at: usize, kind: &'static Description, parent: Uuid, known: &mut Vec<KnownFamily>) -> UnderKey {
        let (name, families) = (self.entries.get(at).name(), families(&self.entries, at, kind, known));
        let (Some(name), Ok(families)) = (name, families) else { return UnderKey::Unknown };
        let table = self.draft.value().table(kind.id);
        let key = |family| KeyOf { parent, family, name: name.as_str().unwrap_or_default().into() };
        let mut slots = families.filter_map(|family| table.by_key(&key(family)));
        match (slots.next(), slots.next()) {
            (None, _) => UnderKey::Nothing,
            (Some(slot), None) => UnderKey::Object(ObjectRef { kind: kind.id, slot }),
            (Some(_), Some(_)) => UnderKey::Unknown,
        }
    }
}
