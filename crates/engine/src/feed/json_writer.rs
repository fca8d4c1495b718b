//! Writes JSON objects as text, member by member.
//!
//! A batch writes the record of each object once, and the records are seldom read. Building a tree first would take
//! longer than planning the batch.

use serde::Serialize;

/// The capacity that suffices for most objects, in bytes.
const INITIAL_CAPACITY_BYTES: usize = 512;

/// A JSON object that is being written.
pub(super) struct JsonWriter(Vec<u8>);

impl Default for JsonWriter {
    fn default() -> Self {
        let mut text = Vec::with_capacity(INITIAL_CAPACITY_BYTES);
        text.push(b'{');
        Self(text)
    }
}

impl JsonWriter {
    /// Adds a member. The name must be one of this code base, without characters that JSON would escape.
    pub fn add(&mut self, name: &str, value: &impl Serialize) {
        self.add_with(name, |text| serde_json::to_writer(text, value));
    }

    /// Adds a member whose value is appended by the function `write`.
    pub fn add_with(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>) -> Result<(), serde_json::Error>) {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        self.0.push(b'"');
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(b"\":");
        let start = self.0.len();
        // The columns of a row are plain values, which can always be written.
        if write(&mut self.0).is_err() {
            self.0.truncate(start);
            self.0.extend_from_slice(b"null");
        }
    }

    /// Adds a member, unless its value is null, an empty list or an empty object.
    pub fn add_unless_empty(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>) -> Result<(), serde_json::Error>) {
        let start = self.0.len();
        self.add_with(name, write);
        if [&b":null"[..], b":[]", b":{}"].iter().any(|empty| self.0.ends_with(empty)) {
            self.0.truncate(start);
        }
    }

    /// Closes the object and returns its text.
    pub fn end(mut self) -> String {
        self.0.push(b'}');
        // serde_json writes UTF-8 only.
        String::from_utf8(self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(write: &str) -> impl FnOnce(&mut Vec<u8>) -> Result<(), serde_json::Error> {
        move |text| serde_json::to_writer(text, &serde_json::from_str::<serde_json::Value>(write)?)
    }

    #[test]
    fn members_make_an_object() {
        assert_eq!(JsonWriter::default().end(), "{}");
        let mut writer = JsonWriter::default();
        writer.add_unless_empty("nothing", text("null"));
        writer.add("name", &"a \"quoted\" näme");
        writer.add_unless_empty("list", text("[]"));
        writer.add_unless_empty("full", text("[1]"));
        writer.add_unless_empty("map", text("{}"));
        writer.add("empty", &json!({}));
        let read: serde_json::Value = serde_json::from_str(&writer.end()).expect("an object");
        assert_eq!(read, json!({ "name": "a \"quoted\" näme", "full": [1], "empty": {} }));
    }

    #[test]
    fn a_text_that_ends_like_something_empty_is_kept() {
        for value in [json!(":null"), json!("a:[]"), json!({ "a": null }), json!([[]]), json!({ "a": {} })] {
            let mut writer = JsonWriter::default();
            writer.add_unless_empty("value", text(&value.to_string()));
            let read: serde_json::Value = serde_json::from_str(&writer.end()).expect("an object");
            assert_eq!(read["value"], value);
        }
    }

    #[test]
    fn values_that_cannot_be_written_are_null() {
        let mut writer = JsonWriter::default();
        writer.add_with("broken", |text| {
            text.extend_from_slice(b"[1,");
            Err(serde::ser::Error::custom("broken"))
        });
        assert_eq!(writer.end(), r#"{"broken":null}"#);
    }
}
