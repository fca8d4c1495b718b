//! `POST /facts`: the agent of a host reports its hardware ([`underlay_facts::Message`]).
//!
//! Guarantees: facts are stored before they are accepted. Nothing of a body is read before its token is known, and the
//! bodies that are read at a time are bounded by themselves, so agents take no place of other callers. What is refused
//! changes nothing: the last facts stay.

mod check;

use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use chrono::Utc;
use futures_util::StreamExt as _;
use tokio::time::timeout;
use tower_http::decompression::RequestDecompressionLayer;
use underlay_engine::facts::{FactsError, TokenRefusal};
use underlay_entity::facts::FactsOrigin;
use underlay_error::Code;
use underlay_facts::{Answer, MAX_MESSAGE_BYTES, Message, Outcome};
use uuid::Uuid;

use super::refusal::Refused;
use super::request::{Size, content_type};
use super::{Service, identity, response};

/// The media type of messages.
const JSON: &str = "application/json";
/// The time in which a body arrives.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// The greatest number of values in a message. A machine with a thousand interfaces and disks has a tenth of them.
const MAX_VALUES: usize = 100_000;

/// Returns the route. Bodies can be compressed with gzip.
pub fn routes() -> Router<Service> {
    Router::new().route("/facts", post(receive)).layer(RequestDecompressionLayer::new())
}

async fn receive(State(service): State<Service>, headers: HeaderMap, body: Body) -> Response {
    match answer(&service, &headers, body).await {
        Ok(answer) => (StatusCode::OK, Json(answer)).into_response(),
        Err(refused) => response::refusal(&headers, &refused),
    }
}

async fn answer(service: &Service, headers: &HeaderMap, body: Body) -> Result<Answer, Refused> {
    if !content_type(headers).eq_ignore_ascii_case(JSON) {
        return Err(Refused::media_type("JSON, with the header content-type: application/json"));
    }
    let host = reporting_host(service, headers)?;
    let message = message_of(service, body).await?;
    check::message(&message, Utc::now())?;
    let outcome = accept(service, host, message).await?;
    let every_seconds = u32::try_from(service.facts.period().as_secs()).unwrap_or(u32::MAX);
    Ok(Answer { outcome, every_seconds })
}

/// Returns the host that the token in the headers is for.
fn reporting_host(service: &Service, headers: &HeaderMap) -> Result<Uuid, Refused> {
    let token = identity::bearer(headers)?.ok_or(TokenRefusal::NoToken)?;
    let host = service.facts.host_of_token(token)?;
    match service.sources.current().find(host) {
        Some(_) => Ok(host),
        None => Err(Refused::new(Code::NotFound, "the host of this token was deleted")),
    }
}

/// Reads the message in a body. Until it is read, the body has one of the places for bodies.
async fn message_of(service: &Service, body: Body) -> Result<Message, Refused> {
    let _place = service.facts.place_to_read()?;
    let text = text_of(body).await?;
    Size::of(text.len()).run(|| {
        let values = underlay_json::values(&text);
        if values > MAX_VALUES {
            let message = format!("the body has {values} values; at most {MAX_VALUES} are allowed");
            return Err(unfit(message));
        }
        Message::read(&text).map_err(|error| Refused::new(Code::Invalid, format!("the body is no report: {error}")))
    })
}

/// Reads a body, unpacked, within its bounds of size and time.
async fn text_of(body: Body) -> Result<Vec<u8>, Refused> {
    let read = async {
        let (mut parts, mut text) = (body.into_data_stream(), Vec::new());
        while let Some(part) = parts.next().await {
            let part = part.map_err(|error| Refused::broken(&error))?;
            if text.len() + part.len() > MAX_MESSAGE_BYTES {
                let message = format!("the body is larger than {MAX_MESSAGE_BYTES} bytes, unpacked");
                return Err(Refused::new(Code::Invalid, message).with_status(StatusCode::PAYLOAD_TOO_LARGE));
            }
            text.extend_from_slice(&part);
        }
        Ok(text)
    };
    timeout(BODY_TIMEOUT, read).await.unwrap_or_else(|_| Err(Refused::slow(BODY_TIMEOUT)))
}

async fn accept(service: &Service, host: Uuid, message: Message) -> Result<Outcome, Refused> {
    match message {
        Message::Unchanged(unchanged) => Ok(service.facts.hear(host, FactsOrigin::Agent, &unchanged)),
        Message::Report(report) => Ok(service.facts.accept(host, FactsOrigin::Agent, &report).await?),
    }
}

/// Refuses a message that can be read, and that this server does not take.
fn unfit(message: impl Into<String>) -> Refused {
    Refused::new(Code::Invalid, message).with_status(StatusCode::UNPROCESSABLE_ENTITY)
}

impl From<TokenRefusal> for Refused {
    fn from(refusal: TokenRefusal) -> Self {
        Self::new(Code::Unauthenticated, refusal.to_string())
    }
}

impl From<FactsError> for Refused {
    fn from(error: FactsError) -> Self {
        let message = error.to_string();
        match error {
            FactsError::Busy { retry_after } | FactsError::Restless { retry_after, .. } => {
                Self::too_many(message, retry_after)
            }
            FactsError::Unfit(_) => unfit(message),
            FactsError::NotStored | FactsError::Store(_) => Self::new(Code::Unavailable, message),
        }
    }
}
