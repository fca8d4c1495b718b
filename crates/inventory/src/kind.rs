//! The description of a kind for the engine: its fields, its key, its references and its rules.
//!
//! The engine knows no kind by name. It handles every object through the [`Description`] of the object's kind, which it
//! finds in the [`Registry`].

use std::any::Any;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value as Json;
use uuid::Uuid;

use super::check::Checked;
use super::echo::Echo;
use super::field::{Audience, Field};
use super::number::{KindId, ReferenceId};
use super::snapshot::Snapshot;
use super::texts::Searched;
use underlay_entity::row::Row;
use underlay_error::{Problems, Refusal};

/// A kind with a row type that the compiler knows.
pub trait Kind: Sized + Send + Sync + 'static {
    /// The row type of the kind.
    type Row: Row;
    /// The number of the kind in the registry.
    const ID: KindId;
    /// Returns the description of the kind.
    fn describe() -> &'static Description;
}

/// The parts of a key besides the name.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The reference fields that may hold the parent; the first field that is set holds it.
    pub parents: &'static [&'static str],
    /// The part of the key that separates objects with the same parent and name.
    pub family: Option<Family>,
    /// The member that holds the name in a reference to the object: `rack` in `{site: "ams1", rack: "A14"}`.
    pub name_member: &'static str,
}

/// A part of the key that is derived from a field, such as the family of a port.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name of the family in a reference.
    pub member: &'static str,
    /// The field from which the family is derived.
    pub field: &'static str,
    /// All families, in the order in which objects are listed. Cursors contain their indices, which never change.
    pub names: &'static [&'static str],
    /// Returns the index in `names` of a row's family.
    pub of: fn(&dyn Row) -> u8,
}

/// The effect of a cascading delete on an object that refers to a deleted object.
#[derive(Clone, Debug)]
pub enum Loss {
    /// The object prevents the delete.
    Restrict,
    /// The object is deleted too.
    Cascade,
    /// The object stays, without the references to the deleted objects.
    SetNull(Arc<dyn Row>),
}

/// Decides the fate of a row whose references to some objects are about to be lost.
pub type OnLoss = fn(row: &dyn Row, lost: &dyn Fn(Uuid) -> bool) -> Loss;

/// A write to an object, after its fields were set.
pub struct Rewrite<'a> {
    /// The snapshot with the object as it was before the write, if it existed. Of the other objects that the same batch
    /// creates it may lack some.
    pub snapshot: &'a Snapshot,
    /// The row before the write; `None` if the write creates the object.
    pub before: Option<&'a dyn Row>,
    /// The row with the written fields.
    pub after: &'a dyn Row,
    /// The source in whose name the object is written; `None` if people, controllers or the server write it.
    pub source: Option<&'a str>,
    /// Returns true if the write contains a field and may write it.
    pub gives: &'a dyn Fn(&str) -> bool,
}

/// Derives further changes to a row from the written fields; `None` if nothing else changes.
pub type OnWrite = fn(&Rewrite<'_>) -> Result<Option<Arc<dyn Row>>, Refusal>;

/// A member of an item that is written as an object of another kind.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The field of the item, such as `aEnd`.
    pub field: &'static str,
    /// The kind of the part.
    pub kind: &'static str,
    /// The field of the part that refers to the item's object.
    pub whole: &'static str,
    /// Fields of the part with a value that follows from the member in which it is written.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Fields of the part that the item may set. The write clears a field that the item leaves out.
    pub replaced: &'static [&'static str],
}

/// A rule for a value that at most one object of the kind may have.
#[derive(Clone, Copy, Debug)]
pub struct Unique {
    /// The field that an error names if two objects have the same value.
    pub field: &'static str,
    /// Returns the value of a row as text; `None` if the row has none.
    pub of: fn(&dyn Row) -> Option<String>,
}

/// The protection of the objects of a kind that are in use.
#[derive(Clone, Copy, Debug)]
pub struct Protection {
    /// Returns the use of an object; `None` if it is not in use.
    pub of: fn(row: &dyn Row, snapshot: &Snapshot) -> Option<InUse>,
    /// The reference fields whose targets are protected together with the object. They cannot be cleared either.
    pub with: &'static [&'static str],
}

/// The use of a protected object, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InUse {
    /// The use, in words that complete a sentence which begins with the object: `is acquired for k1`.
    pub reason: String,
    /// The way to end the use, as a command: `release it with releaseHosts`.
    pub remedy: String,
}

impl InUse {
    /// Returns the use of an object in a sentence that also says what to do.
    pub fn words(&self, object: &str) -> String {
        format!("{object} {}: {}", self.reason, self.remedy)
    }
}

/// A member of items in which a source reports the state of an object. It counts once: when an item in a run of the
/// source creates the object, and the source may decide it. It is no field, so nothing stores it.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The name of the member.
    pub member: &'static str,
    /// Returns the words that the member can have.
    pub words: fn() -> Vec<&'static str>,
    /// Puts a new row into the state that a word stands for.
    pub put: fn(&mut dyn Row, &str),
    /// The way for those who are no source, in words that complete a sentence: `adopt a host with adoptHosts`.
    pub remedy: &'static str,
}

/// Everything that the engine knows about a kind.
#[derive(Debug)]
pub struct Description {
    /// The number of the kind in the registry.
    pub id: KindId,
    /// The name of the kind, such as `VirtualMachine`.
    pub name: &'static str,
    /// The name of one object in items and references, such as `virtualMachine`.
    pub singular: &'static str,
    /// The common fields, then the kind's own fields, in the order in which they are shown. Stored data refers to a
    /// field by its number, not by its index here.
    pub fields: &'static [Field],
    /// The key, which identifies an object for a person.
    pub key: Key,
    /// Returns a row in which every field has its default.
    pub blank: fn() -> Arc<dyn Row>,
    /// The rules that check a whole batch.
    pub rules: &'static [fn(&Checked<'_>, &mut Problems)],
    /// Members of an item that become objects of their own.
    pub parts: &'static [Part],
    /// Decides the effect of a cascading delete on an object of this kind that refers to a deleted object. `None`: the
    /// object prevents the delete.
    pub on_loss: Option<OnLoss>,
    /// Derives further changes when an object of this kind is written; `None` if there are none.
    pub on_write: Option<OnWrite>,
    /// The way in which an item without a name is identified and named; `None` if a name is required.
    pub unnamed: Option<Unnamed>,
    /// Values that at most one object may have.
    pub unique: &'static [Unique],
    /// The readers who see objects of this kind.
    pub audience: Audience,
    /// The parts of an item that errors about it repeat.
    pub echo: Echo,
    /// For a kind whose objects stand for sources, by their names: returns true for the row of a source whose name is
    /// reserved. Only its runs write in its name then.
    pub reserves: Option<fn(&dyn Row) -> bool>,
    /// The protection of objects that are in use; `None` for a kind whose objects are never protected.
    pub protection: Option<Protection>,
    /// The member of items in which a source reports the state of a new object; `None` if there is none.
    pub arrival: Option<Arrival>,
    /// The texts that a search covers besides the name.
    pub searched: &'static [Searched],
    /// Computes the packed state of a row: a word that is stored next to the row for queries that read it from many
    /// objects. Only those queries know its meaning. It depends on the row alone, and is never 0.
    pub packed_state: fn(&dyn Row) -> u32,
}

/// The way in which an object that was written without a name is identified and named.
#[derive(Clone, Copy, Debug)]
pub enum Unnamed {
    /// The item means the object that already refers to the same target. The name of a new object is made up.
    Referring {
        /// The reference field that is compared.
        by: &'static str,
        /// The way in which a new object is named.
        name: MadeName,
    },
    /// The value of this field is the name. The item is found by its key as if it had set that name.
    Field(&'static str),
}

/// The way in which the name of an object is made up.
#[derive(Clone, Copy, Debug)]
pub enum MadeName {
    /// The function makes a name that no other object has, from the id of the object.
    Unique(fn(Uuid) -> String),
    /// The function makes a name from the id of the object and the number of the attempt. The first name that no object
    /// without a parent has is taken.
    Tried(fn(Uuid, u32) -> String),
}

impl Description {
    /// Returns the name of several objects in lists, such as `virtualMachines`.
    pub fn plural(&self) -> String {
        let ending = if self.singular.ends_with('s') { "es" } else { "s" };
        format!("{}{ending}", self.singular)
    }

    /// Returns the index of a field, by its GraphQL name.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Returns the reference of a field. In a constant, a name without a reference field does not compile.
    pub const fn reference(id: KindId, fields: &[Field], name: &str) -> ReferenceId {
        let mut index = 0;
        while index < fields.len() {
            if same(fields[index].name, name) {
                assert!(fields[index].reference.is_some(), "the field is not a reference");
                return ReferenceId { kind: id, field: index as u8 };
            }
            index += 1;
        }
        panic!("the kind has no such field")
    }

    /// Returns the reference field by which an item without a name is identified.
    pub fn recognised_by(&self) -> Option<&'static str> {
        match self.unnamed {
            Some(Unnamed::Referring { by, .. }) => Some(by),
            Some(Unnamed::Field(_)) | None => None,
        }
    }

    /// Returns the name that an item gives its object: the member `name`, or the field that replaces an absent name.
    /// `value` returns the value of a member.
    pub fn name_of<V: Borrow<Json>>(&self, value: impl Fn(&'static str) -> Option<V>) -> Option<V> {
        let given = |name| value(name).filter(|value| !value.borrow().is_null());
        given("name").or_else(|| match self.unnamed {
            Some(Unnamed::Field(field)) => given(field),
            Some(Unnamed::Referring { .. }) | None => None,
        })
    }

    /// Returns the parent in the key of a row.
    pub fn parent(&self, row: &dyn Row) -> Option<Uuid> {
        self.parent_fields().find_map(|(_, field)| field.reference.as_ref()?.first(row))
    }

    /// Returns true if a field decides which tenants see an object: its tenant, or what its tenant is taken from.
    pub fn decides_who_sees(&self, field: &str) -> bool {
        match self.audience {
            Audience::Everyone => field == "tenant",
            Audience::Operators => false,
            Audience::TenantOf(deciding) => field == deciding,
        }
    }

    /// Returns the reference fields that may hold the parent, in order, each with its index.
    pub fn parent_fields(&self) -> impl Iterator<Item = (usize, &'static Field)> {
        self.key.parents.iter().filter_map(|name| {
            let index = self.field(name)?;
            Some((index, &self.fields[index]))
        })
    }

    /// Returns the family in the key of a row; 0 for a kind without families.
    pub fn family(&self, row: &dyn Row) -> u8 {
        self.key.family.map_or(0, |family| (family.of)(row))
    }

    /// Returns the reference fields, each with its id.
    pub fn references(&self) -> impl Iterator<Item = (ReferenceId, &'static Field)> {
        self.fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.reference.is_some())
            .map(|(index, field)| (ReferenceId { kind: self.id, field: index as u8 }, field))
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

/// All kinds that a process knows.
#[derive(Clone, Debug)]
pub struct Registry {
    kinds: Vec<&'static Description>,
    by_name: HashMap<&'static str, KindId>,
    settings: Vec<Arc<dyn Any + Send + Sync>>,
}

impl Registry {
    /// Creates a registry of these kinds.
    ///
    /// # Panics
    /// Panics if the position of a kind in the list differs from its id, which is a mistake in the list of kinds.
    pub fn new(kinds: Vec<&'static Description>) -> Self {
        let mut by_name = HashMap::new();
        for (index, kind) in kinds.iter().enumerate() {
            assert_eq!(usize::from(kind.id.0), index, "{} stands at the wrong index", kind.name);
            by_name.insert(kind.name, kind.id);
            by_name.insert(kind.singular, kind.id);
        }
        Self { kinds, by_name, settings: Vec::new() }
    }

    /// Adds something of the process that kinds read besides the inventory, such as settings for their rules. There is at
    /// most one of each type, and the engine does not know them.
    #[must_use]
    pub fn with_settings<T: Any + Send + Sync>(mut self, settings: T) -> Self {
        self.settings.push(Arc::new(settings));
        self
    }

    /// Returns what the process has of a type; `None` if it has none.
    pub fn settings<T: Any>(&self) -> Option<&T> {
        self.settings.iter().find_map(|settings| settings.downcast_ref())
    }

    /// Returns all kinds, in the order of their ids.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = &'static Description> + '_ {
        self.kinds.iter().copied()
    }

    /// Returns the kind with an id.
    pub fn get(&self, id: KindId) -> &'static Description {
        self.kinds[usize::from(id.0)]
    }

    /// Returns the kind with a name, which is either form of it: `Rack` or `rack`.
    pub fn named(&self, name: &str) -> Option<&'static Description> {
        self.by_name.get(name).map(|id| self.get(*id))
    }

    /// Returns the field of a reference.
    pub fn field(&self, reference: ReferenceId) -> &'static Field {
        &self.get(reference.kind).fields[usize::from(reference.field)]
    }
}
