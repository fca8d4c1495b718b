//! [`Memory`] keeps of each node, from one scan to the next and in memory alone, its inventory, which costs a call, and the
//! time of its last change.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::client::{Inventory, Node};

/// The knowledge of all nodes that outlives a scan.
#[derive(Debug, Default)]
pub struct Memory {
    nodes: Mutex<Remembered>,
}

#[derive(Debug, Default)]
struct Remembered {
    /// True after the first complete scan.
    is_complete: bool,
    inventories: HashMap<String, Kept>,
    /// The times of the last changes that were seen, as Ironic writes them.
    changes: HashMap<String, String>,
}

/// The inventory of a node, and the times by which a newer one is recognised. Storing one changes the node.
#[derive(Debug)]
struct Kept {
    of: Times,
    inventory: Option<Arc<Inventory>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Times {
    updated: Option<String>,
    inspected: Option<String>,
}

impl Times {
    fn of(node: &Node) -> Self {
        Self { updated: node.updated_at.clone(), inspected: node.inspection_finished_at.clone() }
    }
}

impl Memory {
    /// Returns the inventory that a node had, which may be none, if the node did not change since.
    pub fn inventory(&self, node: &Node) -> Option<Option<Arc<Inventory>>> {
        let nodes = self.lock();
        let kept = nodes.inventories.get(&node.uuid).filter(|kept| kept.of == Times::of(node))?;
        // A node that never changed has no time by which a change is recognised.
        node.updated_at.as_ref().map(|_| kept.inventory.clone())
    }

    /// Remembers the inventory of a node.
    pub fn keep(&self, node: &Node, inventory: Option<Arc<Inventory>>) {
        let kept = Kept { of: Times::of(node), inventory };
        self.lock().inventories.insert(node.uuid.clone(), kept);
    }

    /// Notes the time of the last change of a node, and returns true if it is another one than before.
    pub fn is_news(&self, uuid: &str, changed: Option<&str>) -> bool {
        let changed = changed.unwrap_or_default();
        let mut nodes = self.lock();
        if nodes.changes.get(uuid).is_some_and(|known| known == changed) {
            return false;
        }
        nodes.changes.insert(uuid.to_owned(), changed.to_owned());
        true
    }

    /// Forgets all other nodes at the end of a complete scan.
    pub fn complete(&self, seen: &HashSet<String>) {
        let mut nodes = self.lock();
        nodes.inventories.retain(|uuid, _| seen.contains(uuid));
        nodes.changes.retain(|uuid, _| seen.contains(uuid));
        nodes.is_complete = true;
    }

    /// Returns true after the first complete scan.
    pub fn is_complete(&self) -> bool {
        self.lock().is_complete
    }

    fn lock(&self) -> MutexGuard<'_, Remembered> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
