//! Runs the write path and replication inside the test process, without a server, for laws about snapshots.

use std::sync::Arc;

use tempfile::TempDir;
use underlay_engine::feed::{self, CurrentSnapshot, Observed, Room, View};
use underlay_engine::sources::{Sources, Timing};
use underlay_engine::store::{DatabaseUrl, Store};
use underlay_engine::write::{Author, Batch, Conflicts, Item, Mode, Origin, Writer};
use underlay_inventory::{Registry, Snapshot};
use uuid::Uuid;

use super::scratch;

/// The parts of a process that hold the inventory.
pub struct Inside {
    pub store: Store,
    pub current: CurrentSnapshot,
    pub writer: Writer,
}

impl Inside {
    /// Opens a database and loads its content.
    pub async fn open(url: &str) -> Self {
        Self::open_with(url, Room::default()).await
    }

    /// Opens a database with other bounds for the recent revisions.
    pub async fn open_with(url: &str, room: Room) -> Self {
        let store = Store::open(&parse(url), underlay_kinds::tables()).await.expect("open the database");
        let current = CurrentSnapshot::with_room(feed::load(&store, &registry()).await.expect("load"), room);
        let writer = Writer::start(store.clone(), current.clone());
        Self { store, current, writer }
    }

    /// Returns a snapshot that is built only from the change records after `from`.
    pub async fn followed(&self, from: Snapshot) -> Arc<Snapshot> {
        feed::catch_up(&self.store, &CurrentSnapshot::new(from)).await.expect("follow")
    }

    /// Returns the way to write in runs of sources.
    pub fn sources(&self) -> Sources {
        let role = underlay_kinds::source::ROLE;
        Sources::new(self.store.clone(), self.current.clone(), self.writer.clone(), role, Timing::default())
    }

    /// Returns the view of a caller who sees everything.
    pub fn view(&self) -> View {
        View::whole(self.current.clone(), Observed::default(), self.store.clone())
    }

    /// Returns a snapshot that is loaded afresh.
    pub async fn loaded(&self) -> Snapshot {
        feed::load(&self.store, &registry()).await.expect("load")
    }
}

pub fn registry() -> Arc<Registry> {
    Arc::new(underlay_kinds::registry())
}

fn parse(url: &str) -> DatabaseUrl {
    url.parse().unwrap_or_else(|error| panic!("{url}: {error}"))
}

/// Creates an SQLite database. Returns its URL and its folder.
pub fn sqlite() -> (String, TempDir) {
    let folder = scratch::folder("inside");
    (format!("sqlite://{}", folder.path().join("test.db").display()), folder)
}

/// Returns a batch of a user.
pub fn batch(items: Vec<Item>) -> Batch {
    Batch {
        id: Uuid::new_v4(),
        items,
        mode: Mode::Atomic,
        conflicts: Conflicts::Fail,
        author: Author::user("test"),
        origin: Origin::Client,
        request_id: None,
        bytes: 0,
    }
}

/// Returns items in the form of `apply`.
pub fn items(items: impl IntoIterator<Item = serde_json::Value>) -> Vec<Item> {
    let registry = registry();
    items.into_iter().map(|item| Item::parse(&registry, item).expect("an item")).collect()
}
