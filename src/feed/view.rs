//! What somebody sees: the newest value, the revisions that are kept beside it, and the change log, where it is theirs
//! to read.

use super::newest::Newest;
use super::pins::Pins;
use crate::store::Store;

/// What somebody sees.
#[derive(Clone, Debug)]
pub struct View {
    /// The newest value, and the recent revisions that led to it.
    pub newest: Newest,
    /// The revisions that are kept for reads that take long.
    pub pins: Pins,
    log: Option<Store>,
}

impl View {
    /// Everything.
    pub fn whole(newest: Newest, log: Store) -> Self {
        Self { newest, pins: Pins::default(), log: Some(log) }
    }

    /// A part of it: values that were made of the whole ones. The log tells of the whole, so it is not to be had.
    pub fn part(newest: Newest) -> Self {
        Self { newest, pins: Pins::default(), log: None }
    }

    /// The way to the change log.
    pub fn log(&self) -> Option<&Store> {
        self.log.as_ref()
    }
}
