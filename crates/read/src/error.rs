//! The errors of the read path.

use std::sync::Arc;

use async_graphql::ErrorExtensions as _;
use thiserror::Error;

use underlay_engine::feed::{MAX_KEPT_ANSWERS, MAX_PINNED_REVISIONS, PIN_TIMEOUT, RecordError};
use underlay_engine::store::StoreError;
use underlay_error::Code;

/// The reason for which a read is refused.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("{argument} {reason}")]
    Argument { argument: &'static str, reason: String },
    #[error(
        "the list would sort {count} objects by {by}, which has no index, and at most {most} are allowed: narrow the list, for example by {hint}, or order it by KEY or UPDATED_AT, which have indexes"
    )]
    TooComplex { by: &'static str, count: usize, most: usize, hint: &'static str },
    #[error(
        "the filter takes more than {most} steps on this list (limits.steps): it takes one for each condition that it applies to an object, also to those of references and lists; narrow the list, or leave conditions out"
    )]
    TooManySteps { most: u64 },
    #[error(
        "by names {by:?}, which has more than {most} different values in this list: narrow the list, or name a field with fewer values"
    )]
    TooManyValues { by: String, most: usize },
    #[error(
        "revision {revision} is no longer held (the newest is {newest}): a list with pin: true keeps its revision for {} s after each use, and only the last {MAX_PINNED_REVISIONS}; start again from the first page",
        PIN_TIMEOUT.as_secs()
    )]
    Compacted { revision: i64, newest: i64 },
    #[error(
        "the answer that this cursor belongs to is of revision {revision}, which is no longer in memory (the newest is {newest}): an answer is kept for {} s after each page, and only the last {MAX_KEPT_ANSWERS}; start again from the first page",
        PIN_TIMEOUT.as_secs()
    )]
    AnswerGone { revision: i64, newest: i64 },
    #[error(
        "between revisions {from} and {to} there are more than {most} changes: select fewer by kinds or objects, or compare revisions that are closer to each other"
    )]
    TooManyChanges { from: i64, to: i64, most: usize },
    #[error("the change log holds something that this version cannot read: {0}")]
    Record(#[from] RecordError),
    #[error(
        "{argument} asks for changes of {asked}, but changes before revision {oldest} are no longer held: start at that revision, or read the current inventory"
    )]
    Dropped { argument: &'static str, asked: String, oldest: i64 },
    #[error(
        "{argument} asks for revision {revision}, but the newest here is {newest}; a replica that is behind waits for a query with minRevision in its extensions"
    )]
    Future { argument: &'static str, revision: i64, newest: i64 },
    #[error(
        "the changes after revision {asked} are not held: this history holds changes from revision {oldest} on; read the current inventory, and subscribe after its revision"
    )]
    Gone { asked: i64, oldest: i64 },
    #[error(
        "to find the objects that entered or left at revision {revision}, the server would have to undo more than {most} changes: begin at a later revision, or omit `within` from the filter"
    )]
    TooFar { revision: i64, most: usize },
    #[error(
        "the events of hardware after {after} are not held: the oldest that is kept has the cursor {oldest}; read hardwareEvents, and subscribe after its first cursor"
    )]
    EventsDropped { after: i64, oldest: i64 },
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
            Self::TooComplex { .. }
            | Self::TooManySteps { .. }
            | Self::TooManyValues { .. }
            | Self::TooManyChanges { .. }
            | Self::TooFar { .. } => Code::TooComplex,
            Self::Compacted { .. }
            | Self::AnswerGone { .. }
            | Self::Dropped { .. }
            | Self::Gone { .. }
            | Self::EventsDropped { .. } => Code::RevisionCompacted,
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
            Self::AnswerGone { .. } | Self::Gone { .. } | Self::EventsDropped { .. } => Some("after"),
            Self::TooFar { .. } => Some("within"),
            Self::TooManySteps { .. } => Some("filter"),
            Self::TooManyValues { .. } => Some("by"),
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

    /// Returns the GraphQL error with a message, the code, and what else clients can use.
    pub fn shown(&self, message: String) -> async_graphql::Error {
        async_graphql::Error::new(message).extend_with(|_, extensions| {
            extensions.set("code", self.code().as_str());
            if let Some(argument) = self.argument() {
                extensions.set("field", argument);
            }
            if let Some((name, revision)) = self.revision() {
                extensions.set(name, revision);
            }
        })
    }
}
