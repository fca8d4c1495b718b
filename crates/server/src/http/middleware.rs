//! The middleware around every request. It gives the request an id in the log and in the answer, answers requests that
//! panic, and admits pages of other origins.

use std::any::Any;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tracing::{Instrument as _, debug, error, info_span};
use uuid::Uuid;

use super::refusal::Refused;
use super::response;
use underlay_error::Code;

/// The header with the id of a request. A client that already has an id sends it.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest id that is accepted from a client, in bytes.
const MAX_ID_BYTES: usize = 100;
/// The word in the path of a recorder's report that comes before its token, and the beginning of a token.
const RECORDER: &str = "recorder";
const AGENT_TOKEN: &str = "underlay-agent-";

/// Adds the middleware to the routes. Pages of the origins may read answers of `routes`, but none of `own`.
pub fn wrap(own: Router, routes: Router, origins: &[String]) -> Router {
    let guarded = |routes: Router| routes.layer(CatchPanicLayer::custom(broken));
    let routes = guarded(routes);
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|origin| origin.parse().ok()).collect();
    let routes = match origins.is_empty() {
        true => routes,
        false => routes.layer(
            CorsLayer::new()
                .allow_origin(AllowOrigin::list(origins))
                .allow_methods([Method::GET, Method::POST])
                .allow_headers([header::ACCEPT, header::AUTHORIZATION, header::CONTENT_TYPE, REQUEST_ID])
                .expose_headers([REQUEST_ID]),
        ),
    };
    guarded(own).merge(routes).layer(from_fn(identified))
}

/// Gives a request an id, which appears in the answer and in every line of the log about the request.
async fn identified(request: Request, next: Next) -> Response {
    let sent = request.headers().get(&REQUEST_ID).filter(|id| fits(id)).cloned();
    let id = sent.or_else(|| HeaderValue::from_str(&Uuid::new_v4().to_string()).ok());
    let Some(id) = id else { return next.run(request).await };
    let span = info_span!("request", id = id.to_str().unwrap_or_default());
    let (method, path) = (request.method().clone(), shown(request.uri().path()).to_owned());
    let mut response = async {
        let response = next.run(request).await;
        debug!(%method, path, status = response.status().as_u16(), "answered");
        response
    }
    .instrument(span)
    .await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// Returns the part of a path that the log may have. The path of a recorder's report ends with a token, also where somebody
/// wrote the rest of it wrong.
fn shown(path: &str) -> &str {
    let of_recorder = path.find(RECORDER).map(|at| at + RECORDER.len());
    let end = of_recorder.into_iter().chain(path.find(AGENT_TOKEN)).min().unwrap_or(path.len());
    &path[..end]
}

/// Returns true if an id can be written to the log unchanged.
fn fits(id: &HeaderValue) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=MAX_ID_BYTES).contains(&id.len()) && id.as_bytes().iter().all(is_plain)
}

/// Answers a request that panicked. The answer reveals no internals.
fn broken(reason: Box<dyn Any + Send + 'static>) -> Response {
    let text = reason.downcast_ref::<String>().map(String::as_str).or_else(|| reason.downcast_ref::<&str>().copied());
    error!(reason = text.unwrap_or("unknown"), "a request panicked");
    let message = "the server met a bug: its log has the details under the id of the request";
    response::refusal(&HeaderMap::new(), &Refused::new(Code::Internal, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_in_paths_are_not_shown() {
        for (path, expected) in [
            ("/graphql", "/graphql"),
            ("/", "/"),
            ("/facts/recorder/underlay-agent-7-x", "/facts/recorder"),
            ("/facts/recorder/7-x", "/facts/recorder"),
            ("/facts%2Frecorder%2F7-x", "/facts%2Frecorder"),
            ("//facts/recorders/é/7-x", "//facts/recorder"),
            ("/facts/underlay-agent-7-x/recorder", "/facts/"),
        ] {
            assert_eq!(shown(path), expected);
        }
    }

    #[test]
    fn ids_that_are_taken_over_are_plain() {
        for (id, taken) in [("a-1_b.2:c", true), ("a b", false), ("a\"b", false), ("", false)] {
            assert_eq!(fits(&HeaderValue::from_static(id)), taken, "{id}");
        }
        assert!(!fits(&HeaderValue::from_str(&"a".repeat(MAX_ID_BYTES + 1)).expect("a value")));
    }
}
