//! Formats JSON for people and terminals.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use underlay_kit::is_hidden;

/// Formats a value over several lines; all lines but the first are indented by `steps` levels.
///
/// Characters that control a terminal are escaped, which does not change the JSON value.
pub fn pretty(value: &Value, steps: usize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, PrettyFormatter::with_indent(b"  "));
    // Writing a JSON value with text keys to memory cannot fail.
    let _ = value.serialize(&mut serializer);
    let text = escaped(&String::from_utf8_lossy(&bytes));
    text.replace('\n', &format!("\n{}", "  ".repeat(steps)))
}

/// Escapes the characters that JSON allows unescaped and for which [`is_hidden`] is true. Such characters occur only in
/// texts, so the JSON value does not change.
pub fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        // A line feed between the lines of a document is a control character, but not part of a text.
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
