//! The objects that the items of a batch write. Each item has an entry, and one more for each of its parts that is an
//! object of its own, such as the ends of a circuit.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use serde_json::Value as Json;
use uuid::Uuid;

use super::Work;
use super::identify::circle;
use super::order::external_refs;
use crate::write::batch::{Cascade, Intent, Item, Outcome, Recognised, Skipped, Status};
use crate::write::fields::Fields;
use underlay_entity::row::Row;
use underlay_inventory::{Description, KindId, ObjectRef, Part, Refusal, Snapshot, shorten, shorten_text};

/// The member by which a part refers to the entry of its whole.
pub(super) const ENTRY: &str = "$entry";

/// The state of the identification of an entry.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// The identification has not begun.
    Waiting,
    /// The identification is running.
    Busy,
    /// The entry means an existing object.
    Found(Uuid),
    /// The entry creates an object.
    New(Uuid),
    /// The entry cannot be identified.
    Failed(Refusal),
}

impl State {
    /// Returns the object, once every entry was identified.
    pub fn object(&self) -> Result<Uuid, Refusal> {
        match self {
            Self::Found(id) | Self::New(id) => Ok(*id),
            Self::Failed(refusal) => Err(refusal.clone()),
            Self::Waiting | Self::Busy => Err(circle()),
        }
    }

    /// Returns the object, if it is known already.
    pub fn found(&self) -> Option<Uuid> {
        match self {
            Self::Found(id) | Self::New(id) => Some(*id),
            _ => None,
        }
    }
}

/// The object that has a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnderKey {
    /// It must be looked up.
    Unknown,
    /// This object has the key.
    Object(ObjectRef),
    /// No object has the key, and no other entry creates one or refers to one of its kind.
    Nothing,
}

/// An object to be written.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub item: usize,
    pub part: Option<&'static str>,
    pub kind: &'static Description,
    pub intent: Intent,
    pub fields: Cow<'a, Fields>,
    /// The fields whose references were resolved to ids.
    pub resolved: Vec<(&'static str, Json)>,
    /// The parent, and the object that has the key, if they were prefetched.
    pub parent: Option<Uuid>,
    pub under_key: UnderKey,
    /// The row of a new object that nothing in the batch can refer to. It is added to the draft when it is complete.
    pub blank: Option<Arc<dyn Row>>,
    /// The index of the object in the snapshot, once it is known.
    pub place: Option<ObjectRef>,
    pub if_version: Option<i64>,
    pub state: State,
    /// The way in which the object was recognised, once it is known.
    pub by: Option<Recognised>,
    /// The object that has the external id in the entry.
    pub by_external_id: Option<ObjectRef>,
    /// The error of the references in the fields.
    pub unresolved: Option<Refusal>,
    pub skipped: Vec<Skipped>,
}

impl<'a> Entry<'a> {
    /// Creates an entry that is not identified yet.
    fn of(item: usize, kind: &'static Description, fields: Cow<'a, Fields>) -> Self {
        Self {
            item,
            part: None,
            kind,
            intent: Intent::Apply,
            fields,
            resolved: Vec::new(),
            parent: None,
            under_key: UnderKey::Unknown,
            blank: None,
            place: None,
            if_version: None,
            state: State::Waiting,
            by: None,
            by_external_id: None,
            unresolved: None,
            skipped: Vec::new(),
        }
    }

    /// Returns the value of a field, with ids instead of references that were resolved.
    pub fn value(&self, name: &str) -> Option<&Json> {
        let resolved = self.resolved.iter().find(|(field, _)| *field == name).map(|(_, value)| value);
        resolved.or_else(|| self.fields.get(name))
    }

    /// Returns the name that the entry sets.
    pub fn name(&self) -> Option<&Json> {
        self.kind.name_of(|member| self.fields.get(member))
    }

    /// Returns the row of the object in a snapshot before or after the items.
    pub fn row<'s>(&self, value: &'s Snapshot) -> Option<&'s Arc<dyn Row>> {
        let id = self.state.found()?;
        let there = self.place.and_then(|place| value.row(place)).filter(|row| row.common().id == id);
        // The object may have been removed from its index and added at another one.
        there.or_else(|| value.row_of(id))
    }

    /// Returns true if the items change the object.
    fn is_changed(&self, start: &Snapshot, next: &Snapshot) -> bool {
        match (self.row(start), self.row(next)) {
            (Some(before), Some(after)) => !Arc::ptr_eq(before, after) && !before.equals(after.as_ref()),
            (before, after) => before.is_some() != after.is_some(),
        }
    }

    /// Returns the external id in the entry, for the source of the batch.
    fn external_id(&self) -> Option<&str> {
        self.fields.get("externalId").and_then(Json::as_str)
    }

    /// Returns true if the entry sets an external id.
    pub fn gives_external_ids(&self) -> bool {
        self.fields.has("externalId") || self.fields.has("externalRefs")
    }

    /// Returns the external id of a source that the entry sets. `source` is the source of the batch.
    pub fn external_id_of(&self, source: &str) -> Option<&str> {
        let listed = || external_refs(&self.fields).find(|(it, _)| *it == source).map(|(_, external_id)| external_id);
        self.external_id().or_else(listed)
    }

    /// Returns true if the entry contains the id of its object.
    pub fn gives_id(&self) -> bool {
        self.fields.get("id").is_some_and(|id| !id.is_null())
    }

    /// Returns true if the references in a field were resolved to ids.
    pub fn is_resolved(&self, name: &str) -> bool {
        self.resolved.iter().any(|(field, _)| *field == name)
    }
}

/// A part that an item clears.
#[derive(Debug)]
pub(super) struct Cleared {
    pub whole: usize,
    pub part: &'static Part,
}

/// An object to be deleted.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    pub item: usize,
    pub place: ObjectRef,
    pub id: Uuid,
    pub cascade: Cascade,
    pub part: Option<&'static str>,
}

/// All entries, with indexes to find an entry before its object is in the draft.
#[derive(Debug, Default)]
pub(super) struct Entries<'a> {
    list: Vec<Entry<'a>>,
    /// The entries of each item, the entry of the item itself first.
    by_item: HashMap<usize, Range<usize>>,
    names: HashMap<(KindId, &'a str), Vec<usize>>,
    externals: HashMap<(KindId, &'a str, &'a str), Vec<usize>>,
    ids: HashMap<Uuid, usize>,
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

    pub fn get(&self, at: usize) -> &Entry<'a> {
        &self.list[at]
    }

    /// Returns the value of a field of an entry, in a form that can be kept while entries change.
    pub fn given(&self, at: usize, name: &str) -> Option<Cow<'a, Json>> {
        let entry = self.get(at);
        let untouched = match &entry.fields {
            Cow::Borrowed(fields) if !entry.is_resolved(name) => fields.get(name).map(Cow::Borrowed),
            _ => entry.value(name).cloned().map(Cow::Owned),
        };
        untouched.filter(|value| !value.is_null())
    }

    pub fn get_mut(&mut self, at: usize) -> &mut Entry<'a> {
        &mut self.list[at]
    }

    /// Returns the entries of an item: its own, then those of its parts.
    pub fn of_item(&self, item: usize) -> Range<usize> {
        self.by_item.get(&item).cloned().unwrap_or_default()
    }

    /// Returns the entries whose object may have a name.
    pub fn named(&self, kind: KindId, name: &str) -> Vec<usize> {
        self.names.get(&(kind, name)).cloned().unwrap_or_default()
    }

    /// Returns the entries whose object may have an external reference.
    pub fn external(&self, kind: KindId, source: &str, external_id: &str) -> Vec<usize> {
        self.externals.get(&(kind, source, external_id)).cloned().unwrap_or_default()
    }

    /// Returns the entry that contains an id.
    pub fn with_id(&self, id: Uuid) -> Option<usize> {
        self.ids.get(&id).copied()
    }

    /// Returns the item that is the origin of a refused entry, and the refusal in the terms of that item.
    pub fn origin(&self, at: usize, refusal: Refusal) -> (usize, Refusal) {
        let entry = self.get(at);
        let refusal = match entry.part {
            Some(part) => refusal.within(part),
            None => refusal,
        };
        (entry.item, refusal)
    }

    /// Returns the outcome of an item: the effect on its object, and whether one of its parts changed.
    pub fn outcome(&self, item: usize, start: &Snapshot, next: &Snapshot) -> Outcome {
        let mut entries = self.of_item(item).map(|at| self.get(at));
        let Some(whole) = entries.next() else {
            return Outcome::of(Status::Failed, None);
        };
        let mut skipped = whole.skipped.clone();
        let mut parts_changed = false;
        for part in entries {
            let outer = part.part.unwrap_or_default();
            let within = |it: &Skipped| Skipped { field: format!("{outer}.{}", it.field), manager: it.manager.clone() };
            skipped.extend(part.skipped.iter().map(within));
            parts_changed |= part.is_changed(start, next);
        }
        let cleared = self.cleared.iter().any(|it| self.get(it.whole).item == item);
        let status = match whole.state {
            State::New(_) => Status::Created,
            State::Found(_) if parts_changed || cleared || whole.is_changed(start, next) => Status::Updated,
            _ => Status::Unchanged,
        };
        let name = whole.row(next).or(whole.blank.as_ref()).map(|row| row.common().name.to_owned());
        let external_id = whole.external_id().map(str::to_owned);
        let (kind, id, by) = (Some(whole.kind.name), whole.state.found(), whole.by);
        Outcome { status, kind, id, name, by, external_id, skipped, error: None }
    }

    fn push(&mut self, entry: Entry<'a>) -> usize {
        let at = self.list.len();
        self.by_item.entry(entry.item).or_insert(at..at).end = at + 1;
        self.list.push(entry);
        at
    }

    /// Adds an entry to the indexes, by the names in its fields.
    fn call(&mut self, at: usize, kind: &Description, fields: &'a Fields, source: Option<&'a str>) {
        let text = |member: &str| fields.get(member).and_then(Json::as_str);
        if let Some(name) = kind.name_of(|member| fields.get(member)).and_then(Json::as_str) {
            self.names.entry((kind.id, name)).or_default().push(at);
        }
        for (source, external_id) in source.zip(text("externalId")).into_iter().chain(external_refs(fields)) {
            self.externals.entry((kind.id, source, external_id)).or_default().push(at);
        }
        if let Some(id) = text("id").and_then(|id| Uuid::parse_str(id).ok()) {
            self.ids.entry(id).or_insert(at);
        }
    }
}

impl<'a> Work<'a> {
    /// Creates the entries of the items that write.
    pub(super) fn enter(&mut self, items: &[(usize, &'a Item)]) {
        for (item, asked) in items {
            let Item::Write { kind, intent, fields, if_version } = asked else { continue };
            let mut own = Cow::Borrowed(fields);
            let mut parts = Vec::new();
            for part in kind.parts.iter().filter(|part| fields.has(part.field)) {
                parts.extend(own.to_mut().take(part.field).map(|value| (part, value)));
            }
            let entry = Entry::of(*item, kind, own);
            let whole = self.entries.push(Entry { intent: *intent, if_version: *if_version, ..entry });
            self.entries.call(whole, kind, fields, self.source());
            for (part, value) in parts {
                self.enter_part(*item, whole, part, value);
            }
        }
    }

    fn enter_part(&mut self, item: usize, whole: usize, part: &'static Part, value: Json) {
        let Some(kind) = self.base.registry().named(part.kind) else { return };
        let mut fields = match value {
            Json::Null => {
                self.entries.cleared.push(Cleared { whole, part });
                return;
            }
            Json::Object(fields) => Fields::from(fields),
            other => {
                let reason = format!("must be an object with {}, not {}", part.replaced.join(", "), shorten(&other));
                self.refuse(item, Refusal::Invalid { field: part.field.to_owned(), reason });
                return;
            }
        };
        if let Some((unknown, _)) = fields.iter().find(|(name, _)| !part.replaced.contains(name)) {
            let (field, allowed) = (format!("{}.{}", part.field, shorten_text(unknown)), part.replaced.join(", "));
            self.refuse(item, Refusal::UnknownField { field, kind: kind.name, allowed });
            return;
        }
        for name in part.replaced {
            if !fields.has(name) {
                fields.set(*name, Json::Null);
            }
        }
        for (name, value) in part.fixed {
            fields.set(*name, Json::from(*value));
        }
        fields.set(part.whole, serde_json::json!({ ENTRY: whole }));
        let entry = Entry::of(item, kind, Cow::Owned(fields));
        let at = self.entries.push(Entry { part: Some(part.field), ..entry });
        if let Some((_, name)) = part.fixed.iter().find(|(field, _)| *field == "name") {
            self.entries.names.entry((kind.id, name)).or_default().push(at);
        }
    }
}
