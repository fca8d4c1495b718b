//! The tables of facts: what was last reported of the hardware of hosts, what changed in it, and in which hosts parts were.
//! Writes make no revision.
//!
//! PostgreSQL keeps them in the database of the inventory. With SQLite they are in a file beside it, which has a writer
//! of its own, so that neither waits for the other ([`file`]).
//!
//! Guarantees: the rows of a call are written together, and are durable before it returns. Rows are written in the order
//! of their keys, so calls of several processes never block each other in a cycle.

mod copy;
mod file;
mod parts;
mod rows;

pub use copy::add_facts_to_copy;
pub use file::{facts_file, open_facts_to_look};
pub use parts::{
    JudgedEvent, KnownParts, PartKey, PartQuery, PartRows, PartsChange, PartsMeaning, SeenPart, Sighting, TracedPart,
};
pub use rows::{FactsChange, FactsCount, FactsJudge, FactsMeaning, HardwareEventSelection, ReportedFacts};

use super::connection::{DatabaseUrl, Store};
use super::error::StoreError;

/// The place in which facts are stored.
#[derive(Clone, Debug)]
pub struct FactsStore {
    store: Store,
    place: Place,
}

/// The database that has the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// That of the inventory.
    Inventory,
    /// A file of their own.
    Beside,
}

impl FactsStore {
    /// Opens the place of the facts that belong to an inventory. A file that belongs to another one is set aside. Facts
    /// that a restored backup has in the tables of the inventory are moved to their place.
    ///
    /// # Errors
    /// Returns an error if the database does not answer, or if the file cannot be made or read.
    pub async fn open(inventory: &Store, url: &DatabaseUrl) -> Result<Self, StoreError> {
        let Some(database) = url.sqlite_file()? else {
            return Ok(Self { store: inventory.clone(), place: Place::Inventory });
        };
        let store = file::open(&database, inventory.history().await?).await?;
        let facts = Self { store, place: Place::Beside };
        facts.take_from(inventory).await?;
        Ok(facts)
    }

    /// Returns the database with the tables.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns true if other processes may write facts too.
    pub fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// Closes the connections that are not those of the inventory.
    pub async fn close(self) -> Result<(), StoreError> {
        match self.place {
            Place::Inventory => Ok(()),
            Place::Beside => self.store.close().await,
        }
    }
}
