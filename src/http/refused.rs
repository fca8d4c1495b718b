//! What is answered to a request that is not executed: to somebody who is not known or may not read, where a limit is
//! reached, where nothing can be made of what was sent.

use std::time::Duration;

use async_graphql::ServerError;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::body::Unread;
use super::execute::with;
use super::graphql::refused_with;
use super::limits::Limit;
use crate::access::{Forbidden, TokenError};
use crate::feed::ViewError;
use underlay_inventory::{Code, Refusal};

/// When somebody may come back, in seconds, whom there is no room for, or whose issuer is away.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

/// Why somebody is not answered.
#[derive(Clone, Debug)]
pub struct Refused {
    pub status: StatusCode,
    pub code: Code,
    pub message: String,
}

impl Refused {
    /// Returns a refusal with a status, a code and a message.
    pub fn new(status: StatusCode, code: Code, message: String) -> Self {
        Self { status, code, message }
    }

    /// Returns the refusal of a batch as a whole.
    pub fn of(refusal: &Refusal) -> Self {
        let code = refusal.code();
        let status = match code {
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::Duplicate | Code::StaleVersion => StatusCode::CONFLICT,
            Code::BatchTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::Timeout => StatusCode::GATEWAY_TIMEOUT,
            Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        };
        Self::new(status, code, refusal.to_string())
    }

    /// That as much runs as may.
    pub fn busy(limit: Limit, most: usize) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable, limit.reached(most))
    }

    /// That as much of one caller runs as may.
    pub fn busy_of_one(limit: Limit, share: usize) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable, limit.reached_by_one(share))
    }

    /// That a body is too large.
    pub fn too_large(limit: Limit, most: usize) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, Code::Invalid, limit.passed(most))
    }

    /// That a body did not come in time.
    pub fn slow(time: Duration) -> Self {
        let message = format!("the body did not come within {} s (limits.timeout)", time.as_secs());
        Self::new(StatusCode::REQUEST_TIMEOUT, Code::Timeout, message)
    }

    /// That a body comes in too small pieces.
    pub fn crawling(rate: usize) -> Self {
        let message = format!("the body came slower than {rate} bytes a second");
        Self::new(StatusCode::REQUEST_TIMEOUT, Code::Timeout, message)
    }

    /// That a body did not come to its end.
    pub fn broken(error: &axum::Error) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Code::Invalid, format!("the body cannot be read: {error}"))
    }

    /// That a body is no request.
    pub fn unread(unread: &Unread) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Code::Invalid, unread.to_string())
    }

    /// That the time of a token is over.
    pub fn expired() -> Self {
        TokenError::Expired.into()
    }

    /// As an error of GraphQL.
    pub fn error(&self) -> ServerError {
        with(self.code, self.message.clone())
    }

    /// The answer to a request that is none of GraphQL.
    pub fn plain(self) -> Response {
        let text = format!("{}\n", self.message);
        self.with_headers((self.status, text).into_response())
    }

    /// The answer to a request of GraphQL.
    pub fn answer(self, headers: &HeaderMap) -> Response {
        let response = refused_with(headers, self.status, self.error());
        self.with_headers(response)
    }

    fn with_headers(&self, mut response: Response) -> Response {
        match self.status {
            StatusCode::UNAUTHORIZED => {
                response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
            }
            StatusCode::SERVICE_UNAVAILABLE => response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER),
            _ => None,
        };
        response
    }
}

impl From<TokenError> for Refused {
    fn from(error: TokenError) -> Self {
        match error.is_for_now() {
            true => Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable, error.to_string()),
            false => Self::new(StatusCode::UNAUTHORIZED, Code::Unauthenticated, error.to_string()),
        }
    }
}

impl From<Forbidden> for Refused {
    fn from(forbidden: Forbidden) -> Self {
        Self::new(StatusCode::FORBIDDEN, Code::Forbidden, forbidden.to_string())
    }
}

impl From<ViewError> for Refused {
    fn from(error: ViewError) -> Self {
        match error {
            ViewError::TooMany | ViewError::NotYet => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable, error.to_string())
            }
            ViewError::Failed => Self::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, error.to_string()),
        }
    }
}
