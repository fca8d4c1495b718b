//! What clients send: requests as JSON, wherever they come from. Nothing parses a query before its nesting was looked at.

use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::limits::Limit;
use super::nesting::{self, Text};

/// Why a body cannot be answered.
pub enum Unread {
    /// It is not JSON, or no request.
    NoRequest(serde_json::Error),
    /// Its query must not be parsed.
    TooDeep,
    /// Its query has too many tokens.
    TooLong { tokens: usize, most: usize },
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
            Self::TooDeep => {
                write!(f, "the query is nested too deep: at most {} brackets may stand in each other", nesting::MOST)
            }
            Self::TooLong { tokens, most } => f.write_str(&Limit::Tokens.exceeded(*tokens as u64, *most)),
        }
    }
}

/// Reads a request as JSON, whose query may have so many tokens.
pub fn read(body: &[u8], most_tokens: usize) -> Result<async_graphql::Request, Unread> {
    let request: async_graphql::Request = serde_json::from_slice(body)?;
    check(&request.query, most_tokens)?;
    Ok(request)
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
pub fn read_address(address: &Uri, most_tokens: usize) -> Result<Option<async_graphql::Request>, String> {
    let Query(parameters) = Query::<Parameters>::try_from_uri(address).map_err(|error| error.body_text())?;
    let Parameters { query, operation_name, variables, extensions } = parameters;
    if query.is_empty() && extensions.is_none() {
        return Ok(None);
    }
    let mut request = async_graphql::Request::new(query);
    request.operation_name = operation_name;
    request.variables = parameter("variables", variables)?;
    request.extensions = parameter("extensions", extensions)?;
    check(&request.query, most_tokens).map_err(|unread| unread.to_string())?;
    Ok(Some(request))
}

/// The value of a parameter that is JSON.
fn parameter<T: DeserializeOwned + Default>(name: &str, text: Option<String>) -> Result<T, String> {
    let read = text.filter(|text| !text.is_empty()).map(|text| serde_json::from_str::<Option<T>>(&text)).transpose();
    let value = read.map_err(|error| format!("the parameter {name} must be a JSON object: {error}"))?;
    Ok(value.flatten().unwrap_or_default())
}

fn check(query: &str, most: usize) -> Result<(), Unread> {
    match nesting::look(query) {
        Text { depth, .. } if depth > nesting::MOST => Err(Unread::TooDeep),
        Text { tokens, .. } if tokens > most => Err(Unread::TooLong { tokens, most }),
        _ => Ok(()),
    }
}
