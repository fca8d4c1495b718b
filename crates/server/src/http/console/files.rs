//! The files of the console, as they are in `console/dist`, inside the program.
//!
//! The names of the files never change, so browsers ask again for each of them, and get its content only if that has
//! changed. Only the page itself is never stored.

use std::sync::{LazyLock, OnceLock};

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use super::login::Login;
use super::policy::POLICY;
use crate::http::Service;
use crate::http::encoding::{encoding, gzip};

/// The name of the page, which loads the other files.
const PAGE_FILE: &str = "index.html";

/// A file of the console.
struct File {
    name: &'static str,
    media: &'static str,
    content: &'static [u8],
    /// The content as it is sent to browsers that accept gzip, once one asked for it.
    compressed: OnceLock<Bytes>,
    /// The entity tag, which is weak because the content may be sent compressed (RFC 9110, section 8.8.3).
    tag: String,
}

/// Lists files of `console/dist` with their media types.
macro_rules! files {
    ($($name:literal $media:literal;)+) => {
        vec![$(file($name, $media, include_bytes!(concat!("../../../../../console/dist/", $name)))),+]
    };
}

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    files! {
        "about.js" "text/javascript; charset=utf-8";
        "api.js" "text/javascript; charset=utf-8";
        "changes.js" "text/javascript; charset=utf-8";
        "columns.js" "text/javascript; charset=utf-8";
        "detail.js" "text/javascript; charset=utf-8";
        "export.js" "text/javascript; charset=utf-8";
        "facets.js" "text/javascript; charset=utf-8";
        "filter-form.js" "text/javascript; charset=utf-8";
        "form.js" "text/javascript; charset=utf-8";
        "hardware-acts.js" "text/javascript; charset=utf-8";
        "hardware-events-screen.js" "text/javascript; charset=utf-8";
        "hardware.js" "text/javascript; charset=utf-8";
        "help.js" "text/javascript; charset=utf-8";
        "home-watch.js" "text/javascript; charset=utf-8";
        "hosts-board.js" "text/javascript; charset=utf-8";
        "icon.svg" "image/svg+xml";
        "impact.js" "text/javascript; charset=utf-8";
        "index.html" "text/html; charset=utf-8";
        "login.js" "text/javascript; charset=utf-8";
        "main.js" "text/javascript; charset=utf-8";
        "marked.js" "text/javascript; charset=utf-8";
        "palette.js" "text/javascript; charset=utf-8";
        "parts.js" "text/javascript; charset=utf-8";
        "patch.js" "text/javascript; charset=utf-8";
        "paths.js" "text/javascript; charset=utf-8";
        "places.js" "text/javascript; charset=utf-8";
        "rack-list.js" "text/javascript; charset=utf-8";
        "rack.js" "text/javascript; charset=utf-8";
        "review.js" "text/javascript; charset=utf-8";
        "single-points.js" "text/javascript; charset=utf-8";
        "sources-board.js" "text/javascript; charset=utf-8";
        "style.css" "text/css; charset=utf-8";
        "svg.js" "text/javascript; charset=utf-8";
        "trace.js" "text/javascript; charset=utf-8";
        "writes.js" "text/javascript; charset=utf-8";
    }
});

fn file(name: &'static str, media: &'static str, content: &'static [u8]) -> File {
    let digest: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    File { name, media, content, compressed: OnceLock::new(), tag: format!("W/\"{digest}\"") }
}

impl File {
    /// Returns the content as the body of a response, with the headers that say how it is encoded. It is never
    /// copied, so it takes no memory while it waits to be sent.
    fn body(&'static self, headers: &HeaderMap) -> (HeaderMap, Body) {
        match encoding(headers, self.content.len()) {
            (own, true) => (own, self.compressed.get_or_init(|| gzip(self.content).into()).clone().into()),
            (own, false) => (own, Bytes::from_static(self.content).into()),
        }
    }
}

/// Answers with a file that the page loads, or with 304 if the browser has it already.
pub async fn file_of_page(State(service): State<Service>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    match FILES.iter().find(|file| file.name == name && file.name != PAGE_FILE) {
        Some(file) if has(&headers, &file.tag) => {
            let kept = [(header::ETAG, file.tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
            (StatusCode::NOT_MODIFIED, kept).into_response()
        }
        Some(file) => {
            let response = respond(file, "no-cache", service.login.as_deref(), &headers);
            ([(header::ETAG, file.tag.as_str())], response).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Answers with the page.
pub fn page(login: Option<&Login>, headers: &HeaderMap) -> Response {
    match FILES.iter().find(|file| file.name == PAGE_FILE) {
        Some(file) => respond(file, "no-store", login, headers),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn respond(file: &'static File, cache: &'static str, login: Option<&Login>, asked: &HeaderMap) -> Response {
    let text = HeaderValue::from_static;
    let policy = login.map_or(text(POLICY), |login| login.policy().clone());
    let headers: [(HeaderName, HeaderValue); 7] = [
        (header::CONTENT_TYPE, text(file.media)),
        (header::CACHE_CONTROL, text(cache)),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, text("nosniff")),
        (header::REFERRER_POLICY, text("no-referrer")),
        // A page of another origin can neither keep the window of the console, nor load its files.
        (HeaderName::from_static("cross-origin-opener-policy"), text("same-origin")),
        (HeaderName::from_static("cross-origin-resource-policy"), text("same-origin")),
    ];
    let (encoding, body) = file.body(asked);
    (headers, encoding, body).into_response()
}

/// Returns true if a browser names this tag among those that it has (RFC 9110, section 13.1.2).
fn has(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let own = opaque(tag);
    let named = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|list| list.split(',')).any(|one| one.trim() == "*" || opaque(one) == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_names_what_it_has() {
        let tag = "W/\"abc\"";
        for (named, found) in [
            ("W/\"abc\"", true),
            ("\"abc\"", true),
            ("\"x\", W/\"abc\"", true),
            ("*", true),
            ("W/\"abcd\"", false),
            ("abc", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static(named))]);
            assert_eq!(has(&headers, tag), found, "{named}");
        }
        assert!(!has(&HeaderMap::new(), tag));
    }

    #[test]
    fn the_page_has_nothing_inline_that_its_policy_forbids() {
        let page = FILES.iter().find(|file| file.name == PAGE_FILE).expect("a page");
        let page = std::str::from_utf8(page.content).expect("text");
        assert!(!page.contains("<style") && !page.contains("<script>") && !page.contains(" style="), "{page}");
    }
}
