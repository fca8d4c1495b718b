//! The time of the next work on an object.

use tokio::time::Instant;

/// The time at which an object needs work again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// When something changes.
    Rest,
    /// At a time, or when something changes.
    At(Instant),
    /// After a pause that grows with each failure; the sentence says what failed.
    Failed(String),
}
