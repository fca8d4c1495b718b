//! Lists of a revision that is kept: how a list that is read page by page stays of one revision.

use std::sync::Arc;

use super::error::ReadError;
use super::listing::{Cursors, ListScope, Listed, Listing};
use super::window::PageArguments;
use underlay_engine::access::CallerKey;
use underlay_engine::feed::Pins;
use underlay_inventory::Snapshot;

impl<K: Listed> Listing<K> {
    /// Returns the list at the revision that its arguments name, for a caller. Without one, it is of the current
    /// snapshot.
    ///
    /// # Errors
    /// Returns an error if the revision is no longer held, or if the arguments name two.
    pub fn pinned(self, pins: &Pins, caller: &CallerKey, arguments: &PageArguments) -> Result<Self, ReadError> {
        let snapshot = match arguments.revision()? {
            Some(revision) if revision != self.snapshot.revision() => {
                let kept = pins.get(caller, revision);
                kept.ok_or(ReadError::Compacted { revision, newest: self.snapshot.revision() })?
            }
            None if !arguments.pin => return Ok(self),
            _ => Arc::clone(&self.snapshot),
        };
        pins.keep(caller, &snapshot);
        let scope = moved(self.scope, &self.snapshot, &snapshot)?;
        Ok(Self { snapshot, scope, cursors: Cursors::Pinned, ..self })
    }
}

/// The scope in another value, where the same object may have another slot.
fn moved(scope: ListScope, from: &Snapshot, to: &Snapshot) -> Result<ListScope, ReadError> {
    let ListScope::Referrers(object, reference) = scope else { return Ok(scope) };
    let there = from.row(object).and_then(|row| to.find(row.common().id));
    let missing = || ReadError::Argument {
        argument: "atRevision",
        reason: format!("is {}: the object whose list this is was not there", to.revision()),
    };
    there.map(|object| ListScope::Referrers(object, reference)).ok_or_else(missing)
}
