//! `/graphql`, as the GraphQL-over-HTTP specification has it: POST for everything, GET for queries.

use std::collections::BTreeMap;

use async_graphql::parser::types::{DocumentOperations, OperationType};
use async_graphql::{Response as Answer, ServerError, Value};
use axum::body::Body;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;

use super::Service;
use super::behind;
use super::execute::{execute, with_code};
use super::graphiql;
use super::measured;
use super::near::Ends;
use super::receive::{self, Received, Size};
use crate::store::aside;

/// The media type of answers in the specification.
const GRAPHQL_RESPONSE: &str = "application/graphql-response+json";
/// What is said of another body.
pub const NO_JSON: &str = "the body must be JSON, with the header content-type: application/json";

/// What is said of an address without a query.
pub const NO_QUERY: &str = "a query is needed, as the parameter query";

/// A query in the address, or GraphiQL for a browser.
pub async fn get(State(service): State<Service>, Extension(ends): Extension<Ends>, asked: Parts) -> Response {
    let headers = &asked.headers;
    match receive::in_address(&service, headers, &asked.uri).await {
        Ok(Some(Received { request, .. })) if !is_query(&request.query, request.operation_name.as_deref()) => {
            refused(headers, StatusCode::METHOD_NOT_ALLOWED, "GET is for queries; send mutations by POST")
        }
        Ok(Some(received)) => answer(service, received, headers).await,
        Ok(None) if accepts(headers, "text/html") => graphiql::render(&service, ends, &asked),
        Ok(None) => receive::no_query(headers),
        Err(response) => response,
    }
}

/// A query or mutation in the body.
pub async fn post(State(service): State<Service>, headers: HeaderMap, body: Body) -> Response {
    match receive::in_body(&service, &headers, body).await {
        Ok(received) => answer(service, received, &headers).await,
        Err(response) => response,
    }
}

async fn answer(service: Service, received: Received, headers: &HeaderMap) -> Response {
    let Received { asker, request, size, admitted: _admitted } = received;
    let newest = match behind::reached(&asker.view.newest, &request).await {
        Ok(newest) => newest,
        Err((status, error)) => return refused_with(headers, status, error),
    };
    let answering = async { respond(headers, execute(&service, asker, request, newest).await) };
    match size {
        Size::Usual => answering.await,
        Size::Large => aside(answering).await,
    }
}

/// Whether a body is said to be JSON.
pub fn is_json(headers: &HeaderMap) -> bool {
    let content = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn is_query(text: &str, operation: Option<&str>) -> bool {
    let Ok(document) = async_graphql::parser::parse_query(text) else { return true };
    let is_query = |kind: OperationType| kind == OperationType::Query;
    match (&document.operations, operation) {
        (DocumentOperations::Single(operation), _) => is_query(operation.node.ty),
        (DocumentOperations::Multiple(all), Some(name)) => all.get(name).is_none_or(|it| is_query(it.node.ty)),
        (DocumentOperations::Multiple(all), None) => all.values().all(|it| is_query(it.node.ty)),
    }
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

/// The answer to a request that is understood, but not answered.
fn failed(headers: &HeaderMap, mut error: ServerError) -> Response {
    with_code(&mut error);
    measured::refused(&error);
    respond(headers, Answer::from_errors(vec![error]))
}

/// The answer in the media type that the client takes. In the one of the specification a request that was refused
/// before it ran is a 400; in plain JSON it always was a 200.
fn respond(headers: &HeaderMap, answer: Answer) -> Response {
    let modern = accepts(headers, GRAPHQL_RESPONSE);
    let before_it_ran = !answer.errors.is_empty() && answer.data == Value::Null && !ran(&answer);
    let status = if before_it_ran { status_of_refused(headers) } else { StatusCode::OK };
    let media =
        if modern { "application/graphql-response+json; charset=utf-8" } else { "application/json; charset=utf-8" };
    let mut response = match before_it_ran {
        // What did not run has no data, not even none (GraphQL, section 7.1).
        true => (status, Json(Refused { errors: &answer.errors, extensions: &answer.extensions })).into_response(),
        false => (status, Json(answer)).into_response(),
    };
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    response
}

/// The status of what was refused before it ran. In plain JSON that always was a 200.
pub fn status_of_refused(headers: &HeaderMap) -> StatusCode {
    if accepts(headers, GRAPHQL_RESPONSE) { StatusCode::BAD_REQUEST } else { StatusCode::OK }
}

/// The answer to what was refused before it ran.
#[derive(Serialize)]
struct Refused<'a> {
    errors: &'a [ServerError],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extensions: &'a BTreeMap<String, Value>,
}

/// Whether the errors came from fields.
fn ran(answer: &Answer) -> bool {
    answer.errors.iter().any(|error| !error.path.is_empty())
}
