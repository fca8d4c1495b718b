//! What somebody sees: the newest value, the revisions and the answers that are kept beside it, and the change log, where
//! it is theirs to read.

use std::sync::Arc;

use super::answers::Answers;
use super::newest::Newest;
use super::pins::Pins;
use crate::inventory::Snapshot;
use crate::store::Store;

/// What somebody sees.
#[derive(Clone, Debug)]
pub struct View {
    /// The newest value, and the recent revisions that led to it.
    pub newest: Newest,
    /// The revisions that are kept for reads that take long.
    pub pins: Pins,
    /// The answers that are kept for their next pages.
    pub answers: Answers,
    log: Option<Store>,
}

impl View {
    /// Everything.
    pub fn whole(newest: Newest, log: Store) -> Self {
        Self { newest, pins: Pins::default(), answers: Answers::default(), log: Some(log) }
    }

    /// A part of it: values that were made of the whole ones. The log tells of the whole, so it is not to be had.
    pub fn part(newest: Newest, answers: Answers) -> Self {
        Self { newest, pins: Pins::default(), answers, log: None }
    }

    /// The value of a revision, if it is still in memory: the newest, a recent or a kept one.
    pub fn at_hand(&self, revision: i64) -> Option<Arc<Snapshot>> {
        let newest = Some(self.newest.get()).filter(|newest| newest.revision() == revision);
        let recent = || self.newest.recent(revision).map(|revised| Arc::clone(&revised.after));
        newest.or_else(recent).or_else(|| self.pins.get(revision))
    }

    /// The way to the change log.
    pub fn log(&self) -> Option<&Store> {
        self.log.as_ref()
    }
}
