//! JSON for people and terminals.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use underlay_kit::is_hidden;

/// A value over several lines, indented by so many steps after the first line.
///
/// Characters that a terminal would obey are escaped; it is the same JSON.
pub(in crate::cli) fn pretty(value: &Value, steps: usize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, PrettyFormatter::with_indent(b"  "));
    // A JSON value with text for keys, written to memory: it cannot fail.
    let _ = value.serialize(&mut serializer);
    let text = escaped(&String::from_utf8_lossy(&bytes));
    text.replace('\n', &format!("\n{}", "  ".repeat(steps)))
}

/// Escapes the characters that JSON may hold as they are and [`is_hidden`] knows. Such characters stand in texts only, so
/// it is the same value.
pub(in crate::cli) fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        // The lines of a document end with a control character that is no part of a text.
        match is_hidden(letter) && letter != '\n' {
            true => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| _ = write!(out, "\\u{unit:04x}")),
            false => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_indented_and_harmless() {
        let value = json!({"a": "\u{9b}1m\u{202e}é\u{61c}\u{200b}\u{e0041}", "b": []});
        let text = pretty(&value, 1);
        assert_eq!(text, "{\n    \"a\": \"\\u009b1m\\u202eé\\u061c\\u200b\\udb40\\udc41\",\n    \"b\": []\n  }");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
    }
}
