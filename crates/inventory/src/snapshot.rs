//! The whole inventory at one revision: an immutable snapshot that readers share.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::edges::{Edge, Edges, ObjectRef};
use super::kind::{Description, Kind, Registry};
use super::memo::{Dependencies, Memo};
use super::number::{KindId, ReferenceId};
use super::table::{KeyOf, Table};
use underlay_entity::row::Row;
use underlay_persistent::Index;

/// The identity of the last batch in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The revision that the batch made; 0 before the first batch.
    pub revision: i64,
    /// The random id of the batch, which distinguishes histories with equal revisions.
    pub batch_id: Uuid,
    /// The time at which the batch was written.
    pub at: DateTime<Utc>,
}

/// The inventory at one revision. A clone costs a few reference counts.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) head: Head,
    pub(super) registry: Arc<Registry>,
    pub(super) tables: Arc<[Table]>,
    pub(super) ids: Index<Uuid, ObjectRef>,
    pub(super) managers: Index<i32, Arc<str>>,
    /// The whole snapshot, if this one is the view of a tenant.
    pub(super) part_of: Option<Arc<Snapshot>>,
    /// The memos about objects; `None` while a draft builds the snapshot.
    pub(super) memo: Option<Arc<Memo>>,
}

/// An object of a statically known kind, with the snapshot that it is read from.
#[derive(Debug)]
pub struct Held<K: Kind> {
    /// The snapshot of the object.
    pub snapshot: Arc<Snapshot>,
    /// The slot of the object in its table.
    pub slot: u32,
    /// The row of the object.
    pub row: Arc<K::Row>,
}

impl<K: Kind> Clone for Held<K> {
    fn clone(&self) -> Self {
        Self { snapshot: Arc::clone(&self.snapshot), slot: self.slot, row: Arc::clone(&self.row) }
    }
}

impl<K: Kind> Held<K> {
    /// Returns a reference to the object.
    pub fn object_ref(&self) -> ObjectRef {
        ObjectRef { kind: K::ID, slot: self.slot }
    }

    /// Returns the first object that this one refers to by a reference.
    pub fn follow<T: Kind>(&self, reference: ReferenceId) -> Option<Held<T>> {
        let object = self.snapshot.outgoing(self.object_ref()).first_by(reference)?;
        self.snapshot.hold(object)
    }

    /// Returns the objects that this one refers to by a reference, in order. Objects of other kinds are left out.
    pub fn follow_all<T: Kind>(&self, reference: ReferenceId) -> Vec<Held<T>> {
        let edges = self.snapshot.outgoing(self.object_ref());
        edges.by(reference).filter_map(|object| self.snapshot.hold(object)).collect()
    }

    /// Returns the objects that refer to this one by a reference, in no particular order.
    pub fn referrers<T: Kind>(&self, reference: ReferenceId) -> impl Iterator<Item = Held<T>> + '_ {
        self.snapshot.incoming(self.object_ref()).by(reference).filter_map(|object| self.snapshot.hold(object))
    }
}

impl Snapshot {
    /// Creates the empty inventory, as it is before the first batch.
    pub fn empty(registry: Arc<Registry>) -> Self {
        let head = Head { revision: 0, batch_id: Uuid::nil(), at: DateTime::UNIX_EPOCH };
        let tables = registry.kinds().map(|_| Table::default()).collect();
        let (ids, managers, memo) = (Index::default(), Index::default(), Some(Arc::default()));
        Self { head, registry, tables, ids, managers, part_of: None, memo }
    }

    /// Returns the memo about an object. It may come from an earlier snapshot if its dependencies did not change since.
    pub fn memo<T: Any + Send + Sync>(&self, about: ObjectRef) -> Option<Arc<T>> {
        self.memo.as_ref()?.get(about)
    }

    /// Stores a memo about an object, as far as there is room. The memo must follow from its dependencies alone.
    pub fn memoize<T: Any + Send + Sync>(&self, about: ObjectRef, what: Arc<T>, dependencies: Dependencies) {
        if let Some(memo) = &self.memo {
            memo.add(about, what, dependencies);
        }
    }

    /// Returns the last batch in the snapshot.
    pub fn head(&self) -> Head {
        self.head
    }

    /// Returns the revision of the snapshot.
    pub fn revision(&self) -> i64 {
        self.head.revision
    }

    /// Returns the whole snapshot, if this one is the view of a tenant. Use it only for queries that are answered from
    /// the whole and whose result is then reduced to this view.
    pub fn part_of(&self) -> Option<&Arc<Snapshot>> {
        self.part_of.as_ref()
    }

    /// Returns the registry of all kinds.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Returns the description of a kind.
    pub fn kind(&self, kind: KindId) -> &'static Description {
        self.registry.get(kind)
    }

    /// Returns the table of a kind, for changes.
    pub(super) fn table_mut(&mut self, kind: KindId) -> &mut Table {
        &mut Arc::make_mut(&mut self.tables)[usize::from(kind.0)]
    }

    /// Returns the table of a kind.
    pub fn table(&self, kind: KindId) -> &Table {
        &self.tables[usize::from(kind.0)]
    }

    /// Returns the number of objects of all kinds.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns true if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns a reference to the object with an id; `None` if there is none.
    pub fn find(&self, id: Uuid) -> Option<ObjectRef> {
        self.ids.get(&id).copied()
    }

    /// Returns the row of an object; `None` if the object does not exist.
    #[inline]
    pub fn row(&self, object: ObjectRef) -> Option<&Arc<dyn Row>> {
        self.table(object.kind).row(object.slot)
    }

    /// Returns the packed state of an object; 0 if it has no row.
    #[inline]
    pub fn packed_state(&self, object: ObjectRef) -> u32 {
        self.table(object.kind).packed_state(object.slot)
    }

    /// Returns the row of an object; `None` if the object does not exist.
    pub fn row_of(&self, id: Uuid) -> Option<&Arc<dyn Row>> {
        self.row(self.find(id)?)
    }

    /// Returns the references that an object has, in the order of its fields.
    pub fn outgoing(&self, object: ObjectRef) -> &Edges {
        self.table(object.kind).outgoing(object.slot)
    }

    /// Returns the references that others have to an object.
    pub fn incoming(&self, object: ObjectRef) -> &Edges {
        self.table(object.kind).incoming(object.slot)
    }

    /// Returns an object with its row; `None` if it does not exist or has another kind.
    pub fn hold<K: Kind>(self: &Arc<Self>, object: ObjectRef) -> Option<Held<K>> {
        if object.kind != K::ID {
            return None;
        }
        let row = Arc::clone(self.row(object)?).into_any().downcast().ok()?;
        Some(Held { snapshot: Arc::clone(self), slot: object.slot, row })
    }

    /// Returns the row of an object; `None` if the object does not exist or has another kind.
    pub fn get<K: Kind>(&self, id: Uuid) -> Option<&K::Row> {
        let object = self.find(id).filter(|object| object.kind == K::ID)?;
        self.row(object)?.as_any().downcast_ref()
    }

    /// Returns the rows of a kind that refer to an object by a reference.
    pub fn referrers<K: Kind>(&self, to: Uuid, reference: ReferenceId) -> impl Iterator<Item = &K::Row> {
        let edges = self.find(to).map(|object| self.incoming(object).by(reference));
        edges.into_iter().flatten().filter_map(|object| self.row(object)?.as_any().downcast_ref())
    }

    /// Returns the objects of a kind with a parent, in the order of their keys.
    pub fn children(&self, kind: KindId, parent: Uuid) -> impl DoubleEndedIterator<Item = (&KeyOf, u32)> {
        self.table(kind).keys_in(self.keys_beneath(parent))
    }

    /// Returns the range of all keys with a parent.
    pub fn keys_beneath(&self, parent: Uuid) -> RangeInclusive<KeyOf> {
        let least = KeyOf { parent, family: 0, name: "".into() };
        // The number of families is small, so no family has the greatest number.
        let most = KeyOf { parent, family: u8::MAX, name: "".into() };
        least..=most
    }

    /// Returns the name of a manager.
    pub fn manager(&self, id: i32) -> Option<&Arc<str>> {
        self.managers.get(&id)
    }

    /// Returns all managers with their interned ids.
    pub fn managers(&self) -> impl Iterator<Item = (i32, &Arc<str>)> {
        self.managers.iter().map(|(id, name)| (*id, name))
    }

    /// Returns the path of an object as a person would write it: `rack/ams1/A14`.
    pub fn path(&self, object: ObjectRef) -> String {
        self.named_path(object, None)
    }

    /// Returns the path of an object with its family, which precedes the name unless it is the first one of the kind:
    /// `port/ams1/panel-1/FRONT/1`. Such a path distinguishes objects that have the same name in different families.
    pub fn distinct_path(&self, object: ObjectRef) -> String {
        let kind = self.kind(object.kind);
        let index = self.row(object).map_or(0, |row| kind.family(row.as_ref()));
        let names = kind.key.family.map_or(&[][..], |family| family.names);
        self.named_path(object, names.get(usize::from(index)).filter(|_| index > 0).copied())
    }

    fn named_path(&self, object: ObjectRef, family: Option<&'static str>) -> String {
        let mut names = Vec::new();
        let mut at = Some(object);
        // The chain of parents of a checked snapshot has no cycle. The bound is for a snapshot that is being checked.
        while let Some(row) = at.filter(|_| names.len() < 32).and_then(|object| self.row(object)) {
            names.push(row.common().name.to_owned());
            if let (Some(family), 1) = (family, names.len()) {
                names.push(family.to_owned());
            }
            let kind = at.map(|object| self.kind(object.kind));
            at = kind.and_then(|kind| kind.parent(row.as_ref())).and_then(|id| self.find(id));
        }
        names.push(self.kind(object.kind).singular.to_owned());
        names.reverse();
        names.join("/")
    }

    /// Returns the nesting depth of an object: the length of its longest chain of containers, including the object
    /// itself. `known` caches the depths that are computed on the way.
    pub fn depth(&self, object: ObjectRef, known: &mut HashMap<ObjectRef, usize>) -> usize {
        longest_chain(object, known, |at| self.nearest_containers(at).collect())
    }

    /// Returns the length of the longest chain of references between objects of one kind that begins with an object, such
    /// as from a port to the aggregate that it is a member of. `known` caches the lengths that are computed on the way.
    pub fn chain_in_kind(&self, object: ObjectRef, known: &mut HashMap<ObjectRef, usize>) -> usize {
        let same_kind =
            |at: ObjectRef| self.outgoing(at).iter().map(Edge::other).filter(|other| other.kind == at.kind).collect();
        longest_chain(object, known, same_kind)
    }

    /// Returns the objects that an object stands in, or ends at, by its own references.
    pub fn nearest_containers(&self, object: ObjectRef) -> impl Iterator<Item = ObjectRef> + '_ {
        self.outgoing(object).iter().filter(move |edge| self.stands_by(object, edge.reference())).map(Edge::other)
    }

    /// Returns the objects that stand in an object, or end at it, by their own references.
    pub fn standing_in(&self, object: ObjectRef) -> impl Iterator<Item = ObjectRef> + '_ {
        self.incoming(object)
            .iter()
            .filter(|edge| self.stands_by(edge.other(), edge.reference()))
            .map(|edge| edge.other())
    }

    /// Returns true if an object stands in the target of one of its references, or ends there.
    pub(super) fn stands_by(&self, object: ObjectRef, by: ReferenceId) -> bool {
        let reference = self.registry.field(by).reference;
        let Some(reference) = reference.filter(|reference| reference.within || reference.ends) else { return false };
        // Most references have no exceptions, so the row need not be read.
        reference.apart.is_none() || self.row(object).is_some_and(|row| !reference.is_apart(row.as_ref()))
    }

    /// Returns all containers of an object, direct and indirect, each once.
    pub fn containers(&self, object: ObjectRef) -> Vec<Uuid> {
        let mut seen = BTreeMap::new();
        let mut pending = vec![object];
        while let Some(at) = pending.pop() {
            for container in self.nearest_containers(at) {
                let Some(row) = self.row(container) else { continue };
                if seen.insert(container, row.common().id).is_none() {
                    pending.push(container);
                }
            }
        }
        seen.into_values().collect()
    }
}

/// Returns the number of objects in the longest chain that begins with an object and goes on with one of the next ones
/// each time. A cycle is cut.
fn longest_chain(
    object: ObjectRef,
    known: &mut HashMap<ObjectRef, usize>,
    next: impl Fn(ObjectRef) -> Vec<ObjectRef>,
) -> usize {
    let mut pending = vec![object];
    while let Some(at) = pending.last().copied() {
        let others = next(at);
        // An object has the length 0 while the next ones are processed, which ends a cycle.
        let open = pending.len();
        if known.get(&at).is_none_or(|length| *length == 0) {
            known.insert(at, 0);
            pending.extend(others.iter().filter(|it| !known.contains_key(it)));
        }
        if pending.len() == open {
            let longest = others.iter().filter_map(|it| known.get(it)).max();
            known.insert(at, 1 + longest.copied().unwrap_or_default());
            pending.pop();
        }
    }
    known.get(&object).copied().unwrap_or_default()
}
