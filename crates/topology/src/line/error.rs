//! The reasons why a line cannot be traced from an object.

use thiserror::Error;

/// The reason why a line cannot be traced.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// The object to trace from does not exist.
    #[error("does not exist")]
    Missing,
    /// The object is not an end of lines.
    #[error("must be one of {allowed}; a {kind} is no end of a line")]
    NoEnd {
        /// The name of the object's kind.
        kind: &'static str,
        /// The names of the kinds that are ends.
        allowed: String,
    },
    /// The end does not have the given position.
    #[error("must be from 1 to {most}, the positions of the end")]
    Position {
        /// The number of positions of the end.
        most: u32,
    },
}
