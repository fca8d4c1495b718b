//! The endpoint `/graphql`, as the GraphQL-over-HTTP specification defines it: POST for everything, GET for queries.

use std::collections::BTreeMap;

use async_graphql::parser::types::OperationType;
use async_graphql::{Response as Answer, ServerError, Value};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::Service;
use super::answered::Answered;
use super::execute::{execute, json, with_code};
use super::graphiql;
use super::local_peer::Ends;
use super::measured;
use super::min_revision;
use super::receive::{self, Received, Size};
use crate::runtime::offload;

/// The media type that the specification defines for answers.
const GRAPHQL_RESPONSE: &str = "application/graphql-response+json";
/// The error for a body that is not JSON.
pub const NO_JSON: &str = "the body must be JSON, with the header content-type: application/json";

/// The error for a request in the URL that must be sent in the body.
pub const NOT_BY_GET: &str = "GET is for queries; send mutations by POST";
/// The error for a URL without a query.
pub const NO_QUERY: &str = "a query is needed, as the parameter query";

/// Answers a query in the URL, or returns the web page to a browser.
pub async fn get(State(service): State<Service>, Extension(ends): Extension<Ends>, asked: Parts) -> Response {
    let headers = &asked.headers;
    match receive::in_address(&service, headers, &asked.uri, &[OperationType::Query]).await {
        Ok(Some(received)) => answer(service, received, headers).await,
        Ok(None) if accepts(headers, "text/html") => graphiql::render(&service, ends, &asked),
        Ok(None) => receive::no_query(headers),
        Err(response) => response,
    }
}

/// Answers a query or a mutation in the body.
pub async fn post(State(service): State<Service>, headers: HeaderMap, body: Body) -> Response {
    match receive::in_body(&service, &headers, body).await {
        Ok(received) => answer(service, received, &headers).await,
        Err(response) => response,
    }
}

async fn answer(service: Service, received: Received, headers: &HeaderMap) -> Response {
    let Received { asker, request, size, admitted: _admitted } = received;
    let newest = match min_revision::reached(&asker.view.newest, &request).await {
        Ok(newest) => newest,
        Err((status, error)) => return refused_with(headers, status, error),
    };
    let answering = async { respond(headers, execute(&service, asker, request, newest).await) };
    match size {
        Size::Usual => answering.await,
        Size::Large => offload(answering).await,
    }
}

/// Returns true if the headers say that the body is JSON.
pub fn is_json(headers: &HeaderMap) -> bool {
    let content = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

pub fn accepts(headers: &HeaderMap, media: &str) -> bool {
    headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|value| value.contains(media))
}

pub fn refused(headers: &HeaderMap, status: StatusCode, message: &str) -> Response {
    refused_with(headers, status, ServerError::new(message, None))
}

pub fn refused_with(headers: &HeaderMap, status: StatusCode, error: ServerError) -> Response {
    let mut response = failed(headers, error);
    *response.status_mut() = status;
    response
}

/// Answers a request that is understood but not executed.
fn failed(headers: &HeaderMap, mut error: ServerError) -> Response {
    with_code(&mut error);
    measured::refused(&error);
    refusal(headers, &Answer::from_errors(vec![error]))
}

/// Answers in the media type that the client accepts. In the media type of the specification, a request that was
/// rejected before it ran has the status 400. In plain JSON it has always had the status 200.
fn respond(headers: &HeaderMap, answered: Answered) -> Response {
    if answered.is_refusal() {
        return refusal(headers, &answered.answer);
    }
    with_media(headers, StatusCode::OK, answered.json().into())
}

/// Answers a request that was rejected before it ran. The answer has no data, not even null (GraphQL, section 7.1).
fn refusal(headers: &HeaderMap, answer: &Answer) -> Response {
    let refused = json(&Refused { errors: &answer.errors, extensions: &answer.extensions });
    with_media(headers, status_of_refused(headers), refused.into())
}

fn with_media(headers: &HeaderMap, status: StatusCode, body: Body) -> Response {
    let media = match accepts(headers, GRAPHQL_RESPONSE) {
        true => "application/graphql-response+json; charset=utf-8",
        false => "application/json; charset=utf-8",
    };
    (status, [(header::CONTENT_TYPE, media)], body).into_response()
}

/// Returns the status of a request that was rejected before it ran. In plain JSON that has always been 200.
pub fn status_of_refused(headers: &HeaderMap) -> StatusCode {
    if accepts(headers, GRAPHQL_RESPONSE) { StatusCode::BAD_REQUEST } else { StatusCode::OK }
}

/// The body of the answer to a request that was rejected before it ran.
#[derive(Serialize)]
struct Refused<'a> {
    errors: &'a [ServerError],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extensions: &'a BTreeMap<String, Value>,
}
