//! Plans deletes: the objects that are deleted too, and the objects that prevent it. Also releases the ownership of
//! fields.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use serde_json::Value as Json;
use uuid::Uuid;

use super::entries::Cleared;
use super::entry::State;
use super::refusals::deleted;
use super::work::Work;
use crate::write::batch::{Cascade, Item, MAX_BATCH_ITEMS, Release};
use crate::write::managers::{Hold, release, release_all, release_entries};
use crate::write::outcome::{SkipReason, Skipped};
use underlay_entity::row::Row;
use underlay_inventory::{Description, KeyOf, Loss, ObjectRef, Refusal, Selector, Users, parse_id, shorten_text};

/// The number of names of each kind that an `IN_USE` error lists.
const MAX_NAMES_PER_KIND: usize = 5;

/// An object to be deleted.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    pub item: usize,
    pub object: ObjectRef,
    pub id: Uuid,
    pub cascade: Cascade,
    /// The field of the item that holds the object, if the object is a part of the item's object.
    pub part: Option<&'static str>,
}

impl<'a> Work<'a> {
    /// Returns the objects that these items delete, by the names that they had before the batch.
    pub(super) fn find_removals(&mut self, items: &[(usize, &'a Item)]) -> Vec<Removal> {
        let mut removals = Vec::new();
        for (item, asked) in items {
            let Item::Delete { kind, object, cascade, if_version } = asked else { continue };
            let found = self.check_writes_objects().and_then(|()| self.find_removal(*kind, object, *if_version));
            match found {
                Ok((object, id)) => {
                    self.to_delete.insert(id);
                    removals.push(Removal { item: *item, object, id, cascade: *cascade, part: None });
                }
                Err(refusal) => self.refuse(*item, refusal),
            }
        }
        removals
    }

    fn find_removal(
        &self,
        kind: Option<&'static Description>,
        object: &Json,
        if_version: Option<i64>,
    ) -> Result<(ObjectRef, Uuid), Refusal> {
        let snapshot = self.draft.snapshot();
        let target = self.named(kind, object)?;
        let gone = || Refusal::NotFound { field: "ref".to_owned(), what: "the object".to_owned() };
        let common = snapshot.row(target).ok_or_else(gone)?.common();
        match if_version.filter(|version| *version != common.version) {
            None => Ok((target, common.id)),
            Some(expected) => {
                Err(Refusal::StaleVersion { what: snapshot.path(target), expected, actual: common.version })
            }
        }
    }

    /// Returns the object that a reference in an item names. Without a kind, the reference is an id.
    pub(super) fn named(&self, kind: Option<&'static Description>, object: &Json) -> Result<ObjectRef, Refusal> {
        let snapshot = self.draft.snapshot();
        let (found, what) = match kind {
            Some(kind) => {
                let selector = Selector::parse(kind, "ref", object, self.source())?;
                (snapshot.select(kind, "ref", &selector)?, selector.words(kind))
            }
            None => {
                let id = parse_id("id", object.as_str().unwrap_or_default())?;
                (snapshot.find(id), format!("object {id}"))
            }
        };
        found.ok_or_else(|| Refusal::NotFound { field: "ref".to_owned(), what })
    }

    /// Removes the objects from the draft, together with the objects that are deleted with them.
    pub(super) fn remove(&mut self, mut removals: Vec<Removal>) -> Result<(), Refusal> {
        let cleared: Vec<_> = std::mem::take(&mut self.entries.cleared);
        let mut parts = Vec::new();
        for cleared in cleared {
            if let Err(refusal) = self.check_writes_objects() {
                self.refuse(self.entries.get(cleared.whole).input.item, refusal);
                continue;
            }
            parts.extend(self.cleared_part(&cleared));
            // This is kept only if there was an object, because the outcome of the item derives a change from it.
            if parts.last().is_some_and(|it: &Removal| it.item == self.entries.get(cleared.whole).input.item) {
                self.entries.cleared.push(cleared);
            }
        }
        removals.extend(parts);
        for removal in removals {
            if self.draft.snapshot().row(removal.object).is_none_or(|row| row.common().id != removal.id) {
                continue;
            }
            match removal.cascade {
                Cascade::No => self.take_out(removal.object, removal.item, removal.part),
                Cascade::Contained => self.cascade(&removal)?,
            }
        }
        Ok(())
    }

    /// Returns the object of a part that an item clears.
    fn cleared_part(&mut self, cleared: &Cleared) -> Option<Removal> {
        let whole = self.entries.get(cleared.whole);
        let State::Found { id, .. } = whole.state else { return None };
        if self.is_left(id, cleared.part.field) {
            let (field, manager) = (cleared.part.field.to_owned(), self.manager.clone());
            let skipped = Skipped { field, manager, reason: SkipReason::Held };
            self.entries.get_mut(cleared.whole).skipped.push(skipped);
            return None;
        }
        let kind = self.base.registry().named(cleared.part.kind)?;
        let name = cleared.part.fixed.iter().find(|(field, _)| *field == "name")?.1;
        let key = KeyOf { parent: id, family: 0, name: name.into() };
        let slot = self.draft.snapshot().table(kind.id).by_key(&key)?;
        let object = ObjectRef { kind: kind.id, slot };
        let id = self.draft.snapshot().row(object)?.common().id;
        let item = self.entries.get(cleared.whole).input.item;
        Some(Removal { item, object, id, cascade: Cascade::No, part: Some(cleared.part.field) })
    }

    fn cascade(&mut self, removal: &Removal) -> Result<(), Refusal> {
        let gone = self.contained(removal.object)?;
        let lost = |id: Uuid| self.draft.snapshot().find(id).is_some_and(|object| gone.contains(&object));
        let mut stay = Vec::new();
        let mut go: Vec<ObjectRef> = Vec::new();
        let mut seen = HashSet::new();
        for object in &gone {
            for (referrer, row) in self.draft.referrers(*object) {
                if gone.contains(&referrer) || !seen.insert(referrer) {
                    continue;
                }
                let kind = self.draft.snapshot().kind(referrer.kind);
                match kind.on_loss.map(|on_loss| on_loss(row.as_ref(), &lost)) {
                    Some(Loss::Cascade) => go.push(referrer),
                    Some(Loss::SetNull(row)) => stay.push((kind, row)),
                    Some(Loss::Restrict) | None => {}
                }
            }
        }
        for (kind, mut row) in stay {
            if let Some(row) = Arc::get_mut(&mut row) {
                let common = row.common_mut();
                (*common.version, *common.updated_at) = (self.head.revision, self.head.at);
            }
            self.origin(row.common().id, removal.item, None);
            self.put_if_whole(kind, row);
        }
        for object in gone.into_iter().chain(go) {
            self.take_out(object, removal.item, None);
        }
        Ok(())
    }

    /// Returns an object and everything that it contains, the object first.
    fn contained(&self, object: ObjectRef) -> Result<Vec<ObjectRef>, Refusal> {
        let mut found = vec![object];
        let mut seen = HashSet::from([object]);
        let mut pending = VecDeque::from([object]);
        while let Some(object) = pending.pop_front() {
            for edge in self.draft.snapshot().incoming(object).iter() {
                let reference = self.base.registry().field(edge.reference()).reference;
                let row = self.draft.snapshot().row(edge.other());
                let contains = |row: &Arc<dyn Row>| reference.is_some_and(|it| it.contains(row.as_ref()));
                if row.is_some_and(contains) && seen.insert(edge.other()) {
                    found.push(edge.other());
                    pending.push_back(edge.other());
                }
            }
            if found.len() > MAX_BATCH_ITEMS {
                return Err(Refusal::BatchTooLarge {
                    count: found.len(),
                    unit: "objects to delete",
                    most: MAX_BATCH_ITEMS,
                });
            }
        }
        Ok(found)
    }

    fn take_out(&mut self, object: ObjectRef, item: usize, part: Option<&'static str>) {
        let path = self.draft.snapshot().path(object);
        let Some(id) = self.draft.snapshot().row(object).map(|row| row.common().id) else { return };
        let writer = self.origin.get(&id).map(|origin| origin.item).filter(|writer| *writer != item);
        if let Some(writer) = writer.filter(|writer| matches!(self.batch.items[*writer], Item::Write { .. })) {
            self.refuse(writer, deleted(&path));
        }
        self.origin(id, item, part);
        self.draft.remove(id);
        self.removed.push((object, id, path));
    }

    /// Finds the objects that still refer to removed objects.
    pub(super) fn check_removed(&mut self) {
        let mut found = Vec::new();
        for (object, id, path) in &self.removed {
            let mut users: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
            for (referrer, row) in self.draft.referrers(*object) {
                let kind = self.draft.snapshot().kind(referrer.kind).name;
                users.entry(kind).or_default().push(row.common().name.to_owned());
            }
            if users.is_empty() {
                continue;
            }
            let users = users.into_iter().map(|(kind, mut names)| {
                names.sort_by(|left, right| underlay_inventory::compare_names(left, right));
                let count = names.len();
                names.truncate(MAX_NAMES_PER_KIND);
                Users { kind, count, names }
            });
            let item = self.origin.get(id).map_or(0, |origin| origin.item);
            found.push((item, Refusal::InUse { what: path.clone(), users: users.collect() }));
        }
        self.refusals.extend(found);
    }

    /// Releases the ownership of fields.
    pub(super) fn release(&mut self, items: &[(usize, &'a Item)]) {
        for (item, asked) in items {
            let Item::Release { kind, object, what } = asked else { continue };
            let found = self.check_writes_objects().and_then(|()| self.named(*kind, object));
            let found = found.map_err(|refusal| match refusal {
                // A mutation exists for this, whose argument is the id.
                Refusal::NotFound { what, .. } if kind.is_none() => Refusal::NotFound { field: "id".to_owned(), what },
                refusal => refusal,
            });
            if let Err(refusal) = found.and_then(|target| self.release_one(*item, target, what)) {
                self.refuse(*item, refusal);
            }
        }
    }

    fn release_one(&mut self, item: usize, target: ObjectRef, what: &Release) -> Result<(), Refusal> {
        let snapshot = self.draft.snapshot();
        let kind = snapshot.kind(target.kind);
        let gone = || Refusal::NotFound { field: "ref".to_owned(), what: "the object".to_owned() };
        let current = snapshot.row(target).cloned().ok_or_else(gone)?;
        let object = current.common().id;
        let mut row = current.duplicate();
        let Some(next) = Arc::get_mut(&mut row) else { return Ok(()) };
        let managers = next.common_mut().managers;
        match what {
            Release::Fields(names) => {
                for name in names {
                    release(managers, hold(kind, name)?);
                    release_entries(managers, name);
                }
            }
            Release::HeldBy(manager) => {
                if let Some((id, _)) = snapshot.managers().find(|(_, name)| name.as_ref() == manager) {
                    release_all(managers, id);
                }
            }
        }
        if managers == current.common().managers {
            return Ok(());
        }
        let common = next.common_mut();
        (*common.version, *common.updated_at) = (self.head.revision, self.head.at);
        self.origin(object, item, None);
        self.put_if_whole(kind, row);
        Ok(())
    }

    /// Changes a row whose targets exist. If an item before took one of them away, the row stays as it is, and the
    /// check of the result refuses that item, because the row still refers to what it takes.
    fn put_if_whole(&mut self, kind: &'static Description, row: Arc<dyn Row>) {
        let _ = self.draft.put(kind, row);
    }
}

fn hold<'n>(kind: &'static Description, name: &'n str) -> Result<Hold<'n>, Refusal> {
    if let Some(index) = kind.field(name) {
        return Ok(Hold::Field(kind.fields[index].number));
    }
    let map = name.split_once('.').map(|(map, _)| map);
    match map.is_some_and(|map| ["labels", "attributes", "externalRefs"].contains(&map)) {
        true => Ok(Hold::Entry(name)),
        false => {
            let allowed = kind.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
            Err(Refusal::UnknownField { field: shorten_text(name).into_owned(), kind: kind.name, allowed })
        }
    }
}
