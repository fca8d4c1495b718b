//! The table of one kind in a snapshot: rows by slot, references both ways, and the indexes of keys, external
//! references and unique values. Everything in it shares structure with the tables before and after it.

use std::cmp::Ordering;
use std::sync::Arc;

use imbl::Vector;
use smol_str::SmolStr;
use underlay_entity::common::ExternalRefs;
use uuid::Uuid;

use super::edges::Edges;
use super::kind::Description;
use super::texts::{Texts, fold};
use crate::store::Row;
use underlay_persistent::Chunks;
use underlay_persistent::Index;
use underlay_persistent::Slots;
use underlay_persistent::compare_names;

/// What identifies an object for a person: parent, family, name. Ordered by parent, then family, then name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyOf {
    /// The id of the parent; nil for kinds without one.
    pub parent: Uuid,
    /// The family within the parent, 0 where the kind has none.
    pub family: u8,
    /// The name.
    pub name: SmolStr,
}

impl KeyOf {
    /// The key of a row.
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

/// The place of an external reference in its index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExternalOf {
    /// The source.
    pub source: SmolStr,
    /// What the source calls the object.
    pub external_id: SmolStr,
}

/// A value that at most one object of the kind may have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UniqueOf {
    /// The place of the rule among the kind's unique rules.
    pub rule: u8,
    /// The value, as text.
    pub value: SmolStr,
}

impl UniqueOf {
    /// The unique values of a row.
    pub fn all<'a>(kind: &'static Description, row: &'a dyn Row) -> impl Iterator<Item = Self> + use<'a> {
        let unique = kind.unique.iter().enumerate();
        unique.filter_map(|(rule, unique)| Some(Self { rule: rule as u8, value: (unique.of)(row)?.into() }))
    }
}

/// The external references of a row.
pub(super) fn externals(refs: &ExternalRefs) -> impl Iterator<Item = ExternalOf> + '_ {
    refs.0
        .iter()
        .map(|it| ExternalOf { source: it.source.as_str().into(), external_id: it.external_id.as_str().into() })
}

/// An object in its slot: what a question that goes from object to object looks at stands together.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    /// Its row; none in a free slot.
    pub row: Option<Arc<dyn Row>>,
    /// The references that it has, in the order of its fields.
    pub outgoing: Edges,
    /// The references that others have to it.
    pub incoming: Edges,
    /// What its kind keeps beside the row; 0 in a free slot.
    pub brief: u32,
}

/// The table of one kind.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(super) objects: Chunks<Object>,
    pub(super) keys: Index<KeyOf, u32>,
    /// The names, for references that leave the parents out, and all else that a search sees.
    pub(super) texts: Texts,
    pub(super) external: Index<ExternalOf, u32>,
    pub(super) unique: Index<UniqueOf, u32>,
    pub(super) versions: Index<i64, Slots>,
    pub(super) free: Vector<u32>,
    pub(super) next: u32,
    pub(super) count: usize,
}

impl Table {
    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One more than the highest slot that was ever in use.
    pub fn slots(&self) -> u32 {
        self.next
    }

    /// The row at a slot.
    #[inline]
    pub fn row(&self, slot: u32) -> Option<&Arc<dyn Row>> {
        self.objects.get(slot as usize)?.row.as_ref()
    }

    /// The object at a slot, to be changed.
    pub(super) fn object_mut(&mut self, slot: u32) -> &mut Object {
        self.objects.get_mut(slot as usize)
    }

    /// All rows with their slots, in the order of the slots, from a slot on.
    pub fn rows(&self, from: u32) -> impl Iterator<Item = (u32, &Arc<dyn Row>)> {
        self.objects.from(from as usize).filter_map(|(slot, object)| Some((slot as u32, object.row.as_ref()?)))
    }

    /// What the kind keeps beside the row at a slot; 0 where there is none.
    #[inline]
    pub fn brief(&self, slot: u32) -> u32 {
        self.objects.get(slot as usize).map_or(0, |object| object.brief)
    }

    /// The references that an object has, in the order of its fields.
    #[inline]
    pub fn outgoing(&self, slot: u32) -> &Edges {
        self.objects.get(slot as usize).map_or(&Edges::None, |object| &object.outgoing)
    }

    /// The references that others have to an object.
    #[inline]
    pub fn incoming(&self, slot: u32) -> &Edges {
        self.objects.get(slot as usize).map_or(&Edges::None, |object| &object.incoming)
    }

    /// The object with a key.
    pub fn by_key(&self, key: &KeyOf) -> Option<u32> {
        self.keys.get(key).copied()
    }

    /// The object with an external reference.
    pub fn by_external(&self, source: &str, external_id: &str) -> Option<u32> {
        self.external.get(&ExternalOf { source: source.into(), external_id: external_id.into() }).copied()
    }

    /// The object with a unique value.
    pub fn by_unique(&self, rule: u8, value: &str) -> Option<u32> {
        self.unique.get(&UniqueOf { rule, value: value.into() }).copied()
    }

    /// What its objects are called.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// All keys with their slots, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = (&KeyOf, u32)> {
        self.keys.iter().map(|(key, slot)| (key, *slot))
    }

    /// The keys in a range, in order.
    pub fn keys_in(&self, range: impl std::ops::RangeBounds<KeyOf>) -> impl DoubleEndedIterator<Item = (&KeyOf, u32)> {
        self.keys.range(range).map(|(key, slot)| (key, *slot))
    }

    /// All external references with the slots of their objects, in order.
    pub fn externals(&self) -> impl Iterator<Item = (&ExternalOf, u32)> {
        self.external.iter().map(|(reference, slot)| (reference, *slot))
    }

    /// All unique values with the slots of their objects, in order.
    pub fn uniques(&self) -> impl Iterator<Item = (&UniqueOf, u32)> {
        self.unique.iter().map(|(value, slot)| (value, *slot))
    }

    /// The revisions that changed objects last, in order, each with the slots of these.
    pub fn versions_in(
        &self,
        range: impl std::ops::RangeBounds<i64>,
    ) -> impl DoubleEndedIterator<Item = (i64, &Slots)> {
        self.versions.range(range).map(|(version, slots)| (*version, slots))
    }

    /// All objects with this name, whatever their parent and family.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = u32> + 'a {
        let slots = self.texts.get(&fold(name)).into_iter().flat_map(Slots::iter);
        slots.filter(move |slot| self.row(*slot).is_some_and(|row| row.common().name == name))
    }
}
