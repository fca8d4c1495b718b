//! The page for browsers: an editor with examples. It is whole without the Internet; where the browser reaches the
//! CDN, GraphiQL takes its place.
//!
//! The examples are files of their own in `examples/`. They are about the demo; a test runs each of them.

use std::sync::LazyLock;

use axum::http::{HeaderName, header};
use axum::response::{Html, IntoResponse};
use serde::Serialize;

/// Where the page may load from: itself, and the CDN for the files whose digests stand in it.
const POLICY: &str = "default-src 'none'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; \
    script-src 'unsafe-inline' https://unpkg.com; style-src 'unsafe-inline' https://unpkg.com; worker-src blob:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// An example. It begins with comments: its title, then what it shows.
#[derive(Debug, Serialize)]
struct Example {
    query: &'static str,
    /// A query whose fields are the variables: each takes the id that is found. Ids differ from demo to demo.
    variables: Option<&'static str>,
}

/// An example from its files.
macro_rules! example {
    ($query:literal) => {
        Example { query: include_str!($query), variables: None }
    };
    ($query:literal, $variables:literal) => {
        Example { query: include_str!($query), variables: Some(include_str!($variables)) }
    };
}

/// In the order in which they are shown; the first one is run at once.
static EXAMPLES: [Example; 7] = [
    example!("examples/dashboard.graphql"),
    example!("examples/server.graphql"),
    example!("examples/find.graphql", "examples/find.variables.graphql"),
    example!("examples/outside.graphql"),
    example!("examples/history.graphql", "examples/history.variables.graphql"),
    example!("examples/change.graphql", "examples/change.variables.graphql"),
    example!("examples/plan.graphql"),
];

static PAGE: LazyLock<String> = LazyLock::new(|| {
    // Text and options always become JSON; without examples the page would still be an editor.
    let examples = serde_json::to_string(&EXAMPLES).unwrap_or_else(|_| "[]".to_owned());
    include_str!("graphiql.html").replace("{{examples}}", &examples.replace("</", "<\\/"))
});

/// The page.
pub async fn page() -> impl IntoResponse {
    let headers: [(HeaderName, &str); 2] =
        [(header::CONTENT_SECURITY_POLICY, POLICY), (header::CACHE_CONTROL, "no-cache")];
    (headers, Html(PAGE.as_str()))
}
