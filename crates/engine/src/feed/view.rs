//! Bundles everything that a viewer sees: the current snapshot, the revisions and answers kept besides it, and the
//! change log if the viewer may read it.

use std::sync::Arc;

use super::answers::Answers;
use super::current::CurrentSnapshot;
use super::observations::Observed;
use super::pins::Pins;
use crate::access::CallerKey;
use crate::store::Store;
use underlay_inventory::Snapshot;

/// The inventory as one viewer sees it.
#[derive(Clone, Debug)]
pub struct View {
    /// The current snapshot, and the recent revisions that led to it.
    pub current: CurrentSnapshot,
    /// The revisions that are pinned for long reads.
    pub pins: Pins,
    /// The answers that are kept for their next pages.
    pub answers: Answers,
    /// The last observations of objects.
    pub observed: Observed,
    log: Option<Store>,
}

impl View {
    /// Creates the view of everything.
    pub fn whole(current: CurrentSnapshot, observed: Observed, log: Store) -> Self {
        Self { current, pins: Pins::default(), answers: Answers::default(), observed, log: Some(log) }
    }

    /// Creates the view of a part, from snapshots that were derived from the whole ones. Such a view cannot read the
    /// change log, because the log contains everything.
    pub fn part(current: CurrentSnapshot, answers: Answers, observed: Observed) -> Self {
        Self { current, pins: Pins::default(), answers, observed, log: None }
    }

    /// Returns the snapshot of a revision if it is in memory: the current, a recent or a pinned one.
    /// A pinned one is used by the caller then.
    pub fn at_hand(&self, caller: &CallerKey, revision: i64) -> Option<Arc<Snapshot>> {
        let current = Some(self.current.get()).filter(|current| current.revision() == revision);
        let recent = || self.current.recent(revision).map(|revised| Arc::clone(&revised.after));
        current.or_else(recent).or_else(|| self.pins.get(caller, revision))
    }

    /// Returns the store with the change log, if the viewer may read the log.
    pub fn log(&self) -> Option<&Store> {
        self.log.as_ref()
    }
}
