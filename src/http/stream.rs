//! `/graphql/stream`: GraphQL over Server-Sent Events, in the distinct connections mode of
//! <https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md>: one request, one operation, for those whom
//! WebSocket does not reach.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::parser::types::OperationType;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use tokio::time::timeout;

use super::admission::Subscribed;
use super::graphql::{accepts, refused, refused_with};
use super::identity::expired;
use super::live::{Live, Operation, Output, operation};
use super::open::{MOST_OF_TENANT, Open, stopped};
use super::receive::{self, Received};
use super::refused::Refused;
use super::{Service, execute, min_revision};
use crate::access::Caller;

/// What an event stream is.
const EVENT_STREAM: &str = "text/event-stream";
/// How often something is sent at least, so that nobody on the way takes the connection for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(12);
/// A comment, which clients leave out.
const COMMENT: &[u8] = b":\n\n";
/// The end of an operation.
const COMPLETE: &[u8] = b"event: complete\ndata:\n\n";

/// An operation in the address.
pub async fn get(State(service): State<Service>, address: Uri, headers: HeaderMap) -> Response {
    let may_do = [OperationType::Query, OperationType::Subscription];
    match receive::in_address(&service, &headers, &address, &may_do).await {
        Ok(Some(received)) => answer(service, received, &headers).await,
        Ok(None) => receive::no_query(&headers),
        Err(response) => response,
    }
}

/// An operation in the body.
pub async fn post(State(service): State<Service>, headers: HeaderMap, body: Body) -> Response {
    match receive::in_body(&service, &headers, body).await {
        Ok(received) => answer(service, received, &headers).await,
        Err(response) => response,
    }
}

async fn answer(service: Service, received: Received, headers: &HeaderMap) -> Response {
    let Received { asker, request, admitted, .. } = received;
    if !accepts(headers, EVENT_STREAM) && !accepts(headers, "*/*") {
        let what = "the answer is an event stream, with the header accept: text/event-stream";
        return refused(headers, StatusCode::NOT_ACCEPTABLE, what);
    }
    let Some(mut open) = service.open.begin() else {
        let what = "there are too many connections: try again later";
        return refused(headers, StatusCode::SERVICE_UNAVAILABLE, what);
    };
    if !open.is_of(asker.caller.tenant()) {
        let what =
            format!("the tenant has too many connections for subscriptions: at most {MOST_OF_TENANT} are allowed");
        return refused(headers, StatusCode::SERVICE_UNAVAILABLE, &what);
    }
    match operation(request, &asker) {
        Ok(Operation::Once(request)) => {
            let newest = match min_revision::reached(&asker.view.newest, &request).await {
                Ok(newest) => newest,
                Err((status, error)) => return refused_with(headers, status, error),
            };
            let answer = execute::execute(&service, asker, *request, newest).await;
            if answer.is_refusal() {
                return failed(&answer.errors().bytes);
            }
            stream(answer.json().around(|answer| [&next(answer), COMPLETE].concat()).into())
        }
        Ok(Operation::Live(asked)) => {
            // It may last for ever: it is a subscription now, and no request.
            let subscribed = match service.admission.subscription(admitted.into_body()) {
                Ok(subscribed) => subscribed,
                Err(refused) => return refused.answer(headers),
            };
            let mut live = Live::new(service, asked);
            match live.begun().await {
                Err(Output::Failed(errors)) => failed(&errors),
                Err(Output::Next { .. }) | Ok(()) => {
                    stream(Body::from_stream(events(live, open, subscribed, asker.caller)))
                }
            }
        }
        Err(error) => failed(&execute::errors(error)),
    }
}

/// What is refused before it begins is refused as any request.
fn failed(errors: &[u8]) -> Response {
    let body = [b"{\"errors\":", errors, b"}"].concat();
    let media = "application/json; charset=utf-8";
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, media)], body).into_response()
}

fn stream(events: Body) -> Response {
    let headers: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, "text/event-stream; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        // Proxies that collect answers before they pass them on.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, events).into_response()
}

/// A subscription as events. When the server stops it ends without `complete`, so that the client comes back.
fn events(
    live: Live,
    open: Open,
    subscribed: Subscribed,
    caller: Arc<Caller>,
) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> {
    let (stopping, held) = (open.stopping(), (open, subscribed));
    unfold(Some((live, stopping, held, caller)), |state| async {
        let (mut live, mut stopping, held, caller) = state?;
        let event = tokio::select! {
            () = stopped(&mut stopping) => return None,
            () = expired(&caller) => Ok(Some(Output::Failed(execute::errors(Refused::expired().error())))),
            event = timeout(KEEP_ALIVE, live.next()) => event,
        };
        match event {
            Ok(Some(Output::Next { bytes, .. })) => {
                Some((Ok(next(&bytes).into()), Some((live, stopping, held, caller))))
            }
            // Errors after the beginning are an answer without data, and the last one.
            Ok(Some(Output::Failed(errors))) => {
                let answer = [b"{\"data\":null,\"errors\":", &*errors, b"}"].concat();
                Some((Ok([next(&answer), COMPLETE.to_vec()].concat().into()), None))
            }
            Ok(None) => Some((Ok(Bytes::from_static(COMPLETE)), None)),
            Err(_) => Some((Ok(Bytes::from_static(COMMENT)), Some((live, stopping, held, caller)))),
        }
    })
}

/// An answer as an event. JSON that serde_json writes is one line.
fn next(answer: &[u8]) -> Vec<u8> {
    [b"event: next\ndata: ", answer, b"\n\n"].concat()
}
