//! Errors that do not repeat what a client sent, if the object can have secrets: people put a password into the wrong
//! field.

use serde_json::Value as Json;
use underlay_error::Refusal;

use super::shape::{shorten, shorten_text};

/// The parts of an item that errors about it repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    /// The names of fields, and the values that are refused.
    Values,
    /// The names of fields alone, because a value can be a secret in the wrong field.
    Fields,
}

/// What takes the place of a value.
const HIDDEN: &str = "the value given";
/// The least number of characters of a number that could be a secret. Shorter ones occur in errors by chance.
const MIN_NUMBER_CHARACTERS: usize = 4;

impl Echo {
    /// Returns an error as it may be shown, about an item with these values.
    pub fn show<'a>(self, refusal: Refusal, values: impl IntoIterator<Item = &'a Json>) -> Refusal {
        if self == Self::Values {
            return refusal;
        }
        let mut shown = Vec::new();
        values.into_iter().for_each(|value| forms(value, &mut shown));
        // A value contains others, and comes first.
        shown.sort_by_key(|form| std::cmp::Reverse(form.len()));
        refusal.map_text(|text| shown.iter().fold(text, |text, form| text.replace(form, HIDDEN)))
    }
}

/// Adds the forms in which errors repeat a value, and the values in it.
fn forms(value: &Json, shown: &mut Vec<String>) {
    match value {
        Json::Null | Json::Bool(_) => return,
        Json::Number(number) if number.to_string().len() < MIN_NUMBER_CHARACTERS => return,
        Json::Number(_) => {}
        Json::String(text) => shown.push(format!("{:?}", shorten_text(text))),
        Json::Array(list) => list.iter().for_each(|value| forms(value, shown)),
        Json::Object(members) => members.values().for_each(|value| forms(value, shown)),
    }
    shown.push(shorten(value));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_shows_no_value_of_an_item_that_must_not_be_repeated() {
        let long = "x".repeat(300);
        for (value, reason, shown) in [
            (json!("hunter2"), "must be one of A, B, not \"hunter2\"", "must be one of A, B, not the value given"),
            (json!({"a": "hunter2"}), "must be text, not {\"a\":\"hunter2\"}", "must be text, not the value given"),
            (
                json!(["a", "hunter2"]),
                "is \"hunter2\", which is in the list",
                "is the value given, which is in the list",
            ),
            (json!(123_456), "must be text, not 123456", "must be text, not the value given"),
            (json!(25), "must be 1 to 253 characters", "must be 1 to 253 characters"),
            (json!("with \"quotes\""), "not \"with \\\"quotes\\\"\"", "not the value given"),
        ] {
            let refusal = Refusal::Invalid { field: "username".to_owned(), reason: reason.to_owned() };
            let found = Echo::Fields.show(refusal.clone(), [&value]);
            assert_eq!(found, Refusal::Invalid { field: "username".to_owned(), reason: shown.to_owned() });
            assert_eq!(Echo::Values.show(refusal.clone(), [&value]), refusal);
        }
        let value = json!([long]);
        let reason = format!("not {}, not {:?}", shorten(&value[0]), shorten_text(&long));
        let found = Echo::Fields.show(Refusal::Invalid { field: "username".to_owned(), reason }, [&value]);
        assert!(!found.to_string().contains("xx"), "{found}");
    }
}
