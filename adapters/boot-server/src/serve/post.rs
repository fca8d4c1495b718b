//! Takes what machines report.

use axum::body::{Body, to_bytes};
use chrono::Utc;
use hyper::body::Incoming;
use hyper::header::CONTENT_LENGTH;
use hyper::{HeaderMap, Response, StatusCode};
use tokio::time::timeout;

use super::{BootServer, report};
use crate::api::{Outcome, Report};
use crate::route::Route;
use crate::{answer, flat};

/// The most bytes of a body.
const MAX_BODY_BYTES: usize = 1 << 20;
/// The stage of a report with facts.
const FACTS: &str = "facts";

impl BootServer {
    /// Passes a report or facts on to the server.
    pub(super) async fn post(&self, route: Route, headers: &HeaderMap, body: Incoming) -> Response<Body> {
        let said = headers.get(CONTENT_LENGTH).and_then(|it| it.to_str().ok()?.parse::<usize>().ok());
        if said.is_some_and(|bytes| bytes > MAX_BODY_BYTES) {
            return too_long();
        }
        // The number of bodies in memory is bounded, and whoever sends too slowly makes room.
        let reading = async {
            let room = self.bodies.acquire().await.ok()?;
            Some((to_bytes(Body::new(body), MAX_BODY_BYTES).await, room))
        };
        let (body, _room) = match timeout(self.times.request, reading).await {
            Ok(Some((Ok(body), room))) => (body, room),
            Ok(Some((Err(_), _))) => return too_long(),
            Ok(None) | Err(_) => return answer::text(StatusCode::REQUEST_TIMEOUT, "the body took too long"),
        };
        let report = match route {
            Route::Report { token } => report::read(token, &body),
            Route::Facts { token } => {
                flat::read(&body, Utc::now()).map_err(|error| error.to_string()).map(|facts| Report {
                    token,
                    outcome: Outcome::Working,
                    stage: Some(FACTS.to_owned()),
                    percent: None,
                    message: None,
                    facts: Some(facts),
                })
            }
            _ => return answer::other_method("GET, HEAD"),
        };
        match report {
            Ok(report) => self.pass_on(&report).await,
            Err(reason) => answer::text(StatusCode::BAD_REQUEST, reason),
        }
    }

    async fn pass_on(&self, report: &Report) -> Response<Body> {
        match self.api.report(report).await {
            Ok(reported) => answer::text(
                StatusCode::OK,
                reported.message.filter(|it| !it.is_empty()).unwrap_or_else(|| "ok".to_owned()),
            ),
            Err(error) if error.has_code("INVALID") => answer::text(StatusCode::BAD_REQUEST, error.to_string()),
            Err(error) => {
                self.note(&format!("a report was not taken: {error}"));
                answer::text(StatusCode::SERVICE_UNAVAILABLE, "the server does not take the report now")
            }
        }
    }
}

fn too_long() -> Response<Body> {
    answer::text(StatusCode::PAYLOAD_TOO_LARGE, format!("a body has at most {MAX_BODY_BYTES} bytes"))
}
