//! Counts the things of a scan that cannot be named as seen.

use super::error::SyncError;

/// The things of which it is not known what the inventory has of them. If there is one, nothing counts as gone: it
/// could be any object that was not seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unnamed {
    count: u64,
    /// The id of the first one, and the reason for it.
    first: Option<(String, String)>,
}

impl Unnamed {
    /// Counts some things. `id` is that of the first of them.
    pub fn add(&mut self, count: u64, id: &str, reason: impl Into<String>) {
        self.count += count;
        self.first.get_or_insert_with(|| (id.to_owned(), reason.into()));
    }

    /// Returns the reason why the scan is not complete; `None` if everything could be named.
    pub fn failure(&self) -> Option<SyncError> {
        let (first, reason) = self.first.clone()?;
        Some(SyncError::Incomplete { count: self.count, first, reason })
    }
}
