//! Converts the cells of a table to values of items.

use serde_json::{Map, Number, Value, json};

use underlay_kit::{choices, excerpt, read_json};

use super::reference;
use super::types::CellType;

/// The text of a cell that clears a field; an empty cell leaves the field unchanged.
const CLEAR_WORD: &str = "null";
/// The separator between the entries of a list.
pub(crate) const LIST_SEPARATOR: char = ';';
/// The separator between the key and the value of an entry of a map.
pub(super) const KEY_SEPARATOR: char = '=';
/// The separator between the member of a value and the value.
pub(super) const MEMBER_SEPARATOR: char = '/';
/// What a cell begins with that is a text, and nothing else.
pub(super) const APOSTROPHE: char = '\'';

/// Returns the value of a cell, or `None` if it is empty. An error continues a sentence that begins with the column.
pub(super) fn read(cell: &str, cell_type: &CellType) -> Result<Option<Value>, String> {
    let (cell, is_text) = match literal(cell) {
        Some(text) => (text, true),
        None => (cell, false),
    };
    match cell.trim() {
        _ if matches!(cell_type, CellType::Computed) => Ok(None),
        "" if !is_text => Ok(None),
        CLEAR_WORD if !is_text => Ok(Some(Value::Null)),
        // Only the server can decide if spaces in a text are allowed.
        _ if matches!(cell_type, CellType::Text) => Ok(Some(cell.into())),
        trimmed => value(trimmed, cell_type).map(Some),
    }
}

/// Returns what follows the apostrophe of a cell that would mean something else without it.
fn literal(cell: &str) -> Option<&str> {
    cell.strip_prefix(APOSTROPHE).filter(|text| needs_apostrophe(text))
}

/// Returns true if a text means something else to this program or to a spreadsheet, which would run it as a formula, or
/// if it would after its first apostrophes.
pub(super) fn needs_apostrophe(text: &str) -> bool {
    let text = text.trim_start_matches(APOSTROPHE);
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) || matches!(text.trim(), "" | CLEAR_WORD)
}

fn value(text: &str, cell_type: &CellType) -> Result<Value, String> {
    match cell_type {
        CellType::Text => Ok(text.into()),
        CellType::Integer { least, most } => integer(text, *least, *most),
        CellType::Number => number(text),
        CellType::Boolean => boolean(text),
        CellType::Choice(words) => choice(text, words),
        CellType::Reference(kind) => reference::read(text, kind),
        CellType::Any => Ok(read_json(text).unwrap_or_else(|_| text.into())),
        CellType::Parts => parts(text),
        CellType::Entries => map(text),
        CellType::OneOf(members) => one_of(text, members),
        CellType::List(cell_type) => match json_list(text) {
            Some(list) => Ok(list),
            None => entries(text, |entry| value(entry, cell_type)),
        },
        CellType::ListOf(member, cell_type) => entries(text, |entry| Ok(json!({ member: value(entry, cell_type)? }))),
        CellType::Computed => Ok(Value::Null),
    }
}

/// Returns a list that is written as JSON, as lists are whose entries contain semicolons.
fn json_list(text: &str) -> Option<Value> {
    text.starts_with('[').then(|| read_json(text).ok()).flatten().filter(Value::is_array)
}

/// Reads a map from text to text: `env=prod;tier=core`.
fn map(text: &str) -> Result<Value, String> {
    if text.starts_with('{') {
        return parts(text);
    }
    let mut entries = Map::new();
    for entry in text.split(LIST_SEPARATOR).map(str::trim) {
        let Some((key, value)) = entry.split_once(KEY_SEPARATOR) else {
            return Err(format!("must have entries such as env=prod;tier=core, or be JSON, not {}", excerpt(text)));
        };
        if entries.insert(key.trim().to_owned(), value.trim().into()).is_some() {
            return Err(format!("has the key {} twice", excerpt(key)));
        }
    }
    Ok(Value::Object(entries))
}

/// Reads a value that is one of several members: `port/ams1/leaf-3/Ethernet1`.
fn one_of(text: &str, members: &[(String, CellType)]) -> Result<Value, String> {
    if text.starts_with('{') {
        return parts(text);
    }
    let (word, rest) = text.split_once(MEMBER_SEPARATOR).unwrap_or((text, ""));
    match members.iter().find(|(member, _)| member.eq_ignore_ascii_case(word)) {
        Some((member, cell_type)) => Ok(json!({ member: value(rest, cell_type)? })),
        None => {
            let forms: Vec<String> = members.iter().map(|(member, _)| format!("{member}/NAME")).collect();
            Err(format!("must be {}, with the parents before the name, not {}", forms.join(" or "), excerpt(text)))
        }
    }
}

fn integer(text: &str, least: i64, most: i64) -> Result<Value, String> {
    match text.parse::<i64>().ok().filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(number.into()),
        None => Err(format!("must be a whole number, without units or separators, not {}", excerpt(text))),
    }
}

fn number(text: &str) -> Result<Value, String> {
    let whole = text.parse::<i64>().ok().map(Number::from);
    // Rust also accepts `inf` and `nan`.
    let number = whole.or_else(|| text.parse().ok().and_then(Number::from_f64));
    number.map(Value::Number).ok_or_else(|| format!("must be a number such as 10.5, not {}", excerpt(text)))
}

fn boolean(text: &str) -> Result<Value, String> {
    match text.to_lowercase().as_str() {
        "true" | "yes" => Ok(Value::Bool(true)),
        "false" | "no" => Ok(Value::Bool(false)),
        _ => Err(format!("must be true or false (or yes or no), not {}", excerpt(text))),
    }
}

/// Reads a word of an enum in any case, with `_`, `-` or spaces between its parts.
fn choice(text: &str, words: &[String]) -> Result<Value, String> {
    let word = text.to_uppercase().replace(['-', ' '], "_");
    match words.contains(&word) {
        true => Ok(word.into()),
        false => {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            Err(format!("must not be {}; {}", excerpt(text), choices(&word, &words)))
        }
    }
}

fn parts(text: &str) -> Result<Value, String> {
    match read_json(text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
        Ok(_) => Err(format!(
            "has parts: write it as JSON, or write its parts in columns with dots, not as {}",
            excerpt(text)
        )),
        Err(error) => Err(format!("has parts: write it as JSON, or write its parts in columns with dots: {error}")),
    }
}

fn entries(text: &str, read: impl Fn(&str) -> Result<Value, String>) -> Result<Value, String> {
    let entry = |entry: &str| match entry.trim() {
        "" => Err("has an empty entry between two semicolons".to_owned()),
        entry => read(entry),
    };
    text.split(LIST_SEPARATOR).map(entry).collect::<Result<Vec<_>, _>>().map(Value::Array)
}

/// Sets a value in an item at the path of its column.
pub(super) fn put(item: &mut Map<String, Value>, members: &[String], value: Value) {
    let Some((last, above)) = members.split_last() else { return };
    let mut inner = item;
    for member in above {
        let next = inner.entry(member.as_str()).or_insert_with(|| json!({}));
        // No column is a part of another one, so an existing value on the path is an object.
        let Some(next) = next.as_object_mut() else { return };
        inner = next;
    }
    match (inner.get_mut(last), value) {
        // Ends of different kinds are in separate columns.
        (Some(Value::Array(there)), Value::Array(more)) => there.extend(more),
        (_, value) => {
            inner.insert(last.clone(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> CellType {
        CellType::Choice(["LEAF", "PATCH_PANEL"].map(str::to_owned).to_vec())
    }

    const INT: CellType = CellType::Integer { least: -5, most: 100 };

    #[test]
    fn cells_are_read_by_the_type_of_the_field() {
        let list = |cell_type| CellType::List(Box::new(cell_type));
        let parts = r#"[{"type": "MANAGEMENT"}]"#;
        for (cell, cell_type, expected) in [
            ("", INT, None),
            ("  ", CellType::Text, None),
            ("null", INT, Some(Value::Null)),
            (" a b ", CellType::Text, Some(json!(" a b "))),
            (" 7 ", INT, Some(json!(7))),
            ("7", CellType::Text, Some(json!("7"))),
            ("10", CellType::Number, Some(json!(10))),
            ("10.5", CellType::Number, Some(json!(10.5))),
            ("Yes", CellType::Boolean, Some(json!(true))),
            ("FALSE", CellType::Boolean, Some(json!(false))),
            ("leaf", words(), Some(json!("LEAF"))),
            ("patch panel", words(), Some(json!("PATCH_PANEL"))),
            ("a; b", list(CellType::Text), Some(json!(["a", "b"]))),
            ("1", list(INT), Some(json!([1]))),
            ("2027", CellType::Any, Some(json!(2027))),
            ("007", CellType::Any, Some(json!("007"))),
            (parts, CellType::Parts, Some(json!([{"type": "MANAGEMENT"}]))),
            ("1;2", CellType::ListOf("n".to_owned(), Box::new(INT)), Some(json!([{"n": 1}, {"n": 2}]))),
        ] {
            assert_eq!(read(cell, &cell_type), Ok(expected), "{cell:?} as {cell_type:?}");
        }
    }

    #[test]
    fn invalid_cells_are_rejected_with_the_allowed_form() {
        for (cell, cell_type, expected) in [
            ("1 U", INT, "must be a whole number, without units or separators, not \"1 U\""),
            ("101", INT, "must be a whole number"),
            ("1,5", CellType::Number, "must be a number such as 10.5, not \"1,5\""),
            ("nan", CellType::Number, "must be a number"),
            ("on", CellType::Boolean, "must be true or false (or yes or no), not \"on\""),
            ("leav", words(), "must not be \"leav\"; did you mean LEAF? Allowed: LEAF, PATCH_PANEL"),
            ("a;;b", CellType::List(Box::new(CellType::Text)), "has an empty entry between two semicolons"),
            ("10.0.0.1", CellType::Parts, "has parts: write it as JSON, or write its parts in columns with dots: "),
            ("5", CellType::Parts, "has parts: write it as JSON"),
            ("{\"a\":1,\"a\":2}", CellType::Parts, "stands twice"),
        ] {
            let reason = read(cell, &cell_type).expect_err("refused");
            assert!(reason.contains(expected), "{cell:?}: {reason}");
        }
    }

    #[test]
    fn values_are_set_at_the_paths_of_their_columns() {
        let mut item = Map::new();
        for (members, value) in [
            (&["name"][..], json!("x")),
            (&["placement", "startUnit"], json!(3)),
            (&["placement", "face"], json!("REAR")),
            (&["aEnds"], json!([{"port": 1}])),
            (&["aEnds"], json!([{"powerFeed": 2}])),
        ] {
            let members: Vec<String> = members.iter().map(|member| (*member).to_owned()).collect();
            put(&mut item, &members, value);
        }
        let expected = json!({
            "name": "x", "placement": {"startUnit": 3, "face": "REAR"}, "aEnds": [{"port": 1}, {"powerFeed": 2}],
        });
        assert_eq!(Value::Object(item), expected);
    }
}
