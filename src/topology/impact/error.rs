//! Why a question about failures has no answer.

use thiserror::Error;

use crate::topology::steps::NoStepLeft;

/// Why a question about failures has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImpactError {
    /// It would take too long.
    #[error("the question needs more than {most} steps; ask about fewer or smaller objects")]
    TooComplex {
        /// How many steps are allowed.
        most: u64,
    },
    /// Something cannot be reached over the network of users.
    #[error("must be {allowed}, in the network of users; {what} is not")]
    Anchor {
        /// What was given.
        what: String,
        /// The kinds that are anchors.
        allowed: String,
    },
}

impl From<NoStepLeft> for ImpactError {
    fn from(NoStepLeft(most): NoStepLeft) -> Self {
        Self::TooComplex { most }
    }
}
