//! This module reads requests from JSON and from URLs. It does not parse queries: `documents` does so, after it has
//! checked their size.
//!
//! The values in a JSON text are counted before it is read (`crates/json`).

use async_graphql::{Request, Value};
use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use underlay_json::values;

/// The error for a body that is not a GraphQL request.
#[derive(Debug, Error)]
pub enum Unread {
    /// The body is not the JSON of a request.
    #[error("the body is no GraphQL request: {0}")]
    Json(#[from] serde_json::Error),
    /// The body is a list of requests.
    #[error(
        "the body is an array: requests are not taken in batches. Send each request by itself, at the same time if they do \
         not depend on each other, or ask for several fields in one request"
    )]
    Batch,
}

/// The number of bytes that a value takes in memory, without what it refers to.
pub const VALUE_BYTES: usize = size_of::<Value>();

/// Reads a request from JSON.
pub fn read(body: &[u8]) -> Result<Request, Unread> {
    // An array would be read as the members of one request.
    match body.trim_ascii_start().first() {
        Some(b'[') => Err(Unread::Batch),
        _ => Ok(serde_json::from_slice(body)?),
    }
}

/// The query parameters of a request in the URL.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameters {
    #[serde(default)]
    query: String,
    operation_name: Option<String>,
    /// The variables, as a JSON object.
    variables: Option<String>,
    /// The extensions, as a JSON object.
    extensions: Option<String>,
}

impl Parameters {
    /// Reads the parameters of a request in a URL. Returns `None` if the URL has no request.
    ///
    /// # Errors
    /// Returns an error message if a parameter is not valid.
    pub fn of(address: &Uri) -> Result<Option<Self>, String> {
        let Query(parameters) = Query::<Self>::try_from_uri(address).map_err(|error| error.body_text())?;
        Ok(Some(parameters).filter(|it| !it.query.is_empty() || it.extensions.is_some()))
    }

    /// Returns at least the number of values in the parameters that are JSON.
    pub fn values(&self) -> usize {
        let texts = [&self.variables, &self.extensions].into_iter().flatten();
        texts.map(|text| values(text.as_bytes())).sum()
    }

    /// Reads the request.
    ///
    /// # Errors
    /// Returns an error message if a parameter is not valid.
    pub fn read(self) -> Result<Request, String> {
        let mut request = Request::new(self.query);
        request.operation_name = self.operation_name;
        request.variables = parameter("variables", self.variables)?;
        request.extensions = parameter("extensions", self.extensions)?;
        Ok(request)
    }
}

/// Returns the value of a parameter that is JSON. An absent parameter has the default value.
fn parameter<T: DeserializeOwned + Default>(name: &str, text: Option<String>) -> Result<T, String> {
    let read = text.filter(|text| !text.is_empty()).map(|text| serde_json::from_str::<Option<T>>(&text)).transpose();
    let value = read.map_err(|error| format!("the parameter {name} must be a JSON object: {error}"))?;
    Ok(value.flatten().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_in_a_url_is_counted() {
        let address = "/graphql?query=%7Ba%7D&variables=%7B%22a%22%3A%5B1%2C2%5D%7D".parse().expect("a URL");
        let parameters = Parameters::of(&address).expect("parameters").expect("a request");
        assert_eq!(parameters.values(), 4);
        assert_eq!(parameters.read().expect("a request").variables.len(), 1);
        assert!(Parameters::of(&"/graphql?query=".parse().expect("a URL")).expect("parameters").is_none());
    }
}
