//! `/graphql`, as the GraphQL-over-HTTP specification has it: POST for everything, GET for queries.

use std::sync::Arc;

use async_graphql::dataloader::DataLoader;
use async_graphql::parser::types::{DocumentOperations, OperationType};
use async_graphql::{Name, PathSegment, Response as Answer, ServerError, Value};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Service;
use super::behind;
use super::graphiql;
use super::nesting;
use crate::inventory::{Code, Snapshot};
use crate::kinds::changes::{ChangeLoader, MOST_LOADED};
use crate::kinds::request::Request;
use crate::schema;

/// The media type of answers in the specification.
const GRAPHQL_RESPONSE: &str = "application/graphql-response+json";
/// From how many bytes on a body is looked through for the items of a large batch.
const LARGE: usize = 16 * 1024;
/// Who writes until there is authentication.
const LOCAL: &str = "local";

/// A query in the address, or GraphiQL for a browser.
pub async fn get(State(service): State<Service>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let Some(query) = query.filter(|query| query.contains("query=")) else {
        return match accepts(&headers, "text/html") {
            true => graphiql::page().await.into_response(),
            false => refused(&headers, StatusCode::BAD_REQUEST, "a query is needed, as the parameter query"),
        };
    };
    let request = match async_graphql::http::parse_query_string(&query) {
        Ok(request) => request,
        Err(error) => return refused(&headers, StatusCode::BAD_REQUEST, &error.to_string()),
    };
    if nesting::is_too_deep(&request.query) {
        return too_deep(&headers);
    }
    if !is_query(request.query.as_str(), request.operation_name.as_deref()) {
        return refused(&headers, StatusCode::METHOD_NOT_ALLOWED, "GET is for queries; send mutations by POST");
    }
    answer(service, request, &headers).await
}

/// A query or mutation in the body.
pub async fn post(State(service): State<Service>, headers: HeaderMap, body: Bytes) -> Response {
    let content = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media = content.split(';').next().unwrap_or_default().trim();
    if !media.eq_ignore_ascii_case("application/json") {
        let what = "the body must be JSON, with the header content-type: application/json";
        return refused(&headers, StatusCode::UNSUPPORTED_MEDIA_TYPE, what);
    }
    match read(&body) {
        Ok(request) => answer(service, request, &headers).await,
        Err(Unread::TooDeep) => too_deep(&headers),
        Err(Unread::NoRequest(error)) => {
            refused(&headers, StatusCode::BAD_REQUEST, &format!("the body is no GraphQL request: {error}"))
        }
    }
}

/// Why a body cannot be answered.
enum Unread {
    /// It is not JSON, or no request.
    NoRequest(serde_json::Error),
    /// Its query must not be parsed.
    TooDeep,
}

impl From<serde_json::Error> for Unread {
    fn from(error: serde_json::Error) -> Self {
        Self::NoRequest(error)
    }
}

/// Reads a body. Nothing parses its query before the nesting was looked at.
fn read(body: &[u8]) -> Result<async_graphql::Request, Unread> {
    if body.len() < LARGE {
        let request: async_graphql::Request = serde_json::from_slice(body)?;
        return if nesting::is_too_deep(&request.query) { Err(Unread::TooDeep) } else { Ok(request) };
    }
    let whole: serde_json::Value = serde_json::from_slice(body)?;
    let query = whole.get("query").and_then(serde_json::Value::as_str);
    if query.is_some_and(nesting::is_too_deep) {
        return Err(Unread::TooDeep);
    }
    Ok(schema::read_request(whole)?)
}

async fn answer(service: Service, request: async_graphql::Request, headers: &HeaderMap) -> Response {
    let newest = match behind::reached(&service.newest, &request).await {
        Ok(newest) => newest,
        Err((status, error)) => return refused_with(headers, status, error),
    };
    // A copy of its own: thousands of objects of an answer count their references to it, and requests that run at the
    // same time would count in the same place.
    let snapshot = Arc::new(Snapshot::clone(&newest));
    drop(newest);
    let state = Request::new(snapshot, LOCAL.to_owned(), service.pins, service.writer, service.store.clone());
    let state = Arc::new(state);
    let loader = DataLoader::new(ChangeLoader(service.store), tokio::spawn).max_batch_size(MOST_LOADED);
    let mut answer = service.api.execute(request.data(Arc::clone(&state)).data(loader)).await;
    answer.extensions.insert("revision".to_owned(), Value::from(state.snapshot().revision()));
    answer.errors.iter_mut().for_each(with_code);
    let Answer { data, errors, .. } = &mut answer;
    errors.iter().for_each(|error| put_null(data, &error.path));
    respond(headers, answer)
}

/// Puts `null` where a field failed. The library leaves the field out, which clients that know the schema do not
/// expect of a nullable field.
fn put_null(data: &mut Value, path: &[PathSegment]) {
    let Some((PathSegment::Field(field), rest)) = path.split_first() else {
        if let (Some((PathSegment::Index(at), rest)), Value::List(list)) = (path.split_first(), data)
            && let Some(entry) = list.get_mut(*at)
        {
            put_null(entry, rest);
        }
        return;
    };
    if rest.is_empty() && matches!(data, Value::Null) {
        *data = Value::Object(Default::default());
    }
    let Value::Object(members) = data else { return };
    match members.get_mut(field.as_str()) {
        Some(inner) => put_null(inner, rest),
        None if rest.is_empty() => {
            members.insert(Name::new(field), Value::Null);
        }
        None => {}
    }
}

/// What the library refuses before a resolver runs has no code of ours yet.
fn with_code(error: &mut ServerError) {
    let extensions = error.extensions.get_or_insert_default();
    if extensions.get("code").is_none() {
        let too_much = ["too deep", "too complex", "recursion depth"];
        let code = match too_much.iter().any(|words| error.message.contains(words)) {
            true => Code::TooComplex,
            false => Code::Invalid,
        };
        extensions.set("code", code.as_str());
    }
    // The field says where it was; the library's list of all types around it says nothing more.
    if let Some(end) = error.message.find(" (occurred while parsing \"") {
        error.message.truncate(end);
    }
    let place = misplaced(&error.message).map(str::to_owned);
    if let (Some(place), None) = (place, extensions.get("field")) {
        extensions.set("field", place);
    }
}

/// The place in the variables of a value that the library refuses: it stands in the message alone.
fn misplaced(message: &str) -> Option<&str> {
    let (place, _) = message.strip_prefix("Invalid value for argument \"")?.split_once('"')?;
    Some(place)
}

fn too_deep(headers: &HeaderMap) -> Response {
    let what = format!("the query is nested too deep: at most {} brackets may stand in each other", nesting::MOST);
    refused(headers, StatusCode::BAD_REQUEST, &what)
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

fn accepts(headers: &HeaderMap, media: &str) -> bool {
    headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|value| value.contains(media))
}

fn refused(headers: &HeaderMap, status: StatusCode, message: &str) -> Response {
    refused_with(headers, status, ServerError::new(message, None))
}

fn refused_with(headers: &HeaderMap, status: StatusCode, mut error: ServerError) -> Response {
    with_code(&mut error);
    let mut response = respond(headers, Answer::from_errors(vec![error]));
    *response.status_mut() = status;
    response
}

/// The answer in the media type that the client takes. In the one of the specification a request that was refused
/// before it ran is a 400; in plain JSON it always was a 200.
fn respond(headers: &HeaderMap, answer: Answer) -> Response {
    let modern = accepts(headers, GRAPHQL_RESPONSE);
    let before_it_ran = !answer.errors.is_empty() && answer.data == Value::Null && !ran(&answer);
    let status = if modern && before_it_ran { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let media =
        if modern { "application/graphql-response+json; charset=utf-8" } else { "application/json; charset=utf-8" };
    let mut response = (status, Json(answer)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    response
}

/// Whether the errors came from fields.
fn ran(answer: &Answer) -> bool {
    answer.errors.iter().any(|error| !error.path.is_empty())
}
