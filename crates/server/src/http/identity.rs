//! This module authenticates the caller of a request, and finds the view that the caller has.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use futures_util::future::BoxFuture;

use super::refusal::Refused;
use super::{Service, conversation};
use underlay_engine::access::{Caller, Channel, TokenError};
use underlay_engine::feed::View;

/// An authenticated caller with its view of the inventory.
#[derive(Clone, Debug)]
pub struct Asker {
    /// The authenticated caller.
    pub caller: Arc<Caller>,
    /// The view of the inventory that the caller may see.
    pub view: Arc<View>,
    /// The protection of the connection on which the caller asks.
    pub channel: Channel,
}

impl Asker {
    /// Returns the caller as one that asks on a connection with this protection.
    pub fn over(self, channel: Channel) -> Self {
        Self { channel, ..self }
    }
}

/// Authenticates a request by its headers. Callers that may not read are rejected, so they get no answers at all.
pub async fn of(service: &Service, headers: &HeaderMap) -> Result<Arc<Caller>, Refused> {
    authenticated(service, bearer(headers)?).await
}

/// Authenticates a request that may be a mutation of a caller who may not read. Whoever executes something else for the
/// caller checks that it may read.
pub async fn of_call(service: &Service, headers: &HeaderMap) -> Result<Arc<Caller>, Refused> {
    let caller = service.trust.caller(bearer(headers)?).await?;
    conversation::authenticated();
    caller.calls()?;
    Ok(caller)
}

/// Authenticates a token. Callers that may not read are rejected.
pub async fn authenticated(service: &Service, token: Option<&str>) -> Result<Arc<Caller>, Refused> {
    let caller = service.trust.caller(token).await?;
    conversation::authenticated();
    caller.reads()?;
    Ok(caller)
}

/// Adds the view of the inventory to a caller. The connection counts as plain.
pub async fn seeing(service: &Service, caller: Arc<Caller>) -> Result<Asker, Refused> {
    let view = service.views.of(caller.tenant()).await?;
    Ok(Asker { caller, view, channel: Channel::Plain })
}

/// Returns the token in the header, if there is one.
pub fn bearer(headers: &HeaderMap) -> Result<Option<&str>, TokenError> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => token(value.to_str().map_err(|_| TokenError::Header)?).map(Some),
        (Some(_), Some(_)) => Err(TokenError::Header),
    }
}

/// Returns the token in the value of such a header.
pub fn token(text: &str) -> Result<&str, TokenError> {
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty() => Ok(token.trim()),
        _ => Err(TokenError::Header),
    }
}

/// Waits until the token of a caller is no longer accepted, and returns the reason. The future owns all that it needs,
/// so it can be kept with a connection.
pub fn refusal(service: &Service, token: Option<String>, caller: Arc<Caller>) -> BoxFuture<'static, Refused> {
    let (trust, interval) = (Arc::clone(&service.trust), service.timing.token_check);
    Box::pin(async move { trust.refusal(token.as_deref(), &caller, interval).await.into() })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

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
