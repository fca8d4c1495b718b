//! The way in which the person in front of the console gets in, and the version of the server.

use axum::Extension;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::login::Login;
use crate::http::Service;
use crate::http::json_answer::json;
use crate::http::local_peer::{self, Ends};
use crate::http::origin;
use crate::http::refusal::Refused;
use crate::http::response;
use underlay_error::Code;

/// The answer to `GET /console/session`.
#[derive(Serialize)]
struct Session<'a> {
    version: &'static str,
    #[serde(flatten)]
    sign_in: SignIn<'a>,
}

/// The way in which a user of the console signs in. Its name is the member `way`.
#[derive(Serialize)]
#[serde(tag = "way", rename_all = "camelCase")]
enum SignIn<'a> {
    /// The server does not authenticate requests: no token is needed.
    Open,
    /// The user who runs the server asks from the same machine, and gets a token.
    Local { token: String },
    /// People sign in at an issuer.
    Oidc { oidc: &'a Login },
    /// People bring a token.
    Token,
}

/// Answers the console's question for a way in. Pages of other origins are refused.
pub async fn session(State(service): State<Service>, Extension(ends): Extension<Ends>, asked: Parts) -> Response {
    if !origin::is_own_page(&asked.headers) {
        let message = "only the console of this server may ask for its session";
        return response::refusal_in_text(&Refused::new(Code::Forbidden, message));
    }
    let session = Session { version: env!("CARGO_PKG_VERSION"), sign_in: sign_in(&service, ends, &asked) };
    let headers: [(HeaderName, &str); 4] = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    (headers, json(&session)).into_response()
}

fn sign_in<'a>(service: &'a Service, ends: Ends, asked: &Parts) -> SignIn<'a> {
    if !service.trust.asks() {
        return SignIn::Open;
    }
    if let Some(key) = service.own_key.as_ref().filter(|_| local_peer::is_page_of_own_user(ends, asked))
        && let Some(token) = local_peer::token(key, service.page_role)
    {
        return SignIn::Local { token };
    }
    service.login.as_deref().map_or(SignIn::Token, |oidc| SignIn::Oidc { oidc })
}
