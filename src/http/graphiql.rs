//! GraphiQL, to look around with a browser.

use async_graphql::http::GraphiQLSource;
use axum::response::Html;

/// The page.
pub async fn page() -> Html<String> {
    Html(GraphiQLSource::build().endpoint("/graphql").title("Underlay").finish())
}
