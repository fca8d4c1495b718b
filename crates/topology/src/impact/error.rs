//! The reasons why an impact query can fail.

use thiserror::Error;

use crate::steps::Ended;

/// The reason why an impact query failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImpactError {
    /// The query was stopped, because nobody waits for its answer.
    #[error("the query was cancelled before it was answered")]
    Stopped,
    /// The query would take too many steps.
    #[error("the query needs more than {most} steps; ask about fewer or smaller objects")]
    TooComplex {
        /// The number of steps that are allowed.
        most: u64,
    },
    /// A given anchor is not part of the network that carries user traffic.
    #[error("must be {allowed}, in the network of users; {what} is not")]
    Anchor {
        /// The inventory path of the given object.
        what: String,
        /// The names of the kinds that can be anchors.
        allowed: String,
    },
}

impl From<Ended> for ImpactError {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::NoStepLeft(most) => Self::TooComplex { most },
            Ended::Stopped => Self::Stopped,
        }
    }
}
