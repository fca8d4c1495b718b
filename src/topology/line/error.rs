//! Why no line can be followed from where it is asked for.

use thiserror::Error;

/// Why a line cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// There is nothing at the place.
    #[error("does not exist")]
    Missing,
    /// What is there is no end of a line.
    #[error("must be one of {allowed}; a {kind} is no end of a line")]
    NoEnd {
        /// The kind of what is there.
        kind: &'static str,
        /// The kinds that are ends.
        allowed: String,
    },
    /// The end does not have the position.
    #[error("must be from 1 to {most}, the positions of the end")]
    Position {
        /// How many positions the end has.
        most: u32,
    },
}
