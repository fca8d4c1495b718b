//! `POST /facts/recorder/{token}`: OpenStack's recorder on a host reports its hardware ([`underlay_facts::Recording`]).
//!
//! Guarantees: the recorder sends no header that authenticates it, so the token of the agent is in the path, which no log
//! has (`super::super::middleware`). The bounds are those of `POST /facts`. What a recorder says is kept apart from what an
//! agent says: it enrols nobody, moves no part, and is no condition of the host.

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use chrono::Utc;
use serde::Serialize;
use underlay_entity::facts::FactsOrigin;
use underlay_facts::Recording;
use uuid::Uuid;

use super::body::{self, Coding};
use super::host_of;
use crate::http::refusal::Refused;
use crate::http::{Service, conversation, response};

/// The answer to a body that is accepted, as the recorder expects it.
#[derive(Clone, Copy, Debug, Serialize)]
struct Recorded {
    /// The id of the host.
    uuid: Uuid,
}

/// Answers a request.
pub async fn receive(
    State(service): State<Service>,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match answer(&service, &token, &headers, body).await {
        Ok(answer) => (StatusCode::OK, Json(answer)).into_response(),
        Err(refused) => response::refusal(&headers, &refused),
    }
}

async fn answer(service: &Service, token: &str, headers: &HeaderMap, body: Body) -> Result<Recorded, Refused> {
    let coding = Coding::of(headers)?;
    let host = host_of(service, token)?;
    conversation::authenticated();
    let recording = body::read(service, coding, body, Recording::read).await?;

    let now = Utc::now();
    let report = recording.report(now);
    report.check(now)?;
    service.facts.accept(host, FactsOrigin::Recorder, &report).await?;
    Ok(Recorded { uuid: host })
}
