//! Reads JSON that others send with care: counts its values before it is read, and refuses what can be read in two ways.
//!
//! A value takes two bytes of the text at least, and far more in memory, so a bound on bytes alone does not bound memory.
//! Counting takes no memory, and any bytes can be counted, also those that are no JSON.

mod unique;

pub use unique::unique;

/// Returns a number that is at least the number of values in a JSON text: of numbers, texts, lists, objects, and so on.
/// It is the number of values if no list and no object is empty.
pub fn values(json: &[u8]) -> usize {
    // In each list or object, there is one value more than there are commas.
    let (mut values, mut is_text, mut bytes) = (1_usize, false, json.iter());
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_text = !is_text,
            b'\\' if is_text => drop(bytes.next()),
            b',' | b'[' | b'{' if !is_text => values += 1,
            _ => {}
        }
    }
    values
}

/// Returns true if a text in JSON has the character U+0000, which databases do not store in texts. In JSON it is always
/// escaped.
pub fn has_null_character(json: &[u8]) -> bool {
    let (mut is_text, mut at) = (false, 0);
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => is_text = !is_text,
            b'\\' if is_text => {
                if json[at..].starts_with(b"\\u0000") {
                    return true;
                }
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// Counts the values, and those that are missing in empty lists and objects.
    fn count(json: &Value) -> usize {
        match json {
            Value::Array(list) => 1 + list.iter().map(count).sum::<usize>().max(1),
            Value::Object(members) => 1 + members.values().map(count).sum::<usize>().max(1),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
        }
    }

    fn text() -> impl Strategy<Value = String> {
        r#"[\["{,}\]\\a-c\n\x00é]{0,6}"#
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(Value::Null), any::<i32>().prop_map(Value::from), text().prop_map(Value::from)];
        leaf.prop_recursive(6, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(text(), inner, 0..6).prop_map(|members| json!(members)),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_are_counted_as_a_reader_of_json_finds_them(json in any_json()) {
            prop_assert_eq!(values(json.to_string().as_bytes()), count(&json));
            prop_assert_eq!(values(format!("{json:#}").as_bytes()), count(&json));
        }
    }

    #[test]
    fn the_null_character_is_found_wherever_it_is() {
        for (text, has) in [
            (r#"{"a": "b"}"#, false),
            (r#"{"a": "\u0000"}"#, true),
            (r#"{"a\u0000": 1}"#, true),
            (r#"["\\\u0000"]"#, true),
            (r#"["\\u0000", "\u00000"]"#, true),
            (r#"["\\u0000", "\u0001", "u0000", "\"\\"]"#, false),
            ("\"\\", false),
            ("", false),
        ] {
            assert_eq!(has_null_character(text.as_bytes()), has, "{text}");
        }
    }
}
