//! The results of a run, for its log line, the progress bar and the metrics.

use std::time::Duration;

use super::error::SyncError;
use super::messages::RunMode;
use super::report::Report;

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Items that the source emitted.
    pub items: u64,
    /// Items that were created.
    pub created: u64,
    /// Items that were updated.
    pub updated: u64,
    /// Items that the server has already.
    pub unchanged: u64,
    /// Items that the server refused.
    pub failed: u64,
    /// Things that the adapter could not map.
    pub bad: u64,
    /// Things of which the source has only a rest, which is no object.
    pub skipped: u64,
    /// Values that the items of things cannot hold.
    pub in_part: u64,
    /// Objects that were retired, deleted or released, because the source does not have them any more.
    pub gone: u64,
    /// Objects and fields that wait for an operator.
    pub held: u64,
}

/// A run that ended.
#[derive(Debug)]
pub struct Ran {
    /// The extent that was read.
    pub mode: RunMode,
    /// The end of the run.
    pub end: RunEnd,
    /// The counts.
    pub tally: Tally,
    /// The outcomes of the things of the source, by their types; empty for a partial run.
    pub report: Report,
    /// The time that the run took.
    pub took: Duration,
}

/// The end of a run.
#[derive(Debug)]
pub enum RunEnd {
    /// Everything was written that the server accepts.
    Done,
    /// Everything was written, and an operator must approve what would be removed or emptied.
    Held,
    /// The run failed. Nothing was removed.
    Failed(SyncError),
    /// The synchronizer was asked to stop.
    Stopped,
}

/// Watches a synchronizer.
pub trait Observer: Send + Sync {
    /// A scan goes on.
    fn progress(&self, tally: &Tally);
    /// A run ended.
    fn ended(&self, ran: &Ran);
    /// A thing could not be mapped, or the server refused it. `text` names the thing and the reason.
    fn problem(&self, text: &str);
    /// Something that an operator should know.
    fn note(&self, text: &str);
}
