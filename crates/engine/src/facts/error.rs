//! The reasons why a report is not accepted.

use std::time::Duration;

use chrono::{DateTime, Utc};
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

/// The reason why the agent of a machine is not enrolled.
#[derive(Debug, Error)]
pub enum EnrolmentRefusal {
    /// The text has not the form of such a token.
    #[error("an enrolment needs a token of an enrolment, which `underlay agent enrol-token` prints")]
    NoToken,
    /// There is no such token.
    #[error("there is no such token of an enrolment")]
    Unknown,
    /// The token was revoked.
    #[error("this token of an enrolment was revoked")]
    Revoked,
    /// The token has ended.
    #[error("this token of an enrolment ended at {at}")]
    Ended {
        /// The end.
        at: DateTime<Utc>,
    },
    /// As many machines as the token is for have used it, or it was revoked or ended meanwhile.
    #[error("this token of an enrolment is for {most} machines, which have used it, or it has just ended")]
    UsedUp {
        /// The number of machines.
        most: i32,
    },
    /// The token that the agent made is not one.
    #[error(
        "the token of the agent must be one that it has just made: underlay-agent-, a UUID, - and 64 hexadecimal digits"
    )]
    BadAgentToken,
    /// The host has or had another token.
    #[error(
        "the host of this machine has or had a token, which {issued_to} got at {issued_at}: an operator gives it another \
         with `underlay agent token HOST`"
    )]
    HasToken {
        /// The time when that was issued.
        issued_at: DateTime<Utc>,
        /// The caller that got it.
        issued_to: String,
    },
    /// The database does not answer.
    #[error("the agent could not be enrolled: {0}")]
    Store(#[from] StoreError),
}
