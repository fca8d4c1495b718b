//! What clients send: requests as JSON, wherever they come from. Nothing parses a query before its size was looked at:
//! here where items are looked for by the query, else where its document is read (`documents`).

use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::large::{self, Large};
use super::nesting::{self, Excess};
use crate::schema;

/// From how many bytes on a body is looked through for the items of a large batch.
const LARGE: usize = 16 * 1024;

/// Why a body cannot be answered.
pub enum Unread {
    /// It is not JSON, or no request.
    NoRequest(serde_json::Error),
    /// Its query must not be parsed.
    Excess(Excess),
}

impl From<serde_json::Error> for Unread {
    fn from(error: serde_json::Error) -> Self {
        Self::NoRequest(error)
    }
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoRequest(error) => write!(f, "the body is no GraphQL request: {error}"),
            Self::Excess(excess) => excess.fmt(f),
        }
    }
}

/// Reads a body, whose query may have so many tokens.
pub fn read(body: &[u8], most_tokens: usize) -> Result<async_graphql::Request, Unread> {
    if body.len() < LARGE {
        return Ok(serde_json::from_slice(body)?);
    }
    if let Some(Large { whole, variable, items }) = large::part(body) {
        check_value(&whole, most_tokens)?;
        if let Some(request) = schema::read_request_apart(whole, &variable, &items)? {
            return Ok(request);
        }
    }
    read_value(serde_json::from_slice(body)?, most_tokens)
}

/// Reads a request that came within something else.
pub fn read_value(whole: Value, most_tokens: usize) -> Result<async_graphql::Request, Unread> {
    check_value(&whole, most_tokens)?;
    Ok(schema::read_request(whole)?)
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

fn check_value(request: &Value, most: usize) -> Result<(), Unread> {
    let Some(query) = request.get("query").and_then(Value::as_str) else { return Ok(()) };
    nesting::look(query, most).map(drop).map_err(Unread::Excess)
}
