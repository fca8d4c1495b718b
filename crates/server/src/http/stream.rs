//! `/graphql/stream`: GraphQL over Server-Sent Events, in the distinct connections mode of
//! <https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md>. Each request has one operation. Clients use it where
//! WebSocket is not available.

use std::convert::Infallible;
use std::time::Duration;

use async_graphql::parser::types::OperationType;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use futures_util::stream::{StreamExt as _, iter, unfold};
use tokio::time::timeout;

use super::admission::Subscribed;
use super::json_answer::Written;
use super::live::{Delivery, Live, LiveOutput, delivery};
use super::open::{Open, stopped};
use super::refusal::Refused;
use super::request::{self, Received};
use super::response::{self, accepts, errors, not_begun};
use super::{Service, execute, identity, min_revision};
use underlay_engine::access::Channel;
use underlay_error::Code;

/// The media type of an event stream.
const EVENT_STREAM: &str = "text/event-stream";
/// A comment, which clients ignore.
const COMMENT: &[u8] = b":\n\n";
/// The text before the data of an event with an answer, and after it.
const EVENT_BEGIN: &[u8] = b"event: next\ndata: ";
const EVENT_END: &[u8] = b"\n\n";
/// The number of bytes up to which an answer is copied into its event.
const MAX_COPIED_BYTES: usize = 16 * 1024;
/// The number of bytes of a longer answer that are sent at a time.
const PART_BYTES: usize = 16 * 1024;
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
    let open = service.open.begin(&asker.caller)?;
    let size = parsed.size;
    match size.run(|| delivery(parsed, &asker)) {
        Ok(Delivery::Once(parsed)) => {
            let current = min_revision::reached(&asker.view.current, &parsed.request).await?;
            let answer = execute::execute(&service, asker, *parsed, current).await;
            if answer.is_refusal() {
                return Ok(not_begun(&answer.errors().bytes));
            }
            let mut event = event(answer.json());
            event.push(Bytes::from_static(COMPLETE));
            Ok(stream(Body::from_stream(iter(event).map(Ok::<_, Infallible>))))
        }
        Ok(Delivery::Live(request)) => {
            // It can last for any time, so it counts as a subscription from now on, and not as a request.
            let mut body = admitted.into_body();
            request.take_copies(&mut body)?;
            let subscribed = service.admission.subscription(body)?;
            let token = identity::bearer(headers)?.map(str::to_owned);
            let (own, keep_alive) = (service.clone(), service.timing.keep_alive);
            let mut live = Live::new(service, request);
            match live.begun().await {
                Err(LiveOutput::Failed(errors)) => Ok(not_begun(&errors)),
                Err(LiveOutput::Next { .. }) | Ok(()) => {
                    let refusal = identity::refusal(&own, token, asker.caller);
                    Ok(stream(Body::from_stream(events(live, open, subscribed, (refusal, keep_alive)))))
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
    (refusal, keep_alive): (BoxFuture<'static, Refused>, Duration),
) -> impl futures_util::Stream<Item = Result<Bytes, Infallible>> {
    let (stopping, held) = (open.stopping(), (open, subscribed));
    let events = unfold(Some((live, stopping, held, refusal)), move |state| async move {
        let (mut live, mut stopping, held, mut refusal) = state?;
        let output = tokio::select! {
            () = stopped(&mut stopping) => return None,
            refused = &mut refusal => Ok(Some(LiveOutput::Failed(errors(&refused)))),
            output = timeout(keep_alive, live.next()) => output,
        };
        let (parts, goes_on) = match output {
            Ok(Some(LiveOutput::Next { answer, .. })) => (event(answer), true),
            // Errors that end a running subscription are sent as a last answer without data.
            Ok(Some(LiveOutput::Failed(errors))) => {
                let answer = [b"{\"data\":null,\"errors\":", &*errors, b"}"].concat();
                (vec![[EVENT_BEGIN, &answer, EVENT_END, COMPLETE].concat().into()], false)
            }
            Ok(None) => (vec![Bytes::from_static(COMPLETE)], false),
            Err(_) => (vec![Bytes::from_static(COMMENT)], true),
        };
        Some((iter(parts).map(Ok), goes_on.then_some((live, stopping, held, refusal))))
    });
    events.flatten()
}

/// Returns an answer as an event, in parts. Only a short answer is copied. The JSON that serde_json writes has one
/// line.
fn event(answer: Written) -> Vec<Bytes> {
    if answer.bytes.len() < MAX_COPIED_BYTES {
        return vec![[EVENT_BEGIN, &answer.bytes, EVENT_END].concat().into()];
    }
    let begin = std::iter::once(Bytes::from_static(EVENT_BEGIN));
    begin.chain(answer.parts(PART_BYTES)).chain([Bytes::from_static(EVENT_END)]).collect()
}
