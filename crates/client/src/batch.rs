//! Large batches: the lines of `POST /apply`, and those of its answer.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::{ClientError, GraphqlError};

/// The items of a large batch, in the form in which they are sent.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    bytes: Vec<u8>,
    count: usize,
}

impl Lines {
    /// Adds an item in the form of JSON.
    pub fn push(&mut self, item: &str) {
        self.bytes.extend_from_slice(b"{\"item\":");
        self.bytes.extend_from_slice(item.as_bytes());
        self.bytes.extend_from_slice(b"}\n");
        self.count += 1;
    }

    /// Returns the number of items.
    pub fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl<'a, T: Serialize> FromIterator<&'a T> for Lines {
    fn from_iter<I: IntoIterator<Item = &'a T>>(items: I) -> Self {
        #[derive(Serialize)]
        struct Line<'a, T> {
            item: &'a T,
        }
        let mut lines = Self::default();
        for item in items {
            // Writing a JSON value to memory cannot fail.
            let _ = serde_json::to_writer(&mut lines.bytes, &Line { item });
            lines.bytes.push(b'\n');
            lines.count += 1;
        }
        lines
    }
}

/// A line of an answer: the result of an item, or the end.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line<T> {
    End { end: bool, error: Option<Refusal> },
    Item(T),
}

/// The reason why the server stopped before the end.
#[derive(Deserialize)]
struct Refusal {
    code: String,
    field: Option<String>,
    message: String,
}

/// Reads the results of the items that were sent.
///
/// # Errors
/// Returns an error if a result or the last line is missing: then nobody knows what became of the rest.
pub(crate) fn read<T: DeserializeOwned>(server: &str, answer: &[u8], sent: usize) -> Result<Vec<T>, ClientError> {
    let unexpected = |reason| ClientError::NotGraphql { server: server.to_owned(), reason };
    let mut results = Vec::with_capacity(sent);
    for line in answer.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line).map_err(|error| unexpected(error.to_string()))? {
            Line::Item(result) => results.push(result),
            Line::End { end: true, .. } if results.len() == sent => return Ok(results),
            Line::End { error: Some(Refusal { code, field, message }), .. } => {
                let extensions = json!({"code": code, "field": field});
                let error = GraphqlError { message, path: Vec::new(), extensions, retry_after: None };
                return Err(ClientError::Graphql(vec![error]));
            }
            Line::End { .. } => break,
        }
    }
    let received = results.len();
    Err(unexpected(format!("/apply answered for {received} of {sent} items, or its last line is missing")))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn results(answer: &str, sent: usize) -> Result<Vec<Value>, String> {
        read("http://s", answer.as_bytes(), sent).map_err(|error| error.to_string())
    }

    #[test]
    fn items_are_lines() {
        let mut lines: Lines = [json!({"site": {}}), json!({"rack": {}})].iter().collect();
        lines.push("{\"port\":{}}");
        assert_eq!(lines.count(), 3);
        let bytes = lines.into_bytes();
        assert_eq!(bytes, b"{\"item\":{\"site\":{}}}\n{\"item\":{\"rack\":{}}}\n{\"item\":{\"port\":{}}}\n");
    }

    #[test]
    fn an_answer_has_a_result_for_each_item_and_an_end() {
        let [one, two] = [r#"{"line":1,"status":"CREATED"}"#, r#"{"line":2,"status":"FAILED"}"#];
        let end = r#"{"end":true,"counts":{}}"#;
        let read = results(&format!("{one}\n{two}\n{end}\n"), 2).expect("an answer");
        assert_eq!(read, [json!({"line": 1, "status": "CREATED"}), json!({"line": 2, "status": "FAILED"})]);
        for (answer, sent, expected) in [
            (format!("{one}\n{two}\n"), 2, "answered for 2 of 2 items, or its last line is missing"),
            (format!("{one}\n{end}\n"), 2, "answered for 1 of 2 items"),
            (format!("{one}\n{two}\n{end}\n"), 1, "answered for 2 of 1 items"),
            (String::new(), 0, "answered for 0 of 0 items"),
            (format!("{one}\n{{\"line\""), 1, "does not answer as a GraphQL server does: EOF"),
            (
                format!("{one}\n{{\"end\":false,\"error\":{{\"code\":\"UNAVAILABLE\",\"message\":\"no room\"}}}}\n"),
                2,
                "the server refuses: no room (UNAVAILABLE)",
            ),
        ] {
            let error = results(&answer, sent).expect_err("no answer");
            assert!(error.contains(expected), "{answer}: {error}");
        }
    }
}
