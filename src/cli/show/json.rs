//! JSON for people and terminals.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

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

/// Escapes what JSON may hold as it is and a terminal would obey. Such characters stand in texts only.
pub(in crate::cli) fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '\u{7f}'..='\u{9f}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
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
        let value = json!({"a": "\u{9b}1m\u{202e}é", "b": []});
        let text = pretty(&value, 1);
        assert_eq!(text, "{\n    \"a\": \"\\u009b1m\\u202eé\",\n    \"b\": []\n  }");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
    }
}
