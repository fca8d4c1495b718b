//! Who sends a request, and what is answered to somebody who is not known or may not read.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_graphql::ServerError;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Service;
use super::body::Unread;
use super::execute::with;
use super::graphql::refused_with;
use super::limits::Limit;
use crate::access::{Caller, Forbidden, TokenError};
use crate::feed::{View, ViewError};
use crate::inventory::Code;

/// When somebody whose issuer is away may come back, in seconds.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

/// Somebody who asks, and what they see.
#[derive(Clone, Debug)]
pub struct Asker {
    /// Who it is.
    pub caller: Arc<Caller>,
    /// What they see.
    pub view: Arc<View>,
}

/// Why somebody is not answered.
#[derive(Debug)]
pub struct Refused {
    pub status: StatusCode,
    code: Code,
    pub message: String,
}

impl Refused {
    fn new(status: StatusCode, code: Code, message: String) -> Self {
        Self { status, code, message }
    }

    /// That as much runs as may.
    pub fn busy(limit: Limit, most: usize) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable, limit.reached(most))
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

    /// That a body did not come to its end.
    pub fn broken(error: &axum::Error) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Code::Invalid, format!("the body cannot be read: {error}"))
    }

    /// That a body is no request.
    pub fn unread(unread: &Unread) -> Self {
        let code = match unread {
            Unread::NoRequest(_) => Code::Invalid,
            Unread::TooDeep | Unread::TooLong { .. } => Code::TooComplex,
        };
        Self::new(StatusCode::BAD_REQUEST, code, unread.to_string())
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

/// Who sends a request with these headers, if they may read: nothing is answered to anybody who may not.
pub async fn of(service: &Service, headers: &HeaderMap) -> Result<Arc<Caller>, Refused> {
    believed(service, bearer(headers)?).await
}

/// Who brings this token, if they may read.
pub async fn believed(service: &Service, token: Option<&str>) -> Result<Arc<Caller>, Refused> {
    let caller = service.trust.caller(token).await?;
    caller.reads()?;
    Ok(caller)
}

/// Somebody with what they see.
pub async fn seeing(service: &Service, caller: Arc<Caller>) -> Result<Asker, Refused> {
    let view = service.views.of(caller.tenant()).await?;
    Ok(Asker { caller, view })
}

/// The token in the header, if there is one.
pub fn bearer(headers: &HeaderMap) -> Result<Option<&str>, TokenError> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => token(value.to_str().map_err(|_| TokenError::Header)?).map(Some),
        (Some(_), Some(_)) => Err(TokenError::Header),
    }
}

/// The token in what such a header says.
pub fn token(text: &str) -> Result<&str, TokenError> {
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty() => Ok(token.trim()),
        _ => Err(TokenError::Header),
    }
}

/// Waits until somebody is not who they were any more.
pub async fn expired(caller: &Caller) {
    /// Clocks are set: nobody waits on one for longer.
    const GLANCE: Duration = Duration::from_secs(60);
    let Some(until) = caller.until() else { return std::future::pending().await };
    while let Ok(left) = until.duration_since(SystemTime::now()).map(|left| left.min(GLANCE)) {
        tokio::time::sleep(left.max(Duration::from_millis(1))).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_stands_in_one_header() {
        let found = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::AUTHORIZATION, HeaderValue::from_static(value));
            }
            bearer(&headers).map(|token| token.map(str::to_owned))
        };
        assert_eq!(found(&[]), Ok(None));
        assert_eq!(found(&["Bearer a.b.c"]), Ok(Some("a.b.c".to_owned())));
        assert_eq!(found(&["bearer  a.b.c "]), Ok(Some("a.b.c".to_owned())));
        for bad in [&["Basic a"][..], &["Bearer"], &["Bearer "], &["a.b.c"], &[""], &["Bearer a", "Bearer b"]] {
            assert_eq!(found(bad), Err(TokenError::Header), "{bad:?}");
        }
    }
}
