//! Reads values of a document and checks their types.
//!
//! Each reading function returns the value. If the value has the wrong type, the function adds a problem that says what
//! was found and what is allowed, and returns `None`.

use serde_json::{Map, Value};

use crate::problem::{Path, Problems, excerpt};

/// Returns the members of an object.
pub fn object<'a>(value: &'a Value, path: &Path<'_>, problems: &mut Problems) -> Option<&'a Map<String, Value>> {
    value.as_object().or_else(|| problems.refuse(path, format!("must be an object, not {}", what(value))))
}

/// Returns the elements of a list.
pub fn list<'a>(value: &'a Value, path: &Path<'_>, problems: &mut Problems) -> Option<&'a [Value]> {
    match value {
        Value::Array(elements) => Some(elements),
        other => problems.refuse(path, format!("must be a list, not {}", what(other))),
    }
}

/// Returns a text. YAML reads `14` as a number and `true` as a boolean, so the message says how to write them as texts.
pub fn text<'a>(value: &'a Value, path: &Path<'_>, problems: &mut Problems) -> Option<&'a str> {
    let reason = match value {
        Value::String(text) => return Some(text),
        Value::Number(_) | Value::Bool(_) => format!("must be a text, not {}: put it in quotation marks", what(value)),
        other => format!("must be a text, not {}", what(other)),
    };
    problems.refuse(path, reason)
}

/// Returns a text that is not empty.
pub fn name<'a>(value: &'a Value, path: &Path<'_>, problems: &mut Problems) -> Option<&'a str> {
    match text(value, path, problems)? {
        "" => problems.refuse(path, "must not be empty"),
        text => Some(text),
    }
}

/// Returns the value of a member. Treats `null` as a missing member.
pub fn optional<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// Returns the value of a required member.
pub fn required<'a>(
    object: &'a Map<String, Value>,
    name: &str,
    path: &Path<'_>,
    problems: &mut Problems,
) -> Option<&'a Value> {
    optional(object, name).or_else(|| problems.refuse(&path.member(name), "is missing, and it is required"))
}

/// Adds a problem for each member that is not allowed.
pub fn only(object: &Map<String, Value>, allowed: &[&str], path: &Path<'_>, problems: &mut Problems) {
    for name in object.keys().filter(|name| !allowed.contains(&name.as_str())) {
        problems.add(&path.member(name), format!("there is no such field; {}", choices(name, allowed)));
    }
}

/// Returns a hint such as `did you mean rack? Allowed: rack, site`, for a word that is not allowed.
pub fn choices(word: &str, allowed: &[&str]) -> String {
    let list = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
    match nearest(word, allowed) {
        Some(near) => format!("did you mean {near}? Allowed: {list}"),
        None => format!("allowed: {list}"),
    }
}

/// Returns the sort of a value in words, and nothing of the value itself.
pub const fn sort_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Describes a value in words, with the beginning of a text.
pub fn what(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {}", excerpt(text)),
        Value::Null | Value::Array(_) | Value::Object(_) => sort_of(value).to_owned(),
    }
}

/// Returns the allowed word that a typing error may have been meant for: at most a third of its letters may differ.
fn nearest<'a>(word: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(64).map(|letter| letter.to_ascii_lowercase()).collect();
    let ranked = allowed.iter().map(|candidate| {
        let letters: Vec<char> = candidate.chars().map(|letter| letter.to_ascii_lowercase()).collect();
        (distance(&word, &letters), letters.len(), *candidate)
    });
    let (distance, letters, candidate) = ranked.min_by_key(|(distance, ..)| *distance)?;
    (distance <= (letters / 3).max(1)).then_some(candidate)
}

/// Returns the Levenshtein distance.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, &letter) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (index, &other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reason(read: impl FnOnce(&mut Problems)) -> String {
        let mut problems = Problems::default();
        read(&mut problems);
        problems.into_parts().map(|(_, reason)| reason).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_wrong_type_is_named() {
        let root = Path::Root;
        for (value, expected) in [
            (json!(14), "must be a text, not the number 14: put it in quotation marks"),
            (json!(true), "must be a text, not true: put it in quotation marks"),
            (json!([]), "must be a text, not a list"),
            (json!(""), "must not be empty"),
        ] {
            assert_eq!(reason(|problems| assert_eq!(name(&value, &root, problems), None)), expected);
        }
        assert_eq!(reason(|p| assert!(list(&json!({}), &root, p).is_none())), "must be a list, not an object");
        assert_eq!(
            reason(|p| assert!(object(&json!("a"), &root, p).is_none())),
            "must be an object, not the text \"a\""
        );
    }

    #[test]
    fn a_slip_of_the_keys_gets_a_suggestion() {
        let allowed = ["heightU", "siteRef", "row"];
        assert_eq!(choices("heigthU", &allowed), "did you mean heightU? Allowed: heightU, siteRef, row");
        assert_eq!(choices("HEIGHTU", &allowed), "did you mean heightU? Allowed: heightU, siteRef, row");
        assert_eq!(choices("colour", &allowed), "allowed: heightU, siteRef, row");
        assert_eq!(choices("", &[]), "allowed: nothing");
    }
}
