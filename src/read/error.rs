//! What a read refuses.

use std::sync::Arc;

use thiserror::Error;

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
