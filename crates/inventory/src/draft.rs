//! Makes the next snapshot from the last one.
//!
//! A draft is a private copy of a snapshot. A change costs in proportion to its size, and the original snapshot does
//! not change. Keys may collide while a batch is being applied, for example when two devices swap names.
//! [`Draft::collisions`] returns the collisions that remain at the end. A draft that is dropped has no effect.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use foldhash::{HashSet, HashSetExt};
use uuid::Uuid;

use super::build::edges_of;
use super::edges::{Edge, Edges, ObjectRef};
use super::kind::Description;
use super::memo::Answers;
use super::number::KindId;
use super::snapshot::{Head, Snapshot};
use super::table::{ExternalOf, KeyOf, UniqueOf, externals};
use underlay_entity::row::Row;
use underlay_persistent::Slots;

/// The number of objects that a row refers to which are tried before the index of all ids is searched.
const FIRST_ENDS: usize = 8;

/// The next snapshot while it is being made: a private copy that collects changes.
#[derive(Clone, Debug)]
pub struct Draft {
    snapshot: Snapshot,
    /// Objects that were replaced by another object in an index.
    displaced: BTreeSet<ObjectRef>,
    /// Slots that become free when the snapshot is finished.
    freed: Vec<ObjectRef>,
    /// The objects that were put or removed, in order; an object can appear more than once.
    touched: Vec<Uuid>,
    /// The first object that the last row refers to. The next row usually refers to the same one.
    last_end: Option<ObjectRef>,
    /// The memos of the original snapshot that the finished snapshot may take over.
    memo: Option<Answers>,
}

/// A key, external reference or unique value that at most one object of a kind may have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    Key(KeyOf),
    External(ExternalOf),
    Unique(UniqueOf),
}

impl Claim {
    /// Returns everything that a row claims.
    fn all(kind: &'static Description, row: &dyn Row) -> Vec<Self> {
        let mut claims = vec![Self::Key(KeyOf::of(kind, row))];
        claims.extend(externals(row.common().external_refs).map(Self::External));
        claims.extend(UniqueOf::all(kind, row).map(Self::Unique));
        claims
    }

    /// Returns the field that an error message names, and a description of the claim.
    fn words(&self, kind: &Description) -> (&'static str, String) {
        match self {
            Self::Key(key) => ("name", format!("the name {}", key.name)),
            Self::External(it) => {
                ("externalRefs", format!("the external reference {} of source {}", it.external_id, it.source))
            }
            Self::Unique(it) => {
                let field = kind.unique.get(usize::from(it.rule)).map_or("value", |unique| unique.field);
                // A value that is unique within a parent names the parent in the lines before its last line.
                (field, format!("the {field} {}", it.value.rsplit('\n').next().unwrap_or_default()))
            }
        }
    }
}

/// Two objects that claim the same key, external reference or unique value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The object that the index holds.
    pub holder: Uuid,
    /// The other object with the same claim.
    pub other: Uuid,
    /// The field that the error message names.
    pub field: &'static str,
    /// A description of the claim, such as `the name leaf-1`.
    pub what: String,
}

impl Draft {
    /// Creates a draft that starts with the content of a snapshot.
    pub fn of(snapshot: &Snapshot) -> Self {
        let memo = snapshot.memo.as_ref().and_then(|memo| memo.hand_on());
        let snapshot = Snapshot { memo: None, ..snapshot.clone() };
        Self { snapshot, displaced: BTreeSet::new(), freed: Vec::new(), touched: Vec::new(), last_end: None, memo }
    }

    /// Returns the snapshot in its current, unfinished state.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the objects that were put or removed since a mark, each once, in the order of their first change. The
    /// mark 0 stands for the creation of the draft.
    pub fn touched_since(&self, mark: usize) -> Vec<Uuid> {
        let mut seen = HashSet::with_capacity(self.touched.len() - mark);
        self.touched[mark..].iter().filter(|id| seen.insert(**id)).copied().collect()
    }

    /// Returns a mark for [`Draft::touched_since`].
    pub fn mark(&self) -> usize {
        self.touched.len()
    }

    /// Reserves a slot for an object before it is put, so that other objects can refer to it.
    pub fn reserve(&mut self, kind: KindId, id: Uuid) -> ObjectRef {
        if let Some(object) = self.snapshot.find(id) {
            return object;
        }
        let table = self.snapshot.table_mut(kind);
        let slot = table.free.pop_back().unwrap_or_else(|| {
            table.next += 1;
            table.next - 1
        });
        let object = ObjectRef { kind, slot };
        self.snapshot.ids.insert(id, object);
        object
    }

    /// Puts a new or changed row into the slot of its object.
    ///
    /// # Errors
    /// Returns the id of an object that the row refers to and that does not exist.
    pub fn put(&mut self, kind: &'static Description, row: Arc<dyn Row>) -> Result<ObjectRef, Uuid> {
        let object = self.reserve(kind.id, row.common().id);
        let before = self.snapshot.row(object).cloned();
        let outgoing = match before.as_deref() {
            Some(before) if refers_to_the_same(kind, before, row.as_ref()) => None,
            _ => Some(edges_of(kind, row.as_ref(), |id| self.end(object, id).or_else(|| self.snapshot.find(id)))?),
        };
        self.index(kind, object, before.as_deref(), row.as_ref());
        match outgoing {
            Some(outgoing) => {
                self.last_end = outgoing.first().map(|edge| edge.other());
                self.relate(object, outgoing);
            }
            None => self.memoize(object, &[]),
        }
        self.touched.push(row.common().id);
        let table = self.snapshot.table_mut(kind.id);
        table.count += usize::from(before.is_none());
        let entry = table.object_mut(object.slot);
        entry.packed_state = (kind.packed_state)(row.as_ref());
        entry.row = Some(row);
        Ok(object)
    }

    /// Finds an object by its id among the first targets of an object and the target of the last row. A row mostly
    /// refers to the same objects as before, or as the previous row does. Looking there costs less than searching the
    /// index of all ids.
    fn end(&self, object: ObjectRef, id: Uuid) -> Option<ObjectRef> {
        let ends = self.snapshot.outgoing(object).iter().take(FIRST_ENDS).map(Edge::other);
        self.last_end
            .into_iter()
            .chain(ends)
            .find(|end| self.snapshot.row(*end).is_some_and(|row| row.common().id == id))
    }

    /// Removes an object and returns its row. References of others to it remain; [`Draft::referrers`] finds them.
    pub fn remove(&mut self, id: Uuid) -> Option<Arc<dyn Row>> {
        let object = self.snapshot.ids.remove(&id)?;
        let kind = self.snapshot.kind(object.kind);
        let entry = self.snapshot.table_mut(object.kind).object_mut(object.slot);
        entry.packed_state = 0;
        let row = entry.row.take()?;
        self.unindex(kind, object, row.as_ref());
        self.relate(object, Vec::new());
        let table = self.snapshot.table_mut(object.kind);
        table.count -= 1;
        self.freed.push(object);
        self.touched.push(id);
        Some(row)
    }

    /// Returns the objects that refer to an object, even if that object was removed.
    pub fn referrers(&self, object: ObjectRef) -> Vec<(ObjectRef, Arc<dyn Row>)> {
        let incoming = self.snapshot.incoming(object);
        incoming.iter().filter_map(|edge| Some((edge.other(), Arc::clone(self.snapshot.row(edge.other())?)))).collect()
    }

    /// Returns the interned id of a manager, or the id that the manager gets if it is added next.
    pub fn manager_id(&self, manager: &str) -> i32 {
        let known = self.snapshot.managers.iter().find(|(_, name)| name.as_ref() == manager).map(|(id, _)| *id);
        known.unwrap_or_else(|| self.snapshot.managers.last().map_or(1, |(id, _)| id + 1))
    }

    /// Adds a manager under its id in the database.
    pub fn add_manager(&mut self, id: i32, name: &str) {
        self.snapshot.managers.insert(id, name.into());
    }

    /// Returns true if an object may have been replaced by another in an index.
    pub fn has_displaced(&self) -> bool {
        !self.displaced.is_empty()
    }

    /// Returns the objects that claim the same key, external reference or unique value as another object.
    pub fn collisions(&self) -> Vec<Collision> {
        let mut collisions = Vec::new();
        for ((kind, claim), mut claimants) in self.claimants() {
            // The object in the index is named as the holder. The index has none if the object that displaced another
            // was removed.
            let holder = self.indexed(kind, &claim).map(|slot| ObjectRef { kind, slot });
            let holder = holder.filter(|holder| !claimants.contains(holder)).or_else(|| claimants.pop_first());
            let Some(holder) = holder else { continue };
            collisions.extend(claimants.into_iter().filter_map(|other| self.collision(&claim, holder, other)));
        }
        collisions
    }

    /// Returns everything that displaced objects claim now, with those objects. An index holds only one of them.
    fn claimants(&self) -> BTreeMap<(KindId, Claim), BTreeSet<ObjectRef>> {
        let mut claimants: BTreeMap<(KindId, Claim), BTreeSet<ObjectRef>> = BTreeMap::new();
        for object in &self.displaced {
            let Some(row) = self.snapshot.row(*object) else { continue };
            for claim in Claim::all(self.snapshot.kind(object.kind), row.as_ref()) {
                claimants.entry((object.kind, claim)).or_default().insert(*object);
            }
        }
        claimants
    }

    /// Returns the slot of the object that an index holds for a claim.
    fn indexed(&self, kind: KindId, claim: &Claim) -> Option<u32> {
        let table = self.snapshot.table(kind);
        match claim {
            Claim::Key(key) => table.keys.get(key).copied(),
            Claim::External(reference) => table.external.get(reference).copied(),
            Claim::Unique(value) => table.unique.get(value).copied(),
        }
    }

    /// Repairs the indexes and clears the list of displaced objects after a check. Later changes are then checked by
    /// themselves.
    pub fn settle(mut self) -> Self {
        self.mend();
        self
    }

    /// Puts displaced objects back into the indexes if the object that replaced them was removed or changed again.
    fn mend(&mut self) {
        for ((kind, claim), claimants) in self.claimants() {
            if self.indexed(kind, &claim).is_some() {
                continue;
            }
            let Some(ObjectRef { slot, .. }) = claimants.first().copied() else { continue };
            let table = self.snapshot.table_mut(kind);
            match claim {
                Claim::Key(key) => table.keys.insert(key, slot),
                Claim::External(reference) => table.external.insert(reference, slot),
                Claim::Unique(value) => table.unique.insert(value, slot),
            };
        }
        self.displaced.clear();
    }

    /// Finishes the draft and returns the new snapshot.
    pub fn finish(mut self, head: Head) -> Snapshot {
        self.mend();
        for object in self.freed {
            let table = self.snapshot.table_mut(object.kind);
            table.object_mut(object.slot).incoming = Edges::None;
            table.free.push_back(object.slot);
        }
        self.snapshot.head = head;
        self.snapshot.memo = Some(Arc::new(self.memo.unwrap_or_default().taken_over()));
        self.snapshot
    }

    /// Finishes the draft as a part of another snapshot, with the same revision.
    pub(super) fn finish_part(self, whole: &Arc<Snapshot>) -> Snapshot {
        let managers = whole.managers.clone();
        Snapshot { managers, part_of: Some(Arc::clone(whole)), ..self.finish(whole.head()) }
    }

    fn collision(&self, claim: &Claim, holder: ObjectRef, other: ObjectRef) -> Option<Collision> {
        let id = |object: ObjectRef| self.snapshot.row(object).map(|row| row.common().id);
        let (field, what) = claim.words(self.snapshot.kind(other.kind));
        Some(Collision { holder: id(holder)?, other: id(other)?, field, what })
    }

    /// Replaces the outgoing edges of an object whose row changes, and updates the incoming edges of the affected
    /// targets.
    fn relate(&mut self, object: ObjectRef, outgoing: Vec<Edge>) {
        self.memoize(object, &outgoing);
        let before: Vec<Edge> = self.snapshot.outgoing(object).iter().collect();
        if before == outgoing {
            return;
        }
        // Rows have few references, so a linear search costs less than building sets.
        for edge in before.iter().filter(|edge| !outgoing.contains(edge)) {
            self.change_incoming(edge.other(), |edges| edges.remove(Edge::new(edge.reference(), object)));
        }
        for edge in outgoing.iter().filter(|edge| !before.contains(edge)) {
            self.change_incoming(edge.other(), |edges| edges.insert(Edge::new(edge.reference(), object)));
        }
        self.snapshot.table_mut(object.kind).object_mut(object.slot).outgoing = Edges::listed(outgoing);
    }

    /// Records that a row changes, for the memos that depend on the row or on the referrers of its old and new targets.
    fn memoize(&mut self, object: ObjectRef, after: &[Edge]) {
        if let Some(memo) = &mut self.memo {
            memo.changed(object, self.snapshot.outgoing(object).iter().chain(after.iter().copied()));
        }
    }

    fn change_incoming(&mut self, object: ObjectRef, change: impl FnOnce(&mut Edges)) {
        change(&mut self.snapshot.table_mut(object.kind).object_mut(object.slot).incoming);
    }

    /// Updates the indexes for a row that replaces another. An index is touched only if its key changes.
    fn index(&mut self, kind: &'static Description, object: ObjectRef, before: Option<&dyn Row>, after: &dyn Row) {
        let slot = object.slot;
        let key = KeyOf::of(kind, after);
        let key_before = before.map(|row| KeyOf::of(kind, row));
        let table = self.snapshot.table_mut(kind.id);
        let mut displaced = Vec::new();

        let (version, version_before) = (after.common().version, before.map(|row| row.common().version));
        if version_before != Some(version) {
            if let Some(version) = version_before {
                Slots::take_from(&mut table.versions, &version, slot);
            }
            Slots::add_to(&mut table.versions, version, slot);
        }
        if key_before.as_ref() != Some(&key) {
            if let Some(before) = key_before.filter(|before| table.by_key(before) == Some(slot)) {
                table.keys.remove(&before);
            }
            displaced.extend(table.keys.insert(key, slot));
        }
        table.texts.replace(kind, slot, before, Some(after));
        let refs_before = before.map(|row| row.common().external_refs);
        if refs_before != Some(after.common().external_refs) {
            for key in refs_before.into_iter().flat_map(externals) {
                if table.external.get(&key) == Some(&slot) {
                    table.external.remove(&key);
                }
            }
            for key in externals(after.common().external_refs) {
                displaced.extend(table.external.insert(key, slot));
            }
        }
        for (rule, unique) in kind.unique.iter().enumerate() {
            let (value, value_before) = ((unique.of)(after), before.and_then(unique.of));
            if value == value_before {
                continue;
            }
            let key = |value: String| UniqueOf { rule: rule as u8, value: value.into() };
            value_before
                .map(key)
                .filter(|key| table.unique.get(key) == Some(&slot))
                .map(|key| table.unique.remove(&key));
            displaced.extend(value.map(key).and_then(|key| table.unique.insert(key, slot)));
        }
        let displaced = displaced.into_iter().filter(|other| *other != slot);
        self.displaced.extend(displaced.map(|slot| ObjectRef { kind: kind.id, slot }));
    }

    /// Removes a deleted row from the indexes that still hold it.
    fn unindex(&mut self, kind: &'static Description, object: ObjectRef, row: &dyn Row) {
        let slot = object.slot;
        let key = KeyOf::of(kind, row);
        let table = self.snapshot.table_mut(object.kind);
        Slots::take_from(&mut table.versions, &row.common().version, slot);
        if table.by_key(&key) == Some(slot) {
            table.keys.remove(&key);
        }
        table.texts.replace(kind, slot, Some(row), None);
        for key in externals(row.common().external_refs) {
            if table.external.get(&key) == Some(&slot) {
                table.external.remove(&key);
            }
        }
        for key in UniqueOf::all(kind, row) {
            if table.unique.get(&key) == Some(&slot) {
                table.unique.remove(&key);
            }
        }
    }
}

/// Returns true if two rows of a kind refer to the same objects by the same fields. This is the usual case, and
/// comparing the rows costs less than looking up the objects.
fn refers_to_the_same(kind: &Description, before: &dyn Row, after: &dyn Row) -> bool {
    kind.references().all(|(_, field)| (field.same)(before, after))
}
