//! The reasons why a report is not accepted.

use std::time::Duration;

use thiserror::Error;

use crate::store::StoreError;

/// The reason why a report is not accepted.
#[derive(Debug, Error)]
pub enum FactsError {
    /// The facts cannot be written as JSON, or compressed.
    #[error("the facts cannot be stored: {0}")]
    Unfit(#[from] serde_json::Error),
    /// As many reports wait as are allowed.
    #[error("as many reports wait as are allowed: try again in {} s", retry_after.as_secs())]
    Busy {
        /// The time after which the agent may try again.
        retry_after: Duration,
    },
    /// The facts of the host change too often.
    #[error(
        "the facts of this host changed {changes} times within {} s: try again in {} s",
        period.as_secs(),
        retry_after.as_secs()
    )]
    Restless {
        /// The number of changes that were accepted.
        changes: u32,
        /// The time within which they were.
        period: Duration,
        /// The time after which the agent may try again.
        retry_after: Duration,
    },
    /// The database did not take the facts. The log has the reason.
    #[error("the facts could not be stored: try again later")]
    NotStored,
    /// The database does not answer.
    #[error("the facts could not be stored: {0}")]
    Store(#[from] StoreError),
}

/// The reason why events of hardware cannot be followed from a position.
#[derive(Debug, Error)]
pub enum EventsError {
    /// There is no such position.
    #[error("there is no event of hardware {after}: the newest is {newest}")]
    Unknown {
        /// The position.
        after: i64,
        /// The id of the newest event; 0 if there is none.
        newest: i64,
    },
    /// Events after the position were dropped.
    #[error("events of hardware after {after} were dropped: the oldest that is kept is {oldest}")]
    Dropped {
        /// The position.
        after: i64,
        /// The id of the oldest event that is kept.
        oldest: i64,
    },
    /// The database does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The reason why the token of an agent is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TokenRefusal {
    /// The text has not the form of such a token.
    #[error("a report needs the token of an agent, which `underlay agent token HOST` prints")]
    NoToken,
    /// No host has this token.
    #[error("no host has this token of an agent: it was replaced by another, or its host was deleted")]
    Unknown,
    /// The token was revoked.
    #[error("the token of this agent was revoked")]
    Revoked,
}
