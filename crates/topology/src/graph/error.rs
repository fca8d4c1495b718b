//! The reasons why a graph query can fail.

use thiserror::Error;

use crate::steps::Ended;

/// The reason why a graph query failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// The query was stopped, because nobody waits for its answer.
    #[error("the query was cancelled before it was answered")]
    Stopped,
    /// The query would take too many steps.
    #[error("the query needs more than {most} steps; ask within a smaller object, for fewer layers or less depth")]
    TooComplex {
        /// The number of steps that are allowed.
        most: u64,
    },
}

impl From<Ended> for GraphError {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::NoStepLeft(most) => Self::TooComplex { most },
            Ended::Stopped => Self::Stopped,
        }
    }
}
