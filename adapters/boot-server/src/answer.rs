//! The answers that machines understand: each has a length, and each error a short text. An error without a body hangs
//! shim, and a length whose name has no capitals hides the body from GRUB (the listener writes the names).

use axum::body::Body;
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};

const PLAIN: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Returns an answer with a text.
pub fn text(status: StatusCode, text: impl Into<String>) -> Response<Body> {
    let mut text: String = text.into();
    if text.is_empty() {
        status.as_str().clone_into(&mut text);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    script(status, PLAIN, text)
}

/// Returns an answer with a text of a type, byte by byte.
pub fn typed(content_type: Option<&str>, text: String) -> Response<Body> {
    let given = content_type.filter(|it| !it.to_ascii_lowercase().contains("html"));
    let content_type = given.and_then(|it| HeaderValue::from_str(it).ok()).unwrap_or(PLAIN);
    script(StatusCode::OK, content_type, text)
}

/// Returns an answer with the bytes of a file, whose number is known.
pub fn file(length: u64, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
    response
}

/// Returns the answer to a method that a path does not have.
pub fn other_method(allowed: &'static str) -> Response<Body> {
    let mut response = text(StatusCode::METHOD_NOT_ALLOWED, format!("allowed here: {allowed}"));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

/// Returns the answer without its body, as HEAD wants it.
pub fn without_body(response: Response<Body>) -> Response<Body> {
    let (head, _) = response.into_parts();
    Response::from_parts(head, Body::empty())
}

fn script(status: StatusCode, content_type: HeaderValue, text: String) -> Response<Body> {
    let length = text.len() as u64;
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
