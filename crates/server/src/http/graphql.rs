//! The endpoint `/graphql`, as the GraphQL-over-HTTP specification defines it: POST for everything, GET for queries.

use async_graphql::parser::types::OperationType;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Redirect, Response};

use super::Service;
use super::execute::execute;
use super::min_revision;
use super::refusal::Refused;
use super::request::{self, Received};
use super::response::{self, accepts};
use underlay_engine::access::Channel;

/// The screen of the console for operations.
const SCREEN: &str = "/api";

/// Answers a query in the URL, or leads a browser without one to the console.
pub async fn get(State(service): State<Service>, channel: Channel, asked: Parts) -> Response {
    let headers = &asked.headers;
    match request::in_address(&service, headers, &asked.uri, &[OperationType::Query]).await {
        Ok(Some(received)) => answer(service, received.over(channel), headers).await,
        Ok(None) if accepts(headers, "text/html") => ([(header::VARY, "accept")], Redirect::to(SCREEN)).into_response(),
        Ok(None) => response::refusal(headers, &request::no_query()),
        Err(refused) => response::refusal(headers, &refused),
    }
}

/// Answers a query or a mutation in the body.
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
    let Received { asker, parsed, admitted: _admitted } = received;
    let current = min_revision::reached(&asker.view.current, &parsed.request).await?;
    Ok(response::answer(headers, execute(&service, asker, parsed, current).await))
}
