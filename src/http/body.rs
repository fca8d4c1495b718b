//! What clients send: requests as JSON, wherever they come from. Nothing parses a query before its size was looked at,
//! where its document is read (`documents`).

use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// A body that is no request.
#[derive(Debug, Error)]
#[error("the body is no GraphQL request: {0}")]
pub struct Unread(#[from] serde_json::Error);

/// Reads a request as JSON.
pub fn read(body: &[u8]) -> Result<async_graphql::Request, Unread> {
    Ok(serde_json::from_slice(body)?)
}

/// A request in the address.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parameters {
    #[serde(default)]
    query: String,
    operation_name: Option<String>,
    /// JSON.
    variables: Option<String>,
    /// JSON.
    extensions: Option<String>,
}

/// Reads a request in the address; `None` when there is none in it.
///
/// # Errors
/// With a sentence.
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

/// The value of a parameter that is JSON.
fn parameter<T: DeserializeOwned + Default>(name: &str, text: Option<String>) -> Result<T, String> {
    let read = text.filter(|text| !text.is_empty()).map(|text| serde_json::from_str::<Option<T>>(&text)).transpose();
    let value = read.map_err(|error| format!("the parameter {name} must be a JSON object: {error}"))?;
    Ok(value.flatten().unwrap_or_default())
}
