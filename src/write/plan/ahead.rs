//! Looking ahead: what the entries of a large batch are beneath, and which objects there are under their keys, is looked
//! up before any of them is identified, on two threads.
//!
//! That holds as long as no item writes an object that the key of another is made of, and is only a beginning: whatever
//! is not found here, or not found to be one thing, is looked for again when its entry is identified.

use serde_json::Value as Json;
use uuid::Uuid;

use super::Work;
use super::identify::{KnownFamily, families};
use super::known::Known;
use crate::inventory::{Description, KeyOf, Place, Selector};
use crate::store::in_halves;

/// What is known of an entry before it is identified.
#[derive(Debug)]
struct Ahead {
    /// The field that names its parent, and the id of that.
    parent: (&'static str, Uuid, Json),
    /// The object that has its key.
    there: Option<Place>,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    known: Known,
    families: Vec<KnownFamily>,
}

impl Work<'_> {
    /// Looks up what can be of all entries.
    pub(super) fn look_ahead(&mut self) {
        let entries: Vec<usize> = (0..self.entries.len()).collect();
        let ahead = in_halves(&entries, entries.len(), |entries| {
            let mut found = Found::default();
            entries.iter().map(|at| self.ahead(*at, &mut found)).collect()
        });
        for (at, ahead) in entries.into_iter().zip(ahead) {
            let Some(Ahead { parent: (field, id, resolved), there }) = ahead else { continue };
            let entry = self.entries.get_mut(at);
            entry.resolved.push((field, resolved));
            (entry.parent, entry.there) = (Some(id), there);
        }
    }

    fn ahead(&self, at: usize, found: &mut Found) -> Option<Ahead> {
        let kind = self.entries.get(at).kind;
        let given = |field: &'static str| Some((field, self.entries.given(at, field)?));
        let (field, reference, value) = kind.parent_fields().find_map(|(_, field)| {
            let (name, value) = given(field.name)?;
            Some((name, field.reference?, value))
        })?;
        let registry = self.base.registry();
        let mut targets = reference.targets.iter().filter_map(|name| registry.named(name));
        let parent = targets.find_map(|target| self.meaning(target, field, &value, &mut found.known))?;
        let there = self.there(at, kind, parent, &mut found.families);
        Some(Ahead { parent: (field, parent, Json::String(parent.to_string())), there })
    }

    /// The object that a reference means, of a kind that no item writes.
    fn meaning(&self, kind: &'static Description, path: &str, value: &Json, known: &mut Known) -> Option<Uuid> {
        if let Some(id) = known.get(kind, value) {
            return Some(id);
        }
        let selector = Selector::parse(kind, path, value, self.source()).ok()?;
        let now = self.draft.value();
        let id = now.row(now.select(kind, path, &selector).ok()??)?.common().id;
        if self.doomed.contains(&id) {
            return None;
        }
        known.insert(kind, value, id);
        Some(id)
    }

    /// The one object that has the key of an entry.
    fn there(
        &self,
        at: usize,
        kind: &'static Description,
        parent: Uuid,
        known: &mut Vec<KnownFamily>,
    ) -> Option<Place> {
        let name = self.entries.given(at, "name")?;
        let families = families(&self.entries, at, kind, known).ok()?;
        let table = self.draft.value().table(kind.id);
        let key = |family| KeyOf { parent, family, name: name.as_str().unwrap_or_default().into() };
        let mut slots = families.filter_map(|family| table.by_key(&key(family)));
        let only = slots.next().filter(|_| slots.next().is_none());
        only.map(|slot| Place { kind: kind.id, slot })
    }
}
