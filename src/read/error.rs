//! What a read refuses.

use std::sync::Arc;

use thiserror::Error;

use crate::feed::{LONGEST_UNUSED, MOST_PINNED};
use crate::inventory::Code;
use crate::store::StoreError;

/// Why a read was refused.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("{argument} {reason}")]
    Argument { argument: &'static str, reason: String },
    #[error(
        "{count} objects would have to be sorted by {by}, which has no index; at most {most} are: narrow it down, for example by {hint}"
    )]
    TooComplex { by: &'static str, count: usize, most: usize, hint: &'static str },
    #[error(
        "revision {revision} is not kept any more (the newest is {newest}): a list with pin: true keeps its revision for {} s after each use, and only the last {MOST_PINNED}; start again from the first page",
        LONGEST_UNUSED.as_secs()
    )]
    Compacted { revision: i64, newest: i64 },
    #[error("{0}")]
    Store(Arc<StoreError>),
}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl ReadError {
    /// The code for clients.
    pub fn code(&self) -> Code {
        match self {
            Self::Argument { .. } => Code::Invalid,
            Self::TooComplex { .. } => Code::TooComplex,
            Self::Compacted { .. } => Code::RevisionCompacted,
            Self::Store(_) => Code::Unavailable,
        }
    }

    /// The argument that the error is about.
    pub fn argument(&self) -> Option<&'static str> {
        match self {
            Self::Argument { argument, .. } => Some(argument),
            _ => None,
        }
    }
}
