//! This module reads requests from JSON and from URLs. It does not parse queries: `documents` does so, after it has
//! checked their size.

use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The error for a body that is not a GraphQL request.
#[derive(Debug, Error)]
#[error("the body is no GraphQL request: {0}")]
pub struct Unread(#[from] serde_json::Error);

/// Reads a request from JSON.
pub fn read(body: &[u8]) -> Result<async_graphql::Request, Unread> {
    Ok(serde_json::from_slice(body)?)
}

/// The query parameters of a request in the URL.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parameters {
    #[serde(default)]
    query: String,
    operation_name: Option<String>,
    /// The variables, as a JSON object.
    variables: Option<String>,
    /// The extensions, as a JSON object.
    extensions: Option<String>,
}

/// Reads a request from the URL. Returns `None` if the URL has none.
///
/// # Errors
/// Returns an error message if a parameter is not valid.
pub fn read_address(address: &Uri) -> Result<Option<async_graphql::Request>, String> {
    let Query(parameters) = Query::<Parameters>::try_from_uri(address).map_err(|error| error.body_text())?;
    let Parameters { query, operation_name, variables, extensions } = parameters;
    if query.is_empty() && extensions.is_none() {
        return Ok(None);
    }
    let mut request = async_graphql::Request::new(query);
    request.operation_name = operation_name;
    request.variables = parameter("variables", variables)?;
    request.extensions = parameter("extensions", extensions)?;
    Ok(Some(request))
}

/// Returns the value of a parameter that is JSON. An absent parameter has the default value.
fn parameter<T: DeserializeOwned + Default>(name: &str, text: Option<String>) -> Result<T, String> {
    let read = text.filter(|text| !text.is_empty()).map(|text| serde_json::from_str::<Option<T>>(&text)).transpose();
    let value = read.map_err(|error| format!("the parameter {name} must be a JSON object: {error}"))?;
    Ok(value.flatten().unwrap_or_default())
}
