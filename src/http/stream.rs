//! `/graphql/stream`: GraphQL over Server-Sent Events, in the distinct connections mode of
//! <https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md>. Each request has one operation. Clients use it where
//! WebSocket is not available.

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
use super::identity::expired;
use super::live::{Delivery, Live, LiveOutput, delivery};
use super::open::{MOST_OF_TENANT, Open, stopped};
use super::refused::Refused;
use super::request::{self, Received};
use super::response::{self, accepts, errors, not_begun};
use super::{Service, execute, min_revision};
use crate::access::{Caller, Channel};
use underlay_error::Code;

/// The media type of an event stream.
const EVENT_STREAM: &str = "text/event-stream";
/// The longest time in which nothing is sent, so that no proxy takes the connection for dead.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(12);
/// A comment, which clients ignore.
const COMMENT: &[u8] = b":\n\n";
/// The event that ends an operation.
const COMPLETE: &[u8] = b"event: complete\ndata:\n\n";

/// Answers an operation in the URL.
pub async fn get(State(service): State<Service>, channel: Channel, address: Uri, headers: HeaderMap) -> Response {
    let may_do = [OperationType::Query, OperationType::Subscription];
    match request::in_address(&service, &headers, &address, &may_do).await {
        Ok(Some(received)) => answer(service, received.over(channel), &headers).await,
        Ok(None) => response::refusal(&headers, &request::no_query()),
        Err(refused) => response::refusal(&headers, &refused),
    }
}

/// Answers an operation in the body.
pub async fn post(State(service): State<Service>, channel: Channel, headers: HeaderMap, body: Body) -> Response {
    match request::in_body(&service, &headers, body).await {
        Ok(received) => answer(service, received.over(channel), &headers).await,
        Err(refused) => response::refusal(&headers, &refused),
    }
}

async fn answer(service: Service, received: Received, headers: &HeaderMap) -> Response {
    match try_answer(service, received, headers).await {
        Ok(response) => response,
        Err(refused) => response::refusal(headers, &refused),
    }
}

async fn try_answer(service: Service, received: Received, headers: &HeaderMap) -> Result<Response, Refused> {
    let Received { asker, parsed, admitted, .. } = received;
    if !accepts(headers, EVENT_STREAM) && !accepts(headers, "*/*") {
        let message = "the answer is an event stream, with the header accept: text/event-stream";
        return Err(Refused::new(Code::Invalid, message).with_status(StatusCode::NOT_ACCEPTABLE));
    }
    let mut open = service.open.begin().ok_or_else(Refused::too_many_connections)?;
    if !open.is_of(asker.caller.tenant()) {
        let message =
            format!("the tenant has too many connections for subscriptions: at most {MOST_OF_TENANT} are allowed");
        return Err(Refused::new(Code::Unavailable, message));
    }
    match delivery(parsed, &asker) {
        Ok(Delivery::Once(parsed)) => {
            let current = min_revision::reached(&asker.view.current, &parsed.request).await?;
            let answer = execute::execute(&service, asker, *parsed, current).await;
            if answer.is_refusal() {
                return Ok(not_begun(&answer.errors().bytes));
            }
            Ok(stream(answer.json().around(|answer| [&next(answer), COMPLETE].concat()).into()))
        }
        Ok(Delivery::Live(request)) => {
            // It can last for any time, so it counts as a subscription from now on, and not as a request.
            let subscribed = service.admission.subscription(admitted.into_body())?;
            let mut live = Live::new(service, request);
            match live.begun().await {
                Err(LiveOutput::Failed(errors)) => Ok(not_begun(&errors)),
                Err(LiveOutput::Next { .. }) | Ok(()) => {
                    Ok(stream(Body::from_stream(events(live, open, subscribed, asker.caller))))
                }
            }
        }
        Err(refused) => Ok(not_begun(&errors(&refused))),
    }
}

fn stream(events: Body) -> Response {
    let headers: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, "text/event-stream; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        // Some proxies buffer answers unless this header forbids it.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, events).into_response()
}

/// Returns a subscription as events. When the server stops, the stream ends without `complete`, so that the client
/// reconnects.
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
            () = expired(&caller) => Ok(Some(LiveOutput::Failed(errors(&Refused::expired())))),
            event = timeout(KEEP_ALIVE_INTERVAL, live.next()) => event,
        };
        match event {
            Ok(Some(LiveOutput::Next { bytes, .. })) => {
                Some((Ok(next(&bytes).into()), Some((live, stopping, held, caller))))
            }
            // Errors that end a running subscription are sent as a last answer without data.
            Ok(Some(LiveOutput::Failed(errors))) => {
                let answer = [b"{\"data\":null,\"errors\":", &*errors, b"}"].concat();
                Some((Ok([next(&answer), COMPLETE.to_vec()].concat().into()), None))
            }
            Ok(None) => Some((Ok(Bytes::from_static(COMPLETE)), None)),
            Err(_) => Some((Ok(Bytes::from_static(COMMENT)), Some((live, stopping, held, caller)))),
        }
    })
}

/// Returns an answer as an event. The JSON that serde_json writes has one line.
fn next(answer: &[u8]) -> Vec<u8> {
    [b"event: next\ndata: ", answer, b"\n\n"].concat()
}
