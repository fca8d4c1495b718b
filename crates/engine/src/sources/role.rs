//! The role of the kind whose objects stand for sources: what the runs must know of a source.

use std::sync::Arc;

use uuid::Uuid;

use super::guard::Limits;
use underlay_entity::row::Row;
use underlay_entity::source_run::SameMachine;
use underlay_inventory::{KeyOf, KindId, Refusal, Snapshot};

/// Finds the object of a snapshot that is the machine of an item of a kind, if the item was refused because of that.
pub type FindSameMachine = fn(&Snapshot, kind: &str, refusal: &Refusal) -> Option<SameMachine>;

/// The role of a kind: its objects stand for sources.
#[derive(Clone, Copy, Debug)]
pub struct SourceRole {
    /// The kind whose objects stand for sources.
    pub kind: KindId,
    /// Reads the settings of a source from its row.
    pub settings: fn(&dyn Row) -> Settings,
    /// Finds the object that is the machine of an item which was refused for it.
    pub same_machine: FindSameMachine,
    /// Returns the value of the field `health` for a state.
    pub word: fn(Health) -> &'static str,
}

/// The settings of a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The time between two full runs, in seconds.
    pub interval_seconds: i64,
    /// The effect on an object that the source no longer has.
    pub prune: Prune,
    pub limits: Limits,
    /// True if no runs are started.
    pub paused: bool,
    /// True if the name of the source is reserved.
    pub reserved: bool,
    /// The health, as it was last written.
    pub health: Health,
    /// The kind whose new objects get the state that the source reports; `None` if there is none.
    pub arriving: Option<KindId>,
}

/// The effect on an object that its source no longer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prune {
    /// The object is retired; where its kind cannot be, it is deleted if nothing refers to it, and released otherwise.
    Retire,
    /// The object is deleted with everything that it contains.
    Delete,
    /// The object loses the reference to the source, and nobody owns the fields of the source.
    Release,
    /// Nothing.
    Keep,
}

/// The health of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// No full run has succeeded yet.
    Never,
    /// The last full run that succeeded is recent.
    Fresh,
    /// No full run has succeeded for twice the interval.
    Stale,
    /// The last three full runs failed.
    Failing,
    /// The guard holds something.
    Held,
    /// The source is paused.
    Paused,
}

impl Health {
    /// All states.
    pub const ALL: [Self; 6] = [Self::Never, Self::Fresh, Self::Stale, Self::Failing, Self::Held, Self::Paused];
}

/// A source as a snapshot has it.
#[derive(Clone, Debug)]
pub struct SourceOf {
    pub id: Uuid,
    pub name: String,
    pub settings: Settings,
}

impl SourceRole {
    /// Returns the source with a name.
    pub fn named(self, snapshot: &Snapshot, name: &str) -> Option<SourceOf> {
        let key = KeyOf { parent: Uuid::nil(), family: 0, name: name.into() };
        let slot = snapshot.table(self.kind).by_key(&key)?;
        let object = underlay_inventory::ObjectRef { kind: self.kind, slot };
        snapshot.row(object).map(|row| self.read(row))
    }

    /// Returns the source with an id.
    pub fn with_id(self, snapshot: &Snapshot, id: Uuid) -> Option<SourceOf> {
        let object = snapshot.find(id).filter(|object| object.kind == self.kind)?;
        snapshot.row(object).map(|row| self.read(row))
    }

    /// Returns all sources.
    pub fn all(self, snapshot: &Snapshot) -> Vec<SourceOf> {
        snapshot.table(self.kind).rows(0).map(|(_, row)| self.read(row)).collect()
    }

    fn read(self, row: &Arc<dyn Row>) -> SourceOf {
        let common = row.common();
        SourceOf { id: common.id, name: common.name.to_owned(), settings: (self.settings)(row.as_ref()) }
    }
}
