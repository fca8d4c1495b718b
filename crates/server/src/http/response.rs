//! The responses that all routes have in common: answers and errors of GraphQL, refusals, and short texts.
//!
//! Guarantees: every error has a code; the media type of a GraphQL response is one that the client accepts; a client
//! whose request is refused temporarily gets the time after which it can retry.

use std::collections::BTreeMap;

use async_graphql::{Response as GraphqlResponse, ServerError, Value};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::json_answer::{Answered, json};
use super::refusal::{Refused, Status};
use super::request_metrics;
use underlay_error::Code;

/// The media type that the GraphQL-over-HTTP specification defines for responses.
const GRAPHQL_RESPONSE: &str = "application/graphql-response+json";
/// The value of the header for this media type.
const GRAPHQL_RESPONSE_TYPE: HeaderValue = HeaderValue::from_static("application/graphql-response+json; charset=utf-8");
/// The value of the header for plain JSON.
const JSON_TYPE: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
/// The words of the library right before it quotes a value that does not fit its type, and what stands there instead of
/// them and of the value.
const MISFITS: [(&str, &str); 3] = [
    ("\", found ", "\", and the value is of another type"),
    (" does not contain the value \"", " does not contain the given value"),
    (" does not contain value \"", " does not contain the given value"),
];
/// The time in seconds after which a client may try again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

/// The body of the response to a request that was rejected before it ran. It has no data, not even null (GraphQL,
/// section 7.1).
#[derive(Serialize)]
struct Errors<'a> {
    errors: &'a [ServerError],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extensions: &'a BTreeMap<String, Value>,
}

/// Responds with the answer to a GraphQL request.
pub fn answer(headers: &HeaderMap, answered: Answered) -> Response {
    if answered.is_refusal() {
        let GraphqlResponse { errors, extensions, .. } = &answered.answer;
        return graphql(headers, request_error_status(headers), json(&Errors { errors, extensions }).into());
    }
    let (encoding, body) = answered.json().encoded(headers);
    (encoding, graphql(headers, StatusCode::OK, body)).into_response()
}

/// Responds to a GraphQL request that is not executed.
pub fn refusal(headers: &HeaderMap, refused: &Refused) -> Response {
    let status = match refused.status {
        Status::Is(status) => status,
        Status::OfMediaType => request_error_status(headers),
    };
    let error = refused.error();
    request_metrics::refused(&error);
    let body = json(&Errors { errors: &[error], extensions: &BTreeMap::new() });
    with_headers(refused, graphql(headers, status, body.into()))
}

/// Responds with a line of text to a request that is not executed, and is not a GraphQL request.
pub fn refusal_in_text(refused: &Refused) -> Response {
    let status = match refused.status {
        Status::Is(status) => status,
        Status::OfMediaType => StatusCode::BAD_REQUEST,
    };
    with_headers(refused, (status, format!("{}\n", refused.message)).into_response())
}

/// Responds to a subscription that cannot begin. The errors are a JSON list.
pub fn not_begun(errors: &[u8]) -> Response {
    let body = [b"{\"errors\":", errors, b"}"].concat();
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, JSON_TYPE)], body).into_response()
}

/// Returns the list of the one error of a refusal, as JSON.
pub fn errors(refused: &Refused) -> Bytes {
    let error = refused.error();
    request_metrics::refused(&error);
    json(&[error])
}

/// Completes an error that the library reports before a resolver runs: it gets a code, and the field if its message
/// names one.
pub fn complete(error: &mut ServerError) {
    let extensions = error.extensions.get_or_insert_default();
    if extensions.get("code").is_none() {
        let code = match error.message.contains("recursion depth") {
            true => Code::TooComplex,
            false => Code::Invalid,
        };
        extensions.set("code", code.as_str());
    }
    // The library quotes the line of a syntax error, and a line can contain a secret. The locations say where it is.
    if let Some(reason) = syntax_error(&error.message) {
        error.message = format!("the document has a syntax error: {reason}");
    }
    // The extension `field` names the place. The library's list of all surrounding types adds nothing to it.
    if let Some(end) = error.message.find(" (occurred while parsing \"") {
        error.message.truncate(end);
    }
    // The library also quotes a value that does not fit its type, which can be a secret in the wrong place.
    for (quoting, instead) in MISFITS {
        if let Some(at) = error.message.find(quoting) {
            error.message.replace_range(at.., instead);
        }
    }
    let field = misplaced(&error.message).map(str::to_owned);
    if let (Some(field), None) = (field, extensions.get("field")) {
        extensions.set("field", field);
    }
}

/// Returns true if the client accepts a media type.
pub fn accepts(headers: &HeaderMap, media: &str) -> bool {
    headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|value| value.contains(media))
}

/// Returns the status of a GraphQL request that was rejected before it ran. In plain JSON it has always been 200.
fn request_error_status(headers: &HeaderMap) -> StatusCode {
    if accepts(headers, GRAPHQL_RESPONSE) { StatusCode::BAD_REQUEST } else { StatusCode::OK }
}

fn graphql(headers: &HeaderMap, status: StatusCode, body: Body) -> Response {
    let media = if accepts(headers, GRAPHQL_RESPONSE) { GRAPHQL_RESPONSE_TYPE } else { JSON_TYPE };
    (status, [(header::CONTENT_TYPE, media)], body).into_response()
}

fn with_headers(refused: &Refused, mut response: Response) -> Response {
    match refused.status {
        Status::Is(StatusCode::UNAUTHORIZED) => {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        Status::Is(StatusCode::SERVICE_UNAVAILABLE) => {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        Status::Is(_) | Status::OfMediaType => {}
    }
    if let Some(time) = refused.retry_after {
        let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Returns the place in the variables of a value that the library rejects. The library names it only in the message.
fn misplaced(message: &str) -> Option<&str> {
    let (field, _) = message.strip_prefix("Invalid value for argument \"")?.split_once('"')?;
    Some(field)
}

/// Returns the reason of a syntax error without the text around it.
fn syntax_error(message: &str) -> Option<&str> {
    let (_, reason) = message.strip_prefix(" --> ")?.rsplit_once("\n  = ")?;
    Some(reason.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syntax_error_does_not_quote_the_document() {
        let parsed = async_graphql::parser::parse_query("{ a(b: \"hunter2\" }");
        let mut error = ServerError::from(parsed.expect_err("a syntax error"));
        complete(&mut error);
        assert!(error.message.starts_with("the document has a syntax error: expected "), "{}", error.message);
        assert!(!format!("{error:?}").contains("hunter2") && !error.locations.is_empty(), "{error:?}");
    }

    fn accepting(media: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(media))])
    }

    #[test]
    fn a_request_error_has_the_status_of_its_media_type() {
        let refused = Refused::request_error(Code::Invalid, "no");
        for (media, status, content) in [
            ("application/graphql-response+json, application/json", 400, GRAPHQL_RESPONSE_TYPE),
            ("application/json", 200, JSON_TYPE),
            ("*/*", 200, JSON_TYPE),
        ] {
            let response = refusal(&accepting(media), &refused);
            assert_eq!((response.status().as_u16(), &response.headers()[header::CONTENT_TYPE]), (status, &content));
            let other = refusal(&accepting(media), &Refused::new(Code::NotFound, "no"));
            assert_eq!(other.status(), StatusCode::NOT_FOUND, "{media}");
        }
    }

    #[test]
    fn a_temporary_refusal_has_a_time_to_retry() {
        for (code, name) in
            [(Code::Unavailable, header::RETRY_AFTER), (Code::Unauthenticated, header::WWW_AUTHENTICATE)]
        {
            let refused = Refused::new(code, "no");
            for response in [refusal(&HeaderMap::new(), &refused), refusal_in_text(&refused)] {
                assert!(response.headers().contains_key(&name), "{code}");
            }
        }
        assert!(!refusal_in_text(&Refused::new(Code::Invalid, "no")).headers().contains_key(header::RETRY_AFTER));
    }

    #[test]
    fn an_error_of_the_library_gets_a_code_and_the_field() {
        let text = "Invalid value for argument \"input.name\", expected type \"String\" (occurred while parsing \"A\")";
        let mut error = ServerError::new(text, None);
        complete(&mut error);
        assert_eq!(error.message, "Invalid value for argument \"input.name\", expected type \"String\"");
        let extensions = error.extensions.expect("extensions");
        assert_eq!(extensions.get("code"), Some(&"INVALID".into()));
        assert_eq!(extensions.get("field"), Some(&"input.name".into()));
        let text = "Invalid value for argument \"input.type\", enumeration type \"CredentialType\" does not contain the value \"hunter2\"";
        let mut word = ServerError::new(text, None);
        complete(&mut word);
        assert!(word.message.ends_with("\"CredentialType\" does not contain the given value"), "{}", word.message);
        let mut other = ServerError::new("Expected input type \"CredentialRef\", found \"hunter2\".", None);
        complete(&mut other);
        assert!(!other.message.contains("hunter2") && other.message.contains("CredentialRef"), "{}", other.message);
        let mut deep = ServerError::new("The recursion depth of the query cannot be greater than `100`", None);
        complete(&mut deep);
        assert_eq!(deep.extensions.expect("extensions").get("code"), Some(&"TOO_COMPLEX".into()));
    }
}
