//! The table of one kind in a snapshot: rows by slot, references in both directions, and the indexes of keys, external
//! references and unique values. All its parts share structure with the tables of earlier and later snapshots.

use std::cmp::Ordering;
use std::sync::Arc;

use imbl::Vector;
use smol_str::SmolStr;
use underlay_entity::common::ExternalRefs;
use uuid::Uuid;

use super::edges::Edges;
use super::kind::Description;
use super::texts::{Texts, fold};
use underlay_entity::row::Row;
use underlay_persistent::Chunks;
use underlay_persistent::Index;
use underlay_persistent::Slots;
use underlay_persistent::compare_names;

/// The key of an object, which identifies it for a person. Keys are ordered by parent, then family, then name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyOf {
    /// The id of the parent; nil for a kind without parents.
    pub parent: Uuid,
    /// The family within the parent; 0 for a kind without families.
    pub family: u8,
    /// The name, unique within parent and family.
    pub name: SmolStr,
}

impl KeyOf {
    /// Returns the key of a row.
    pub fn of(kind: &Description, row: &dyn Row) -> Self {
        let parent = kind.parent(row).unwrap_or_default();
        Self { parent, family: kind.family(row), name: row.common().name.into() }
    }
}

impl Ord for KeyOf {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parent
            .cmp(&other.parent)
            .then_with(|| self.family.cmp(&other.family))
            .then_with(|| compare_names(&self.name, &other.name))
    }
}

impl PartialOrd for KeyOf {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// An external reference, as the key of its index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExternalOf {
    /// The system that names the object.
    pub source: SmolStr,
    /// The id of the object in that system.
    pub external_id: SmolStr,
}

/// A value that at most one object of the kind may have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UniqueOf {
    /// The index of the rule among the kind's unique rules.
    pub rule: u8,
    /// The unique value, as text.
    pub value: SmolStr,
}

impl UniqueOf {
    /// Returns the unique values of a row.
    pub fn all<'a>(kind: &'static Description, row: &'a dyn Row) -> impl Iterator<Item = Self> + use<'a> {
        let unique = kind.unique.iter().enumerate();
        unique.filter_map(|(rule, unique)| Some(Self { rule: rule as u8, value: (unique.of)(row)?.into() }))
    }
}

/// Returns the external references of a row.
pub(super) fn externals(refs: &ExternalRefs) -> impl Iterator<Item = ExternalOf> + '_ {
    refs.0
        .iter()
        .map(|it| ExternalOf { source: it.source.as_str().into(), external_id: it.external_id.as_str().into() })
}

/// An object in its slot. Data that a graph traversal reads is stored together.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    /// The row; `None` in a free slot.
    pub row: Option<Arc<dyn Row>>,
    /// The references that the object has, in the order of its fields.
    pub outgoing: Edges,
    /// The references that others have to the object.
    pub incoming: Edges,
    /// The packed state of the row; 0 in a free slot.
    pub packed_state: u32,
}

/// The objects of one kind, with their indexes.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(super) objects: Chunks<Object>,
    pub(super) keys: Index<KeyOf, u32>,
    /// The names, for references without parents, and all other texts that a search covers.
    pub(super) texts: Texts,
    pub(super) external: Index<ExternalOf, u32>,
    pub(super) unique: Index<UniqueOf, u32>,
    pub(super) versions: Index<i64, Slots>,
    pub(super) free: Vector<u32>,
    pub(super) next: u32,
    pub(super) count: usize,
}

impl Table {
    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the highest slot that was ever used, plus one.
    pub fn slots(&self) -> u32 {
        self.next
    }

    /// Returns the row in a slot; `None` if the slot is free.
    #[inline]
    pub fn row(&self, slot: u32) -> Option<&Arc<dyn Row>> {
        self.objects.get(slot as usize)?.row.as_ref()
    }

    /// Returns the object in a slot, for changes.
    pub(super) fn object_mut(&mut self, slot: u32) -> &mut Object {
        self.objects.get_mut(slot as usize)
    }

    /// Returns all rows from a slot on, in the order of their slots, with the slots.
    pub fn rows(&self, from: u32) -> impl Iterator<Item = (u32, &Arc<dyn Row>)> {
        self.objects.from(from as usize).filter_map(|(slot, object)| Some((slot as u32, object.row.as_ref()?)))
    }

    /// Returns the packed state of the row in a slot; 0 if there is no row.
    #[inline]
    pub fn packed_state(&self, slot: u32) -> u32 {
        self.objects.get(slot as usize).map_or(0, |object| object.packed_state)
    }

    /// Returns the references that an object has, in the order of its fields.
    #[inline]
    pub fn outgoing(&self, slot: u32) -> &Edges {
        self.objects.get(slot as usize).map_or(&Edges::None, |object| &object.outgoing)
    }

    /// Returns the references that others have to an object.
    #[inline]
    pub fn incoming(&self, slot: u32) -> &Edges {
        self.objects.get(slot as usize).map_or(&Edges::None, |object| &object.incoming)
    }

    /// Returns the slot of the object with a key.
    pub fn by_key(&self, key: &KeyOf) -> Option<u32> {
        self.keys.get(key).copied()
    }

    /// Returns the slot of the object with an external reference.
    pub fn by_external(&self, source: &str, external_id: &str) -> Option<u32> {
        self.external.get(&ExternalOf { source: source.into(), external_id: external_id.into() }).copied()
    }

    /// Returns the slot of the object with a unique value.
    pub fn by_unique(&self, rule: u8, value: &str) -> Option<u32> {
        self.unique.get(&UniqueOf { rule, value: value.into() }).copied()
    }

    /// Returns the index of the names and other texts of the objects.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Returns all keys with their slots, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = (&KeyOf, u32)> {
        self.keys.iter().map(|(key, slot)| (key, *slot))
    }

    /// Returns the keys in a range with their slots, in order.
    pub fn keys_in(&self, range: impl std::ops::RangeBounds<KeyOf>) -> impl DoubleEndedIterator<Item = (&KeyOf, u32)> {
        self.keys.range(range).map(|(key, slot)| (key, *slot))
    }

    /// Returns all external references with the slots of their objects, in order.
    pub fn externals(&self) -> impl Iterator<Item = (&ExternalOf, u32)> {
        self.external.iter().map(|(reference, slot)| (reference, *slot))
    }

    /// Returns the external references of a source with the slots of their objects, in order.
    pub fn externals_of<'a>(&'a self, source: &'a str) -> impl Iterator<Item = (&'a ExternalOf, u32)> {
        let first = ExternalOf { source: source.into(), external_id: SmolStr::default() };
        let from = self.external.range(first..).take_while(move |(reference, _)| reference.source == source);
        from.map(|(reference, slot)| (reference, *slot))
    }

    /// Returns all unique values with the slots of their objects, in order.
    pub fn uniques(&self) -> impl Iterator<Item = (&UniqueOf, u32)> {
        self.unique.iter().map(|(value, slot)| (value, *slot))
    }

    /// Returns the revisions in a range that are the last change of some objects, in order, with the slots of these
    /// objects.
    pub fn versions_in(
        &self,
        range: impl std::ops::RangeBounds<i64>,
    ) -> impl DoubleEndedIterator<Item = (i64, &Slots)> {
        self.versions.range(range).map(|(version, slots)| (*version, slots))
    }

    /// Returns the slots of all objects with this name, whatever their parent and family.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = u32> + 'a {
        let slots = self.texts.get(&fold(name)).into_iter().flat_map(Slots::iter);
        slots.filter(move |slot| self.row(*slot).is_some_and(|row| row.common().name == name))
    }
}
