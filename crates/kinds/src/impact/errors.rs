//! The errors of cursors in the answer of an impact query.

use crate::errors::unreadable;
use underlay_inventory::Snapshot;
use underlay_read::ReadError;

/// Returns the error for a cursor that was not issued for this query.
pub fn no_cursor() -> async_graphql::Error {
    let reason = "is no cursor of the list of this question: take one from pageInfo or edges, and ask with the same of, \
                  anchors, kinds and within";
    unreadable(&ReadError::Argument { argument: "after", reason: reason.to_owned() })
}

/// Returns the error for a cursor whose answer is no longer available.
pub fn not_kept(revision: i64, current: &Snapshot) -> async_graphql::Error {
    unreadable(&ReadError::AnswerGone { revision, newest: current.revision() })
}
