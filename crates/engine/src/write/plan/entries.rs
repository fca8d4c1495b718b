//! The list of all entries, and the index that finds an entry before its object is in the draft.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};
use serde_json::Value as Json;
use uuid::Uuid;

use super::entry::Entry;
use super::order::external_refs;
use crate::write::fields::Fields;
use underlay_inventory::{Description, KindId, Part, Refusal};

/// A part that an item clears.
#[derive(Debug)]
pub(super) struct Cleared {
    pub whole: usize,
    pub part: &'static Part,
}

/// The entries of some items.
#[derive(Debug, Default)]
pub(super) struct Entries<'a> {
    list: Vec<Entry<'a>>,
    /// The entries of each item, the entry of the item itself first.
    by_item: HashMap<usize, Range<usize>>,
    pub index: Index<'a>,
    pub cleared: Vec<Cleared>,
}

impl<'a> Entries<'a> {
    /// Creates an empty list for a number of items.
    pub fn of(items: usize) -> Self {
        let (list, by_item) = (Vec::with_capacity(items), HashMap::with_capacity(items));
        Self { list, by_item, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.list.iter()
    }

    pub fn get(&self, at: usize) -> &Entry<'a> {
        &self.list[at]
    }

    pub fn get_mut(&mut self, at: usize) -> &mut Entry<'a> {
        &mut self.list[at]
    }

    /// Returns the entries of an item: its own, then those of its parts.
    pub fn of_item(&self, item: usize) -> Range<usize> {
        self.by_item.get(&item).cloned().unwrap_or_default()
    }

    /// Returns the item that is the origin of a refused entry, and the refusal in the terms of that item.
    pub fn origin(&self, at: usize, refusal: Refusal) -> (usize, Refusal) {
        let input = &self.get(at).input;
        let refusal = match input.part {
            Some(part) => refusal.within(part),
            None => refusal,
        };
        (input.item, refusal)
    }

    /// Adds an entry, and returns its index in the list.
    pub fn push(&mut self, entry: Entry<'a>) -> usize {
        let at = self.list.len();
        self.by_item.entry(entry.input.item).or_insert(at..at).end = at + 1;
        self.list.push(entry);
        at
    }
}

/// The entries by the ids, names and external references in their fields.
#[derive(Debug, Default)]
pub(super) struct Index<'a> {
    by_id: HashMap<Uuid, usize>,
    by_name: HashMap<(KindId, &'a str), Vec<usize>>,
    /// The entries by source and external id.
    by_external: HashMap<(KindId, &'a str, &'a str), Vec<usize>>,
}

impl<'a> Index<'a> {
    /// Adds an entry with its fields. `source` is the source of the batch.
    pub fn add(&mut self, at: usize, kind: &Description, fields: &'a Fields, source: Option<&'a str>) {
        let text = |member: &str| fields.get(member).and_then(Json::as_str);
        if let Some(name) = kind.name_of(|member| fields.get(member)).and_then(Json::as_str) {
            self.add_name(at, kind, name);
        }
        for (source, external_id) in source.zip(text("externalId")).into_iter().chain(external_refs(fields)) {
            self.by_external.entry((kind.id, source, external_id)).or_default().push(at);
        }
        if let Some(id) = text("id").and_then(|id| Uuid::parse_str(id).ok()) {
            self.by_id.entry(id).or_insert(at);
        }
    }

    /// Adds an entry by the name of its object.
    pub fn add_name(&mut self, at: usize, kind: &Description, name: &'a str) {
        self.by_name.entry((kind.id, name)).or_default().push(at);
    }

    /// Returns the entry that contains an id.
    pub fn with_id(&self, id: Uuid) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// Returns the entries whose object may have a name.
    pub fn named<'s>(&'s self, kind: KindId, name: &'s str) -> &'s [usize] {
        self.by_name.get(&(kind, name)).map_or(&[], Vec::as_slice)
    }

    /// Returns the entries whose object may have an external reference.
    pub fn with_external<'s>(&'s self, kind: KindId, source: &'s str, external_id: &'s str) -> &'s [usize] {
        self.by_external.get(&(kind, source, external_id)).map_or(&[], Vec::as_slice)
    }
}
