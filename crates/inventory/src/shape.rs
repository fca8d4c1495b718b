//! The shape of a field, in words for error messages, and the values that such a message quotes.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::passwords::without_passwords;

/// The set of values that a field can hold.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Text of at most `longest` characters.
    Text { longest: usize },
    /// A whole number in a range, both ends included.
    Integer { least: i64, most: i64 },
    /// A number in a range, both ends included.
    Number { least: f64, most: f64 },
    /// The JSON values `true` and `false`.
    Boolean,
    /// One of the words that the function returns.
    Choice(fn() -> Vec<&'static str>),
    /// A date, as `2026-11-20`.
    Date,
    /// A structure with members of its own. The text describes it in error messages.
    Structure(&'static str),
    /// A reference, or a structure that contains references.
    Reference,
    /// A map that is patched key by key: labels, attributes, external references.
    PerKey,
}

impl Shape {
    /// Describes the shape in words that complete the sentence "must be …".
    pub fn words(&self) -> String {
        match self {
            Self::Text { longest } => format!("text of at most {longest} characters"),
            Self::Integer { least, most: i64::MAX } => format!("a whole number of at least {least}"),
            Self::Integer { least, most } => format!("a whole number from {least} to {most}"),
            Self::Number { least, most } if *most == f64::MAX => format!("a number of at least {least}"),
            Self::Number { least, most } => format!("a number from {least} to {most}"),
            Self::Boolean => "true or false".to_owned(),
            Self::Choice(words) => format!("one of {}", words().join(", ")),
            Self::Date => "a date such as 2026-11-20".to_owned(),
            Self::Structure(words) => (*words).to_owned(),
            Self::Reference => "a reference".to_owned(),
            Self::PerKey => "a map".to_owned(),
        }
    }
}

/// The number of characters of a value that an error message repeats: so many that its author finds it. It can be a
/// secret that stands in the wrong place, and the errors of runs are kept.
const MAX_VALUE_CHARACTERS: usize = 20;

/// Shortens a value for an error message: after 20 characters it ends with "…". The passwords of URLs are left out.
pub fn shorten(value: &Json) -> String {
    let text = value.to_string();
    let text = without_passwords(&text);
    // The quotation marks of a text are none of its characters.
    let (most, quotes) = if value.is_string() { (MAX_VALUE_CHARACTERS + 1, 1) } else { (MAX_VALUE_CHARACTERS, 0) };
    match text.char_indices().nth(most) {
        Some((end, _)) if text.len() - end > quotes => format!("{}…", &text[..end]),
        _ => text.into_owned(),
    }
}

/// Shortens a client's text for an error message: after 253 characters, the greatest length of a name, it ends with
/// "…". The passwords of URLs are left out.
pub fn shorten_text(text: &str) -> Cow<'_, str> {
    let text = without_passwords(text);
    match text.char_indices().nth(253) {
        Some((end, _)) => Cow::Owned(format!("{}…", text[..end].trim_end())),
        None => text,
    }
}
