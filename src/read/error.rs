//! The errors of the read path.

use std::sync::Arc;

use thiserror::Error;

use crate::feed::{LONGEST_UNUSED, MOST_ANSWERS, MOST_PINNED, RecordError};
use crate::store::StoreError;
use underlay_error::Code;

/// The reason for which a read is refused.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("{argument} {reason}")]
    Argument { argument: &'static str, reason: String },
    #[error(
        "{count} objects would have to be sorted by {by}, which has no index; at most {most} are: narrow it down, for example by {hint}, or order by KEY or UPDATED_AT, which a list of any size can have"
    )]
    TooComplex { by: &'static str, count: usize, most: usize, hint: &'static str },
    #[error(
        "revision {revision} is not kept any more (the newest is {newest}): a list with pin: true keeps its revision for {} s after each use, and only the last {MOST_PINNED}; start again from the first page",
        LONGEST_UNUSED.as_secs()
    )]
    Compacted { revision: i64, newest: i64 },
    #[error(
        "the answer that this cursor belongs to is of revision {revision}, which is not in memory any more (the newest is {newest}): an answer is kept for {} s after each page, and only the last {MOST_ANSWERS}; start again from the first page",
        LONGEST_UNUSED.as_secs()
    )]
    AnswerGone { revision: i64, newest: i64 },
    #[error(
        "between revisions {from} and {to} there are more than {most} changes to look at: narrow them down by kinds or objects, or take steps"
    )]
    TooManyChanges { from: i64, to: i64, most: usize },
    #[error("the change log holds something that this version cannot read: {0}")]
    Record(#[from] RecordError),
    #[error(
        "{argument} asks for changes of {asked}, and those before revision {oldest} are not held any more: ask from there on, or read the inventory as it is"
    )]
    Dropped { argument: &'static str, asked: String, oldest: i64 },
    #[error(
        "{argument} asks for revision {revision}, and the newest here is {newest}; a replica that is behind waits for a query with minRevision in its extensions"
    )]
    Future { argument: &'static str, revision: i64, newest: i64 },
    #[error(
        "what comes after revision {asked} cannot be told: in this history changes are held from revision {oldest} on; read the inventory as it is, and go on after the revision of that"
    )]
    Gone { asked: i64, oldest: i64 },
    #[error(
        "to find what entered or left at revision {revision}, more than {most} changes would have to be undone: begin later, or leave within out of the filter"
    )]
    TooFar { revision: i64, most: usize },
    #[error("{0}")]
    Store(Arc<StoreError>),
}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl ReadError {
    /// Returns the error code for clients.
    pub fn code(&self) -> Code {
        match self {
            Self::Argument { .. } | Self::Future { .. } => Code::Invalid,
            Self::TooComplex { .. } | Self::TooManyChanges { .. } | Self::TooFar { .. } => Code::TooComplex,
            Self::Compacted { .. } | Self::AnswerGone { .. } | Self::Dropped { .. } | Self::Gone { .. } => {
                Code::RevisionCompacted
            }
            Self::Store(_) => Code::Unavailable,
            Self::Record(_) => Code::Internal,
        }
    }

    /// Returns the argument that caused the error.
    pub fn argument(&self) -> Option<&'static str> {
        match self {
            Self::Argument { argument, .. } | Self::Dropped { argument, .. } | Self::Future { argument, .. } => {
                Some(argument)
            }
            Self::AnswerGone { .. } | Self::Gone { .. } => Some("after"),
            Self::TooFar { .. } => Some("within"),
            _ => None,
        }
    }

    /// Returns a revision that exists, if a requested one does not, with the name under which clients find it.
    pub fn revision(&self) -> Option<(&'static str, i64)> {
        match self {
            Self::Dropped { oldest, .. } | Self::Gone { oldest, .. } => Some(("oldestRevision", *oldest)),
            Self::Future { newest, .. } => Some(("newestRevision", *newest)),
            _ => None,
        }
    }
}
