//! The trait that the adapter of a source implements.

use std::future::Future;

use super::error::AdapterError;
use super::hint::HintStream;
use super::item::{ExternalId, Item};
use super::sink::Sink;

/// The items that describe one thing of a source.
pub type Items = Vec<Item>;

/// Reads one source.
///
/// An adapter must be correct on its own in these points, because nobody else can check them:
/// - An external id names the same thing in every scan, and is never used again for another thing of the same kind.
/// - A thing that did not change yields an equal item in every scan. The order of members does not matter.
/// - Items come in the order of their references: a site before its racks. An item can refer to items before it.
pub trait Adapter: Send + Sync {
    /// True if [`Adapter::has_deleted`] can return true. A full scan then waits for the proofs of what is missing.
    const PROVES_DELETIONS: bool = false;

    /// Reads everything that the source has, and emits it item by item. The adapter never holds all of it.
    ///
    /// # Errors
    /// Any part that cannot be read fails the scan, because what is missing from a scan counts as gone. Only a thing
    /// that was read and cannot be mapped is reported by [`Sink::bad`], and the scan goes on.
    fn scan(&self, sink: &mut Sink) -> impl Future<Output = Result<Scanned, AdapterError>> + Send;

    /// Reads one thing again: its items, or `None` if the source does not have it any more.
    ///
    /// # Errors
    /// Returns an error if the source does not answer, or answers something else.
    fn look(&self, id: &ExternalId) -> impl Future<Output = Result<Option<Items>, AdapterError>> + Send;

    /// Returns true if the source has certainly deleted a thing, which a look did not find for a while: the source itself
    /// says so, and what it says can be trusted. The runner then has the server remove it without a full scan. A source
    /// that cannot tell what is gone from what it does not show returns false, and the next full scan decides.
    ///
    /// # Errors
    /// Returns an error if the source does not answer, or answers something else.
    fn has_deleted(&self, _id: &ExternalId) -> impl Future<Output = Result<bool, AdapterError>> + Send {
        std::future::ready(Ok(false))
    }

    /// Returns the hints of the source that something changed, or `None` if it gives none. The runner asks once, and
    /// reads by [`Adapter::look`] what a hint names.
    fn hints(&self) -> Option<HintStream>;
}

/// The end of a complete scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// The position of the source at the beginning of the scan, opaque to everybody else, of at most 4 KiB. The server
    /// keeps it with the run.
    pub cursor: Option<String>,
}
