//! The web page: an editor with examples. It works without the Internet. If the browser reaches the CDN, GraphiQL
//! replaces the editor.
//!
//! The examples are separate files in `examples/`. They query the demo, and a test runs each of them.

use std::sync::LazyLock;

use axum::http::request::Parts;
use axum::http::{HeaderName, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Service;
use super::local_peer::{self, Ends};

/// The base URL of the CDN.
const CDN: &str = "https://unpkg.com/";
/// The files that the page loads from the CDN. The page contains the digest of each file.
const FILES: [&str; 4] = [
    "graphiql@4.1.2/dist/style.css",
    "react@18.3.1/umd/react.production.min.js",
    "react-dom@18.3.1/umd/react-dom.production.min.js",
    "graphiql@4.1.2/dist/index.umd.js",
];

/// The content security policy of the page. It allows the page's own script, by its digest, and the files of the CDN.
/// Inline styles are allowed, because editors set the styles of elements.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let script = PAGE.split_once("<script>").and_then(|(_, rest)| rest.split_once("</script>")).unwrap_or_default().0;
    let own = BASE64_STANDARD.encode(Sha256::digest(script));
    let files = FILES.map(|file| format!("{CDN}{file}")).join(" ");
    format!(
        "default-src 'none'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; \
         script-src 'sha256-{own}' {files}; style-src 'unsafe-inline' {CDN}; worker-src blob:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    )
});
/// The placeholder in the page that the token replaces.
const TOKEN: &str = "{{token}}";

/// An example. Its query begins with comments: the title, and then a description.
#[derive(Debug, Serialize)]
struct Example {
    query: &'static str,
    /// A query that finds the values of the variables. Each of its fields is a variable, which gets the ID that is
    /// found. IDs differ from demo to demo.
    variables: Option<&'static str>,
}

/// Creates an example from its files.
macro_rules! example {
    ($query:literal) => {
        Example { query: include_str!($query), variables: None }
    };
    ($query:literal, $variables:literal) => {
        Example { query: include_str!($query), variables: Some(include_str!($variables)) }
    };
}

/// The examples, in the order in which the page shows them. The page runs the first one at once.
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
    // Texts and options can always be serialized. Without examples the page would still be an editor.
    let examples = serde_json::to_string(&EXAMPLES).unwrap_or_else(|_| "[]".to_owned());
    include_str!("graphiql.html").replace("{{examples}}", &examples.replace("</", "<\\/"))
});

/// Returns the page, with a token if the user that runs this server navigates to it.
pub fn render(service: &Service, ends: Ends, asked: &Parts) -> Response {
    let signed = |key| local_peer::token(key, service.page_role).map_or(Token::Needed, Token::Is);
    let token = match (&service.own_key, service.trust.asks()) {
        (_, false) => Token::NotNeeded,
        (Some(key), true) if local_peer::is_own_user(ends, asked) => signed(key),
        (_, true) => Token::Needed,
    };
    // Plain text can always be serialized.
    let token = serde_json::to_string(&token).unwrap_or_default();
    let page = PAGE.replace(TOKEN, &token);
    let headers: [(HeaderName, &str); 7] = [
        (header::CONTENT_SECURITY_POLICY, POLICY.as_str()),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        // A page of another origin can neither keep the window of this page, nor load this page.
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    (headers, Html(page)).into_response()
}

/// The token, or the reason why the page has none.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Token {
    NotNeeded,
    Needed,
    Is(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_what_its_policy_names() {
        for file in FILES {
            assert!(PAGE.contains(file), "{file}");
        }
        assert_eq!(PAGE.matches("<script>").count(), 1, "the policy has the digest of one script");
        assert_eq!(PAGE.matches(TOKEN).count(), 1);
        let script = PAGE.split_once("<script>").expect("a script").1;
        assert!(!script.contains(TOKEN) && !POLICY.contains("'unsafe-inline' https://unpkg.com/react"));
        for handler in [" onclick=", " onload=", "javascript:"] {
            assert!(!PAGE.contains(handler), "{handler} would not run");
        }
    }
}
