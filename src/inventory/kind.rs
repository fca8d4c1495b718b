//! How a kind is described to the engine: its fields, its key, its references and its rules.
//!
//! The engine knows no kind by name. Everything that it does with an object it does through the [`Description`] of
//! the object's kind, found in the [`Registry`].

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value as Json;
use uuid::Uuid;

use super::check::Checked;
use super::field::Field;
use super::refusal::{Problems, Refusal};
use super::snapshot::Snapshot;
use super::texts::Searched;
use crate::store::{Row, RowTable};

/// The number of a kind in the registry of this process. It never leaves the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u8);

/// One kind of reference: a field of a kind that names other objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReferenceId {
    /// The kind that has the field.
    pub kind: KindId,
    /// The place of the field among the fields of the kind.
    pub field: u8,
}

/// A kind whose rows are known to the compiler.
pub trait Kind: Sized + Send + Sync + 'static {
    /// The row of an object of this kind.
    type Row: Row;
    /// The number of the kind in the registry.
    const ID: KindId;
    /// The description of the kind.
    fn describe() -> &'static Description;
}

/// What a key is made of, besides the name.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The reference fields that may hold the parent; the first that is set holds it.
    pub parents: &'static [&'static str],
    /// What tells objects apart that have the same parent and name.
    pub family: Option<Family>,
    /// What the name is called in a reference to the object: `rack` in `{site: "ams1", rack: "A14"}`.
    pub name_member: &'static str,
}

/// A part of the key that is worked out from a field: the family of a port.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What the family is called in a reference.
    pub member: &'static str,
    /// The field that it is worked out from.
    pub field: &'static str,
    /// All families, in the order in which objects are listed.
    pub names: &'static [&'static str],
    /// The place of a row's family in `names`.
    pub of: fn(&dyn Row) -> u8,
}

/// What becomes of an object when a cascading delete takes what it refers to.
#[derive(Clone, Debug)]
pub enum Loss {
    /// It stands in the way.
    Blocks,
    /// It goes too.
    Goes,
    /// It stays, without the references that are lost.
    Stays(Arc<dyn Row>),
}

/// Decides what becomes of a row whose references to some objects are about to be lost.
pub type OnLoss = fn(row: &dyn Row, lost: &dyn Fn(Uuid) -> bool) -> Loss;

/// A write to an object that was there, once its fields are set.
pub struct Rewrite<'a> {
    /// The value with the object as it was.
    pub value: &'a Snapshot,
    /// The row as it was.
    pub before: &'a dyn Row,
    /// The row with the fields that are written.
    pub after: &'a dyn Row,
    /// Whether the write gives a field and may write it.
    pub gives: &'a dyn Fn(&str) -> bool,
}

/// Works out what else changes in a row with the fields that are written; `None`: nothing.
pub type OnWrite = fn(&Rewrite<'_>) -> Result<Option<Arc<dyn Row>>, Refusal>;

/// A part of an item that is written as an object of another kind.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The field of the item: `aEnd`.
    pub field: &'static str,
    /// The kind of the part.
    pub kind: &'static str,
    /// The field of the part that refers to the whole.
    pub whole: &'static str,
    /// Fields of the part that follow from where it stands.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Fields of the part that the item may give; one that it leaves out is cleared.
    pub replaced: &'static [&'static str],
}

/// A value that at most one object of the kind may have.
#[derive(Clone, Copy, Debug)]
pub struct Unique {
    /// The field that is named when two objects have the same value.
    pub field: &'static str,
    /// The value of a row, as text; `None` where it has none.
    pub of: fn(&dyn Row) -> Option<String>,
}

/// Everything that the engine knows of a kind.
#[derive(Debug)]
pub struct Description {
    /// The number of the kind in the registry.
    pub id: KindId,
    /// The name of the kind: `VirtualMachine`.
    pub name: &'static str,
    /// The name of one object in items and references: `virtualMachine`.
    pub singular: &'static str,
    /// Common fields first, then the kind's own, in the order in which they are shown. What is stored of a field goes by
    /// its number, not by its place.
    pub fields: &'static [Field],
    /// What a table shows of an object besides its name and the parents in its key: GraphQL fields, of objects in
    /// fields as `placement.rack`. A reference shows what it leads to, a list how many are in it.
    pub columns: &'static [&'static str],
    /// What a wide table shows in addition.
    pub wide: &'static [&'static str],
    /// What identifies an object for a person.
    pub key: Key,
    /// A row with every default and nothing else.
    pub blank: fn() -> Arc<dyn Row>,
    /// The table of the rows in the database.
    pub table: &'static dyn RowTable,
    /// The checks on a whole batch.
    pub rules: &'static [fn(&Checked<'_>, &mut Problems)],
    /// Parts of an item that become objects of their own.
    pub parts: &'static [Part],
    /// What becomes of an object of this kind when a cascading delete takes what it refers to; `None`: it blocks.
    pub on_loss: Option<OnLoss>,
    /// Says what else changes when an object of this kind is written that was there; `None`: nothing.
    pub on_write: Option<OnWrite>,
    /// Says how an item without a name is recognised and named; `None`: a name is required.
    pub unnamed: Option<Unnamed>,
    /// Values that at most one object may have.
    pub unique: &'static [Unique],
    /// What a search sees besides the name.
    pub searched: &'static [Searched],
    /// A word that is kept beside each row, for whoever asks the same of many objects: what it means, only who asks
    /// knows. It follows from the row alone, and is not 0.
    pub brief: fn(&dyn Row) -> u32,
}

/// The way in which an object that was written without a name is recognised and named.
#[derive(Clone, Copy, Debug)]
pub enum Unnamed {
    /// The item is the object that already refers to the same target. A new object is named from its id.
    Referring {
        /// The reference field that is compared.
        by: &'static str,
        /// Makes the name of a new object.
        name: fn(Uuid) -> String,
    },
    /// The value of this field is the name, so the item is found by its key as if it had given that name.
    Field(&'static str),
}

impl Description {
    /// The place of a field, by its GraphQL name.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// The reference that a field is. For constants: does not compile where the field is not there.
    pub const fn reference(id: KindId, fields: &[Field], name: &str) -> ReferenceId {
        let mut place = 0;
        while place < fields.len() {
            if same(fields[place].name, name) {
                assert!(fields[place].reference.is_some(), "the field is not a reference");
                return ReferenceId { kind: id, field: place as u8 };
            }
            place += 1;
        }
        panic!("the kind has no such field")
    }

    /// The reference by which an item without a name is recognised.
    pub fn recognised_by(&self) -> Option<&'static str> {
        match self.unnamed {
            Some(Unnamed::Referring { by, .. }) => Some(by),
            Some(Unnamed::Field(_)) | None => None,
        }
    }

    /// The name that an item gives its object, as the item's members have it: the name itself, or the field that
    /// stands in for an absent one.
    pub fn name_of<V: Borrow<Json>>(&self, value: impl Fn(&'static str) -> Option<V>) -> Option<V> {
        let given = |name| value(name).filter(|value| !value.borrow().is_null());
        given("name").or_else(|| match self.unnamed {
            Some(Unnamed::Field(field)) => given(field),
            Some(Unnamed::Referring { .. }) | None => None,
        })
    }

    /// The parent in the key of a row.
    pub fn parent(&self, row: &dyn Row) -> Option<Uuid> {
        self.parent_fields().find_map(|(_, field)| field.reference.as_ref()?.first(row))
    }

    /// The reference fields that may hold the parent, in order, each with its place.
    pub fn parent_fields(&self) -> impl Iterator<Item = (usize, &'static Field)> {
        self.key.parents.iter().filter_map(|name| {
            let place = self.field(name)?;
            Some((place, &self.fields[place]))
        })
    }

    /// The family in the key of a row; 0 for kinds that have none.
    pub fn family(&self, row: &dyn Row) -> u8 {
        self.key.family.map_or(0, |family| (family.of)(row))
    }

    /// The reference fields, each with its id.
    pub fn references(&self) -> impl Iterator<Item = (ReferenceId, &'static Field)> {
        self.fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.reference.is_some())
            .map(|(place, field)| (ReferenceId { kind: self.id, field: place as u8 }, field))
    }
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// All kinds of a process.
#[derive(Clone, Debug)]
pub struct Registry {
    kinds: Vec<&'static Description>,
    by_name: HashMap<&'static str, KindId>,
}

impl Registry {
    /// A registry of these kinds.
    ///
    /// # Panics
    /// When a kind does not stand at the place that its id says: a mistake in the list of kinds.
    pub fn new(kinds: Vec<&'static Description>) -> Self {
        let mut by_name = HashMap::new();
        for (place, kind) in kinds.iter().enumerate() {
            assert_eq!(usize::from(kind.id.0), place, "{} stands at the wrong place", kind.name);
            by_name.insert(kind.name, kind.id);
            by_name.insert(kind.singular, kind.id);
        }
        Self { kinds, by_name }
    }

    /// All kinds, in the order of their ids.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = &'static Description> + '_ {
        self.kinds.iter().copied()
    }

    /// The kind of an id.
    pub fn get(&self, id: KindId) -> &'static Description {
        self.kinds[usize::from(id.0)]
    }

    /// The kind of that name (`Rack` or `rack`).
    pub fn named(&self, name: &str) -> Option<&'static Description> {
        self.by_name.get(name).map(|id| self.get(*id))
    }

    /// The field that a reference is.
    pub fn field(&self, reference: ReferenceId) -> &'static Field {
        &self.get(reference.kind).fields[usize::from(reference.field)]
    }
}
