//! What can go wrong between a client and the server.

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// Why there is no answer that can be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClientError {
    /// Nobody answers at the address, however often it was tried.
    #[error("the server {server} cannot be reached: {reason}")]
    Unreachable {
        /// The address.
        server: String,
        /// The last reason.
        reason: String,
    },
    /// The operation has more bytes than a server takes. Nothing was sent.
    #[error("the request has {bytes} bytes; a server takes at most {most}")]
    TooLarge {
        /// How many it has.
        bytes: usize,
        /// How many are allowed.
        most: usize,
    },
    /// There is no token to show. Nothing was sent.
    #[error("{0}")]
    NoToken(String),
    /// The server did not answer in time. What was to be written may have been written.
    #[error("the server {server} did not answer within {seconds} s")]
    TimedOut {
        /// The address.
        server: String,
        /// How long it was waited.
        seconds: u64,
    },
    /// The connection over which answers keep coming is gone.
    #[error("the connection to the server {server} was lost: {reason}")]
    Lost {
        /// The address.
        server: String,
        /// What happened to it.
        reason: String,
    },
    /// An event of a stream is larger than any that a server should send.
    #[error("the server {server} sends an event of more than {most} bytes")]
    EventTooLarge {
        /// The address.
        server: String,
        /// How many are taken.
        most: usize,
    },
    /// The answer is an HTTP error, of the server or of something before it.
    #[error("the server {server} answered with the HTTP status {status}{}", quoted(body))]
    Http {
        /// The address.
        server: String,
        /// The status.
        status: u16,
        /// The beginning of the body.
        body: String,
    },
    /// What answers is no Underlay server, or of another version.
    #[error("the server {server} does not answer as a GraphQL server does: {reason}")]
    NotGraphql {
        /// The address.
        server: String,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The server refused the operation, or a part of it.
    #[error("the server refuses: {}", messages(.0))]
    Graphql(Vec<GraphqlError>),
}

impl ClientError {
    /// Whether it may be over when the same is asked a little later: the server, or something before it, is not there, has
    /// no room, or cannot reach its database. A refusal is not, nor is an answer that makes no sense.
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

    /// Whether the server says so with this code.
    pub fn has_code(&self, code: &str) -> bool {
        matches!(self, Self::Graphql(errors) if errors.iter().any(|error| error.code() == Some(code)))
    }
}

/// One of the errors in an answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GraphqlError {
    /// A sentence that a person can act on.
    pub message: String,
    /// The field of the operation.
    #[serde(default)]
    pub path: Vec<Value>,
    /// What programs go by.
    #[serde(default)]
    pub extensions: Value,
}

impl GraphqlError {
    /// The code.
    pub fn code(&self) -> Option<&str> {
        self.extensions.get("code")?.as_str()
    }

    /// The field of the object or of the input that it is about.
    pub fn field(&self) -> Option<&str> {
        self.extensions.get("field")?.as_str()
    }
}

fn quoted(body: &str) -> String {
    if body.is_empty() { String::new() } else { format!(": {body}") }
}

fn messages(errors: &[GraphqlError]) -> String {
    let said = errors.iter().map(|error| match error.code() {
        Some(code) => format!("{} ({code})", error.message),
        None => error.message.clone(),
    });
    said.collect::<Vec<_>>().join("; ")
}
