//! What clients send: requests as JSON, wherever they come from. Nothing parses a query before its nesting was looked at.

use serde_json::Value;

use super::nesting;
use crate::schema;

/// From how many bytes on a body is looked through for the items of a large batch.
const LARGE: usize = 16 * 1024;

/// Why a body cannot be answered.
pub enum Unread {
    /// It is not JSON, or no request.
    NoRequest(serde_json::Error),
    /// Its query must not be parsed.
    TooDeep,
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
        }
    }
}

/// Reads a body.
pub fn read(body: &[u8]) -> Result<async_graphql::Request, Unread> {
    if body.len() < LARGE {
        let request: async_graphql::Request = serde_json::from_slice(body)?;
        return check(request);
    }
    read_value(serde_json::from_slice(body)?)
}

/// Reads a request that came within something else.
pub fn read_value(whole: Value) -> Result<async_graphql::Request, Unread> {
    let query = whole.get("query").and_then(Value::as_str);
    if query.is_some_and(nesting::is_too_deep) {
        return Err(Unread::TooDeep);
    }
    Ok(schema::read_request(whole)?)
}

/// Reads a request in the address.
///
/// # Errors
/// With a sentence.
pub fn read_query(query: &str) -> Result<async_graphql::Request, String> {
    let request = async_graphql::http::parse_query_string(query).map_err(|error| error.to_string())?;
    check(request).map_err(|unread| unread.to_string())
}

fn check(request: async_graphql::Request) -> Result<async_graphql::Request, Unread> {
    if nesting::is_too_deep(&request.query) { Err(Unread::TooDeep) } else { Ok(request) }
}
