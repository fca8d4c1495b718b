//! Defines the errors between a client and the server.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// The reason why there is no usable answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClientError {
    /// No server answers at the address after all tries.
    #[error("the server {server} cannot be reached: {reason}")]
    Unreachable {
        /// The address of the server.
        server: String,
        /// The reason of the last failure.
        reason: String,
    },
    /// The operation has more bytes than a server accepts. Nothing was sent.
    #[error("the request has {bytes} bytes; a server takes at most {most}")]
    TooLarge {
        /// The number of bytes of the operation.
        bytes: usize,
        /// The maximum number of bytes.
        most: usize,
    },
    /// There is no token to authenticate with. Nothing was sent.
    #[error("{0}")]
    NoToken(String),
    /// The server did not answer in time. A write may have been committed nevertheless.
    #[error("the server {server} did not answer within {seconds} s")]
    TimedOut {
        /// The address of the server.
        server: String,
        /// The time that the client waited, in seconds.
        seconds: u64,
    },
    /// The connection of a subscription was lost.
    #[error("the connection to the server {server} was lost: {reason}")]
    Lost {
        /// The address of the server.
        server: String,
        /// The reason why it was lost.
        reason: String,
    },
    /// An event of a stream is larger than any that a server should send.
    #[error("the server {server} sends an event of more than {most} bytes")]
    EventTooLarge {
        /// The address of the server.
        server: String,
        /// The maximum number of bytes that the client accepts.
        most: usize,
    },
    /// The answer is an HTTP error of the server or of a proxy before it.
    #[error("the server {server} answered with the HTTP status {status}{}", quoted(body))]
    Http {
        /// The address of the server.
        server: String,
        /// The HTTP status code.
        status: u16,
        /// The beginning of the body.
        body: String,
        /// The time after which the server asks to be tried again, if it says so.
        retry_after: Option<Duration>,
    },
    /// The address belongs to another program, or to an Underlay server of another version.
    #[error("the server {server} does not answer as a GraphQL server does: {reason}")]
    NotGraphql {
        /// The address of the server.
        server: String,
        /// The difference from a valid answer.
        reason: String,
    },
    /// The server refused the operation, or a part of it.
    #[error("the server refuses: {}", messages(.0))]
    Graphql(Vec<GraphqlError>),
}

impl ClientError {
    /// Returns true if the same request can succeed a little later: the server or a proxy is unreachable or overloaded,
    /// or the server cannot reach its database. Rejected operations and invalid answers are not passing.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::Lost { .. } => true,
            Self::Http { status, .. } => matches!(status, 408 | 429 | 500..=599),
            Self::Graphql(errors) => {
                !errors.is_empty() && errors.iter().all(|it| matches!(it.code(), Some("UNAVAILABLE" | "TIMEOUT")))
            }
            Self::TooLarge { .. } | Self::NoToken(_) | Self::EventTooLarge { .. } | Self::NotGraphql { .. } => false,
        }
    }

    /// Returns the time after which the server asks to be tried again, if it says so (`Retry-After`).
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Http { retry_after, .. } => *retry_after,
            Self::Graphql(errors) => errors.iter().filter_map(|error| error.retry_after).max(),
            _ => None,
        }
    }

    /// Returns the error with the time that the server asks to wait.
    pub(crate) fn with_retry_after(mut self, after: Option<Duration>) -> Self {
        match &mut self {
            Self::Http { retry_after, .. } => *retry_after = after,
            Self::Graphql(errors) => errors.iter_mut().for_each(|error| error.retry_after = after),
            _ => {}
        }
        self
    }

    /// Returns the code of the first of the server's errors, if it has one.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Graphql(errors) => errors.first()?.code(),
            _ => None,
        }
    }

    /// Returns true if one of the server's errors has this code.
    pub fn has_code(&self, code: &str) -> bool {
        matches!(self, Self::Graphql(errors) if errors.iter().any(|error| error.code() == Some(code)))
    }
}

/// An error in an answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GraphqlError {
    /// A sentence that a person can act on.
    pub message: String,
    /// The path of the field in the operation that failed.
    #[serde(default)]
    pub path: Vec<Value>,
    /// The machine-readable details, such as the code.
    #[serde(default)]
    pub extensions: Value,
    /// The time after which the server asks to be tried again; it comes with the answer, not in its body.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
}

impl GraphqlError {
    /// Returns the code of the error, such as `NOT_FOUND`.
    pub fn code(&self) -> Option<&str> {
        self.extensions.get("code")?.as_str()
    }

    /// Returns the field of the object or of the input that the error is about.
    pub fn field(&self) -> Option<&str> {
        self.extensions.get("field")?.as_str()
    }
}

fn quoted(body: &str) -> String {
    if body.is_empty() { String::new() } else { format!(": {body}") }
}

fn messages(errors: &[GraphqlError]) -> String {
    let texts = errors.iter().map(|error| match error.code() {
        Some(code) => format!("{} ({code})", error.message),
        None => error.message.clone(),
    });
    texts.collect::<Vec<_>>().join("; ")
}
