//! `POST /facts/enrol`: the agent of a machine gets the token with which it reports.
//!
//! Guarantee: the token that counts is that which the agent made and sent, so it can ask again if the answer was lost.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use chrono::Utc;
use underlay_engine::facts::{EnrolmentRefusal, EnrolmentToken, OwnToken};
use underlay_facts::{EnrolAnswer, EnrolRequest};
use underlay_kinds::facts::{EnrolError, EnrolledHost, enrol};

use super::body::{self, Coding};
use super::every_seconds;
use crate::http::refusal::Refused;
use crate::http::{Service, conversation, identity, response};

/// Answers a request.
pub async fn receive(State(service): State<Service>, headers: HeaderMap, body: Body) -> Response {
    match answer(&service, &headers, body).await {
        Ok(answer) => (StatusCode::OK, Json(answer)).into_response(),
        Err(refused) => response::refusal(&headers, &refused),
    }
}

async fn answer(service: &Service, headers: &HeaderMap, body: Body) -> Result<EnrolAnswer, Refused> {
    let coding = Coding::of(headers)?;
    let by = enrolment(service, headers).await?;
    conversation::authenticated();
    let EnrolRequest { token, report } = body::read(service, coding, body, EnrolRequest::read).await?;
    report.check(Utc::now())?;
    let own = OwnToken::parse(&token).map_err(EnrolError::from)?;

    let enrolled = enrol(&service.facts, &service.sources, &by, own, &report).await;
    let EnrolledHost { id, name } =
        enrolled.inspect_err(|error| tracing::info!(by = %by.id, "no agent enrolled: {error}"))?;
    tracing::info!(host = %id, by = %by.id, "an agent was enrolled");
    Ok(EnrolAnswer {
        host: underlay_facts::EnrolledHost { id: id.to_string(), name },
        every_seconds: every_seconds(service),
    })
}

/// Returns the token of the enrolment in the headers.
async fn enrolment(service: &Service, headers: &HeaderMap) -> Result<EnrolmentToken, Refused> {
    let Some(token) = identity::bearer(headers)? else {
        return Err(EnrolError::from(EnrolmentRefusal::NoToken).into());
    };
    // Whoever asks without a token takes a look at the database, so their number is bounded too.
    let _place = service.facts.place_to_read()?;
    Ok(service.facts.enrolment_by(token).await.map_err(EnrolError::from)?)
}

impl From<EnrolError> for Refused {
    fn from(error: EnrolError) -> Self {
        let refused = Self::new(error.code(), error.to_string());
        match error {
            EnrolError::Tie { .. } | EnrolError::Contradiction { .. } => refused.with_status(StatusCode::CONFLICT),
            EnrolError::Refused(EnrolmentRefusal::HasToken { .. }) => refused.with_status(StatusCode::CONFLICT),
            _ => refused,
        }
    }
}
