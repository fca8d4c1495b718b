//! The web console's side of the server: its files, and the facts that it needs before it can send a request.
//!
//! The console is a page that shows what its address names, so every address that a browser navigates to, and that is
//! not one of the API, is answered with the same page.

mod files;
mod login;
mod policy;
mod session;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

pub use login::{Login, LoginError};

use super::Service;
use super::response::accepts;

/// The first parts of the addresses of the API and of the files. Nothing beneath them is a page of the console.
const OTHER_PATHS: [&str; 7] = ["apply", "console", "graphql", "healthz", "metrics", "readyz", "trace"];

/// Returns the routes of the console. No page of another origin may read their answers.
pub fn routes() -> Router<Service> {
    Router::new()
        .route("/", get(page))
        .route("/console/session", get(session::session))
        .route("/console/{file}", get(files::file_of_page))
        .fallback(navigation)
}

async fn page(State(service): State<Service>, headers: HeaderMap) -> Response {
    files::page(service.login.as_deref(), &headers)
}

/// Answers a navigation to an address of the console with its page. Everything else that has no route is not found.
async fn navigation(State(service): State<Service>, method: Method, address: Uri, headers: HeaderMap) -> Response {
    let reads = method == Method::GET || method == Method::HEAD;
    if reads && accepts(&headers, "text/html") && is_place(address.path()) {
        return files::page(service.login.as_deref(), &headers);
    }
    StatusCode::NOT_FOUND.into_response()
}

fn is_place(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    !OTHER_PATHS.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_api_are_no_places_in_the_console() {
        for path in ["/racks", "/racks/ams1/a14", "/changes/7", "/graphs", "/applyx", "/"] {
            assert!(is_place(path), "{path}");
        }
        for path in ["/graphql", "/graphql/x", "/trace/x/y", "/console/x.js", "/apply", "//metrics", "/healthz"] {
            assert!(!is_place(path), "{path}");
        }
    }
}
