//! Why a question about failures has no answer.

use thiserror::Error;

/// Why a question about failures has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImpactError {
    /// It would take too long.
    #[error("the question needs more than {most} steps; ask about fewer or smaller objects")]
    TooComplex {
        /// How many steps are allowed.
        most: u64,
    },
}
