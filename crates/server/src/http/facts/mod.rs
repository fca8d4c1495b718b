//! `POST /facts`: the agent of a host reports its hardware ([`underlay_facts::Message`]). `POST /facts/enrol`: the agent of a
//! machine gets the token with which it reports ([`underlay_facts::EnrolRequest`]). `POST /facts/recorder/{token}`: OpenStack's
//! recorder on a host reports its hardware ([`underlay_facts::Recording`]).
//!
//! Guarantees: facts are stored before they are accepted. Nothing of a body is read before its token is known, and the
//! bodies that are read at a time are bounded by themselves, so agents take no place of other callers. What is refused
//! changes nothing: the last facts stay.

mod body;
mod enrol;
mod recorder;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use chrono::Utc;
use underlay_engine::facts::{FactsError, TokenRefusal};
use underlay_entity::facts::FactsOrigin;
use underlay_error::Code;
use underlay_facts::{Answer, Message, Outcome, Unfit};
use uuid::Uuid;

use self::body::Coding;
use super::refusal::Refused;
use super::{Service, conversation, identity, response};

/// Returns the routes.
pub fn routes() -> Router<Service> {
    Router::new()
        .route("/facts", post(receive))
        .route("/facts/enrol", post(enrol::receive))
        .route("/facts/recorder/{token}", post(recorder::receive))
}

async fn receive(State(service): State<Service>, headers: HeaderMap, body: Body) -> Response {
    match answer(&service, &headers, body).await {
        Ok(answer) => (StatusCode::OK, Json(answer)).into_response(),
        Err(refused) => response::refusal(&headers, &refused),
    }
}

async fn answer(service: &Service, headers: &HeaderMap, body: Body) -> Result<Answer, Refused> {
    let coding = Coding::of(headers)?;
    let host = reporting_host(service, headers)?;
    conversation::authenticated();
    let message = body::read(service, coding, body, Message::read).await?;
    message.check(Utc::now())?;
    let outcome = accept(service, host, message).await?;
    Ok(Answer { outcome, every_seconds: every_seconds(service) })
}

/// Returns the time between two reports that agents are asked for, in seconds.
fn every_seconds(service: &Service) -> u32 {
    u32::try_from(service.facts.period().as_secs()).unwrap_or(u32::MAX)
}

/// Returns the host that the token in the headers is for.
fn reporting_host(service: &Service, headers: &HeaderMap) -> Result<Uuid, Refused> {
    host_of(service, identity::bearer(headers)?.ok_or(TokenRefusal::NoToken)?)
}

/// Returns the host that a token is for.
fn host_of(service: &Service, token: &str) -> Result<Uuid, Refused> {
    let host = service.facts.host_of_token(token)?;
    match service.sources.current().find(host) {
        Some(_) => Ok(host),
        None => Err(Refused::new(Code::NotFound, "the host of this token was deleted")),
    }
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

impl From<Unfit> for Refused {
    fn from(reason: Unfit) -> Self {
        unfit(reason.to_string())
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
