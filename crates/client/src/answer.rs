//! Reads the answers of a server.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{ClientError, GraphqlError};

/// The number of characters of an unreadable body that an error quotes.
const SHOWN_CHARACTERS: usize = 200;

/// The body of an answer without errors. It is parsed in one pass, because it can be large.
#[derive(Deserialize)]
struct Good<T> {
    data: T,
    #[serde(default)]
    errors: Vec<GraphqlError>,
}

/// The body of an answer in GraphQL's format.
#[derive(Deserialize)]
struct Body {
    data: Option<Value>,
    #[serde(default)]
    errors: Vec<GraphqlError>,
}

/// The answer of a server to an operation: data, errors, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphqlAnswer {
    /// The data; null if an error left none.
    pub data: Value,
    /// The errors of the operation.
    pub errors: Vec<GraphqlError>,
}

/// Returns the data of an answer, or the reason why there is none.
pub(crate) fn read<T: DeserializeOwned>(server: &str, status: u16, bytes: &[u8]) -> Result<T, ClientError> {
    if let Ok(Good { data, errors }) = serde_json::from_slice::<Good<T>>(bytes)
        && errors.is_empty()
    {
        return Ok(data);
    }
    let answer = read_whole(server, status, bytes)?;
    if !answer.errors.is_empty() {
        return Err(ClientError::Graphql(answer.errors));
    }
    serde_json::from_value(answer.data)
        .map_err(|error| ClientError::NotGraphql { server: server.to_owned(), reason: error.to_string() })
}

/// Returns the data and errors of an answer as they were received.
pub(crate) fn read_whole(server: &str, status: u16, bytes: &[u8]) -> Result<GraphqlAnswer, ClientError> {
    // An error comes with status 400 or 200, depending on the server, so only the body decides.
    let body = match serde_json::from_slice::<Body>(bytes) {
        Ok(body) if body.data.is_some() || !body.errors.is_empty() => body,
        _ if !(200..300).contains(&status) => {
            return Err(ClientError::Http {
                server: server.to_owned(),
                status,
                body: beginning(bytes),
                retry_after: None,
            });
        }
        _ => {
            let reason = format!("{:?}", beginning(bytes));
            return Err(ClientError::NotGraphql { server: server.to_owned(), reason });
        }
    };
    Ok(GraphqlAnswer { data: body.data.unwrap_or_default(), errors: body.errors })
}

/// Returns the beginning of a body in one line, without control characters.
fn beginning(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN_CHARACTERS * 4)]);
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Result<Value, ClientError> {
        read("http://s", status, body.as_bytes())
    }

    #[test]
    fn the_body_decides_between_data_and_errors() {
        assert_eq!(answer(200, r#"{"data": {"a": 1}}"#), Ok(serde_json::json!({"a": 1})));
        let refused = r#"{"data": null, "errors": [{"message": "no", "extensions": {"code": "INVALID"}}]}"#;
        for status in [200, 400] {
            let error = answer(status, refused).expect_err("refused");
            assert_eq!(error.to_string(), "the server refuses: no (INVALID)");
        }
    }

    #[test]
    fn other_answers_are_quoted() {
        for (status, body, expected) in [
            (404, "", "the server http://s answered with the HTTP status 404"),
            (502, "<html>\n\u{1b}[1mBad</html>", "HTTP status 502: <html> [1mBad</html>"),
            (200, "<html>", "does not answer as a GraphQL server does: \"<html>\""),
            (200, "{}", "does not answer as a GraphQL server does: \"{}\""),
        ] {
            let error = answer(status, body).expect_err("no answer").to_string();
            assert!(error.contains(expected), "{body}: {error}");
        }
        let long = answer(200, &"x".repeat(10_000)).expect_err("no answer").to_string();
        assert!(long.chars().count() < 300, "{long}");
    }
}
