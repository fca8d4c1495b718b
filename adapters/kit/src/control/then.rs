//! The time of the next work on an object.

use tokio::time::Instant;

/// The time at which an object needs work again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// The object needs work when something changes.
    Rest,
    /// The object needs work at a time, or when something changes.
    At(Instant),
    /// The object needs work after a pause that grows with each failure; the sentence says what failed.
    Failed(String),
}
