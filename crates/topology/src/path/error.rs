//! The reasons why a path query can fail.

use thiserror::Error;

use crate::impact::ImpactError;
use crate::role::Plane;
use crate::steps::Ended;

/// One of the two ends of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The end at which paths begin.
    From,
    /// The end at which paths end.
    To,
}

impl Side {
    /// Returns the name of the argument.
    pub const fn name(self) -> &'static str {
        match self {
            Self::From => "from",
            Self::To => "to",
        }
    }
}

/// The reason why a path query failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PathError {
    /// The query was stopped, because nobody waits for its answer.
    #[error("the query was cancelled before it was answered")]
    Stopped,
    /// The query would take too many steps.
    #[error("the query needs more than {most} steps; ask for fewer paths, or between smaller objects")]
    TooComplex {
        /// The number of steps that are allowed.
        most: u64,
    },
    /// The given object is of a kind at which no path begins or ends.
    #[error("must be one of {allowed}; no path begins or ends at a {kind}")]
    NoEnd {
        /// The end for which the object was given.
        side: Side,
        /// The kind of the given object.
        kind: &'static str,
        /// The names of the kinds at which paths can begin and end.
        allowed: String,
    },
    /// The given object stands for no node in the network of the query.
    #[error("must have a node in the {} network; {what} has none", plane.name())]
    NoNode {
        /// The end for which the object was given.
        side: Side,
        /// The inventory path of the given object.
        what: String,
        /// The network that the query searches.
        plane: Plane,
    },
    /// Both ends are the same object, or have one in common.
    #[error("must have no object in common with `from`: both have {what}")]
    Same {
        /// The inventory path of the common object.
        what: String,
    },
    /// The evaluation of failures ended with an error.
    #[error(transparent)]
    Failure(#[from] ImpactError),
}

impl From<Ended> for PathError {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::NoStepLeft(most) => Self::TooComplex { most },
            Ended::Stopped => Self::Stopped,
        }
    }
}
