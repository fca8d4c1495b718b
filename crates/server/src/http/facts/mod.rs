//! `POST /facts`: the agent of a host reports its hardware ([`underlay_facts::Message`]).
//!
//! Guarantees: facts are stored before they are accepted. Nothing of a body is read before its token is known, and the
//! bodies that are read at a time are bounded by themselves, so agents take no place of other callers. What is refused
//! changes nothing: the last facts stay.

mod check;

use std::io::Read as _;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use chrono::Utc;
use flate2::read::GzDecoder;
use futures_util::StreamExt as _;
use tokio::time::timeout;
use underlay_engine::facts::{FactsError, TokenRefusal};
use underlay_entity::facts::FactsOrigin;
use underlay_error::Code;
use underlay_facts::{Answer, MAX_MESSAGE_BYTES, Message, Outcome};
use uuid::Uuid;

use super::refusal::Refused;
use super::request::{Size, content_type};
use super::{Service, conversation, identity, response};

/// The media type of messages.
const JSON: &str = "application/json";
/// The time in which a body arrives.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// The greatest number of values in a message. A machine with a thousand interfaces and disks has a tenth of them.
const MAX_VALUES: usize = 100_000;

/// Returns the route.
pub fn routes() -> Router<Service> {
    Router::new().route("/facts", post(receive))
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
    let coding = Coding::of(headers)?;
    let host = reporting_host(service, headers)?;
    conversation::authenticated();
    let message = message_of(service, coding, body).await?;
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

/// The coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Plain,
    Gzip,
}

impl Coding {
    fn of(headers: &HeaderMap) -> Result<Self, Refused> {
        match headers.get(header::CONTENT_ENCODING).map(HeaderValue::as_bytes) {
            None => Ok(Self::Plain),
            Some(coding) if coding.eq_ignore_ascii_case(b"identity") => Ok(Self::Plain),
            Some(coding) if coding.eq_ignore_ascii_case(b"gzip") => Ok(Self::Gzip),
            Some(_) => Err(Refused::media_type("JSON, as it is or with the header content-encoding: gzip")),
        }
    }

    /// Returns a body as it was before it was coded.
    fn decode(self, body: Vec<u8>) -> Result<Vec<u8>, Refused> {
        if self == Self::Plain {
            return Ok(body);
        }
        let mut text = Vec::new();
        let most = MAX_MESSAGE_BYTES as u64 + 1;
        let read = GzDecoder::new(body.as_slice()).take(most).read_to_end(&mut text);
        read.map_err(|error| Refused::new(Code::Invalid, format!("the body is not compressed by gzip: {error}")))?;
        if text.len() > MAX_MESSAGE_BYTES { Err(too_large()) } else { Ok(text) }
    }
}

/// Reads the message in a body. Until it is read, the body has one of the places for bodies.
async fn message_of(service: &Service, coding: Coding, body: Body) -> Result<Message, Refused> {
    let _place = service.facts.place_to_read()?;
    let body = body_of(body).await?;
    Size::of(body.len()).run(|| {
        let text = coding.decode(body)?;
        let values = underlay_json::values(&text);
        if values > MAX_VALUES {
            return Err(unfit(format!("the body has {values} values; at most {MAX_VALUES} are allowed")));
        }
        Message::read(&text).map_err(|error| Refused::new(Code::Invalid, format!("the body is no report: {error}")))
    })
}

/// Reads a body, coded as it is, within its bounds of size and time.
async fn body_of(body: Body) -> Result<Vec<u8>, Refused> {
    let read = async {
        let (mut parts, mut bytes) = (body.into_data_stream(), Vec::new());
        while let Some(part) = parts.next().await {
            let part = part.map_err(|error| Refused::broken(&error))?;
            if bytes.len() + part.len() > MAX_MESSAGE_BYTES {
                return Err(too_large());
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    };
    timeout(BODY_TIMEOUT, read).await.unwrap_or_else(|_| Err(Refused::slow(BODY_TIMEOUT)))
}

fn too_large() -> Refused {
    let message = format!("the body is larger than {MAX_MESSAGE_BYTES} bytes, unpacked");
    Refused::new(Code::Invalid, message).with_status(StatusCode::PAYLOAD_TOO_LARGE)
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
