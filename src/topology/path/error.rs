//! Why a question about paths has no answer.

use thiserror::Error;

use super::role::Plane;
use crate::topology::impact::ImpactError;
use crate::topology::steps::NoStepLeft;

/// One of the two ends of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Where paths begin.
    From,
    /// Where they end.
    To,
}

impl Side {
    /// What the argument is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::From => "from",
            Self::To => "to",
        }
    }
}

/// Why a question about paths has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PathError {
    /// It would take too long.
    #[error("the question needs more than {most} steps; ask for fewer paths, or between smaller objects")]
    TooComplex {
        /// How many steps are allowed.
        most: u64,
    },
    /// No path begins or ends at something of this kind.
    #[error("must be one of {allowed}; no path begins or ends at a {kind}")]
    NoEnd {
        /// Which end it was given for.
        side: Side,
        /// The kind of what is there.
        kind: &'static str,
        /// The kinds that paths can begin and end at.
        allowed: String,
    },
    /// What was given stands for nothing in the network that was asked about.
    #[error("must stand for something in the {} network; {what} does not", plane.name())]
    Nobody {
        /// Which end it was given for.
        side: Side,
        /// What was given.
        what: String,
        /// The network.
        plane: Plane,
    },
    /// Both ends are, or have in common, the same thing.
    #[error("must not be, hold or stand on what `from` does: both have {what}")]
    Same {
        /// What they have in common.
        what: String,
    },
    /// What fails with something could not be found out.
    #[error(transparent)]
    Failure(#[from] ImpactError),
}

impl From<NoStepLeft> for PathError {
    fn from(NoStepLeft(most): NoStepLeft) -> Self {
        Self::TooComplex { most }
    }
}
