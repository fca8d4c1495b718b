//! The reasons for which a request is not executed: an unknown caller, a missing role, a limit that is reached, or a
//! request that cannot be read.
//!
//! The layers below have error types of their own; their codes are mapped to a [`Refused`] here. `response` turns it
//! into a response of HTTP.

use std::time::Duration;

use async_graphql::{ErrorExtensionValues, Pos, ServerError, Value};
use axum::http::StatusCode;

use super::body::Unread;
use super::limits::Limit;
use super::nesting::Excess;
use super::open::TooMany;
use crate::api::{CoercionError, ExpansionError, FilterError, OperationError};
use underlay_engine::access::{Forbidden, TokenError};
use underlay_engine::feed::ViewError;
use underlay_error::{Code, Refusal};

/// The reason for which a request is not executed.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The code of the error.
    pub code: Code,
    /// The message of the error.
    pub message: String,
    /// The status of the response.
    pub status: Status,
    /// The position in the document that the error is about.
    position: Option<Pos>,
    /// The time after which the client can try again, if the refusal tells one.
    pub retry_after: Option<Duration>,
    /// Further extensions of the error.
    details: Vec<(&'static str, Value)>,
}

/// The status of the response to a request that is not executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// This status, in every media type.
    Is(StatusCode),
    /// The status of a request error of GraphQL, which depends on the media type of the response.
    OfMediaType,
}

impl Refused {
    /// Returns a refusal with the status that belongs to its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let status = StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let (status, details) = (Status::Is(status), Vec::new());
        Self { code, message: message.into(), status, position: None, retry_after: None, details }
    }

    /// Returns the refusal of a GraphQL request that was understood, and has an error (GraphQL, section 7.1.1).
    pub fn request_error(code: Code, message: impl Into<String>) -> Self {
        Self { status: Status::OfMediaType, ..Self::new(code, message) }
    }

    /// Returns the same refusal with another status.
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status: Status::Is(status), ..self }
    }

    /// Returns the same refusal with a further extension of its error.
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.details.push((name, value.into()));
        self
    }

    /// Refuses a request because as many run as are allowed.
    pub fn busy(limit: Limit, most: usize) -> Self {
        Self::new(Code::Unavailable, limit.reached(most))
    }

    /// Refuses a request because as many of its caller run as are allowed.
    pub fn busy_of_one(limit: Limit, share: usize) -> Self {
        Self::new(Code::Unavailable, limit.reached_by_one(share))
    }

    /// Refuses a client that is not authenticated yet, because such clients have reached their share.
    pub fn busy_of_strangers(limit: Limit, share: usize) -> Self {
        Self::new(Code::Unavailable, limit.reached_by_strangers(share))
    }

    /// Refuses a request because its client, or all clients of its kind, send too many. It can try again after a time.
    pub fn too_many(message: impl Into<String>, retry_after: Duration) -> Self {
        let refused = Self::new(Code::Unavailable, message).with_status(StatusCode::TOO_MANY_REQUESTS);
        Self { retry_after: Some(retry_after), ..refused }
    }

    /// Refuses a body that is too large.
    pub fn too_large(limit: Limit, most: usize) -> Self {
        Self::new(Code::Invalid, limit.passed(most)).with_status(StatusCode::PAYLOAD_TOO_LARGE)
    }

    /// Refuses a line of a body with more values than any request can have.
    pub fn line_with_values(number: u64, values: usize, most: usize) -> Self {
        let name = Limit::Values.name();
        Self::new(Code::TooComplex, format!("line {number} has {values} values; at most {most} are allowed ({name})"))
    }

    /// Refuses lines of a body that have too many values together.
    pub fn lines_with_values(number: u64, most: usize) -> Self {
        let message = format!(
            "the lines of one batch, up to line {number}, have more values than are allowed: {most} ({}); a blank line \
             counts as one",
            Limit::Values.name()
        );
        Self::new(Code::TooComplex, message)
    }

    /// Refuses an answer that was not complete in time.
    pub fn late(time: Duration) -> Self {
        let message = format!("the answer was not complete within {} s (limits.timeout)", time.as_secs());
        Self::new(Code::Timeout, message)
    }

    /// Refuses a body that did not arrive in time.
    pub fn slow(time: Duration) -> Self {
        let message = format!("the body did not arrive within {} s (limits.timeout)", time.as_secs());
        Self::new(Code::Timeout, message).with_status(StatusCode::REQUEST_TIMEOUT)
    }

    /// Refuses a body that arrives too slowly.
    pub fn crawling(rate: usize) -> Self {
        let message = format!("the body arrived more slowly than {rate} bytes a second");
        Self::new(Code::Timeout, message).with_status(StatusCode::REQUEST_TIMEOUT)
    }

    /// Refuses a body that broke off.
    pub fn broken(error: &axum::Error) -> Self {
        Self::new(Code::Invalid, format!("the body cannot be read: {error}"))
    }

    /// Refuses a body of another media type than the one that the server reads.
    pub fn media_type(expected: &str) -> Self {
        let message = format!("the body must be {expected}");
        Self::new(Code::Invalid, message).with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE)
    }

    /// Returns the refusal as an error of GraphQL.
    pub fn error(&self) -> ServerError {
        let mut extensions = ErrorExtensionValues::default();
        extensions.set("code", self.code.as_str());
        self.details.iter().for_each(|(name, value)| extensions.set(*name, value.clone()));
        ServerError { extensions: Some(extensions), ..ServerError::new(self.message.clone(), self.position) }
    }
}

impl From<&Refusal> for Refused {
    fn from(refusal: &Refusal) -> Self {
        Self::new(refusal.code(), refusal.to_string())
    }
}

impl From<TokenError> for Refused {
    fn from(error: TokenError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<Forbidden> for Refused {
    fn from(forbidden: Forbidden) -> Self {
        Self::new(forbidden.code(), forbidden.to_string())
    }
}

impl From<TooMany> for Refused {
    fn from(error: TooMany) -> Self {
        Self::new(Code::Unavailable, error.to_string())
    }
}

impl From<ViewError> for Refused {
    fn from(error: ViewError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<Unread> for Refused {
    fn from(unread: Unread) -> Self {
        Self::new(Code::Invalid, unread.to_string())
    }
}

impl From<Excess> for Refused {
    fn from(excess: Excess) -> Self {
        let position = match excess {
            Excess::Unclosed(position) | Excess::LongName(position) => Some(position),
            Excess::TooDeep | Excess::TooLong { .. } => None,
        };
        Self { position, ..Self::request_error(excess.code(), excess.to_string()) }
    }
}

impl From<ExpansionError> for Refused {
    fn from(error: ExpansionError) -> Self {
        Self::request_error(error.code(), error.to_string())
    }
}

impl From<CoercionError> for Refused {
    fn from(error: CoercionError) -> Self {
        Self::request_error(error.code(), error.to_string())
    }
}

impl From<FilterError> for Refused {
    fn from(error: FilterError) -> Self {
        Self::request_error(error.code(), error.to_string()).with("field", error.path())
    }
}

impl From<OperationError> for Refused {
    fn from(error: OperationError) -> Self {
        Self::request_error(error.code(), error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_status_of_http() {
        for code in Code::ALL {
            let status = StatusCode::from_u16(code.status()).expect("a status");
            assert_eq!(Refused::new(*code, "no").status, Status::Is(status), "{code}");
            assert!(status.canonical_reason().is_some(), "{status}");
        }
    }

    #[test]
    fn an_error_has_the_code_and_further_extensions() {
        let refused = Refused::request_error(Code::Timeout, "late").with("minRevision", 7);
        let error = serde_json::to_value(refused.error()).expect("JSON");
        let extensions = serde_json::json!({"code": "TIMEOUT", "minRevision": 7});
        assert_eq!(error, serde_json::json!({"message": "late", "extensions": extensions}));
    }
}
