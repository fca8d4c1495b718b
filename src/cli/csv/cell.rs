//! The cells of a table, as values of items.

use serde_json::{Map, Number, Value, json};

use underlay_kit::{choices, read_json, shown};

use super::reference;
use super::types::Shape;

/// What a cell says that is to clear a field: an empty one leaves it alone.
const CLEAR: &str = "null";
/// Between the entries of a list.
const BETWEEN: char = ';';

/// The value of a cell; `None` for an empty one. The error finishes a sentence that the column begins.
pub(super) fn read(cell: &str, shape: &Shape) -> Result<Option<Value>, String> {
    match cell.trim() {
        "" => Ok(None),
        CLEAR => Ok(Some(Value::Null)),
        // Spaces in texts are for the server to judge.
        _ if matches!(shape, Shape::Text) => Ok(Some(cell.into())),
        trimmed => value(trimmed, shape).map(Some),
    }
}

fn value(text: &str, shape: &Shape) -> Result<Value, String> {
    match shape {
        Shape::Text => Ok(text.into()),
        Shape::Integer { least, most } => integer(text, *least, *most),
        Shape::Number => number(text),
        Shape::Boolean => boolean(text),
        Shape::Choice(words) => choice(text, words),
        Shape::Reference(kind) => reference::read(text, kind),
        Shape::Any => Ok(read_json(text).unwrap_or_else(|_| text.into())),
        Shape::Parts => parts(text),
        Shape::List(shape) => entries(text, |entry| value(entry, shape)),
        Shape::ListOf(member, shape) => entries(text, |entry| Ok(json!({ member: value(entry, shape)? }))),
    }
}

fn integer(text: &str, least: i64, most: i64) -> Result<Value, String> {
    match text.parse::<i64>().ok().filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(number.into()),
        None => Err(format!("must be a whole number, without units or separators, not {}", shown(text))),
    }
}

fn number(text: &str) -> Result<Value, String> {
    let whole = text.parse::<i64>().ok().map(Number::from);
    // Rust also reads `inf` and `nan`.
    let number = whole.or_else(|| text.parse().ok().and_then(Number::from_f64));
    number.map(Value::Number).ok_or_else(|| format!("must be a number such as 10.5, not {}", shown(text)))
}

fn boolean(text: &str) -> Result<Value, String> {
    match text.to_lowercase().as_str() {
        "true" | "yes" => Ok(Value::Bool(true)),
        "false" | "no" => Ok(Value::Bool(false)),
        _ => Err(format!("must be true or false (or yes or no), not {}", shown(text))),
    }
}

/// A word in whatever case, its parts joined by `_`, `-` or a space.
fn choice(text: &str, words: &[String]) -> Result<Value, String> {
    let word = text.to_uppercase().replace(['-', ' '], "_");
    match words.contains(&word) {
        true => Ok(word.into()),
        false => {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            Err(format!("must not be {}; {}", shown(text), choices(&word, &words)))
        }
    }
}

fn parts(text: &str) -> Result<Value, String> {
    match read_json(text) {
        Ok(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
        Ok(_) => Err(format!("has parts: write it as JSON, or its parts in columns with dots, not as {}", shown(text))),
        Err(error) => Err(format!("has parts: it must be JSON, or in columns with dots: {error}")),
    }
}

fn entries(text: &str, read: impl Fn(&str) -> Result<Value, String>) -> Result<Value, String> {
    let entry = |entry: &str| match entry.trim() {
        "" => Err("has an empty entry between two semicolons".to_owned()),
        entry => read(entry),
    };
    text.split(BETWEEN).map(entry).collect::<Result<Vec<_>, _>>().map(Value::Array)
}

/// Puts a value into an item, where its column says.
pub(super) fn put(item: &mut Map<String, Value>, members: &[String], value: Value) {
    let Some((last, above)) = members.split_last() else { return };
    let mut inner = item;
    for member in above {
        let next = inner.entry(member.as_str()).or_insert_with(|| json!({}));
        // A column never stands for a whole and another for its part: what is there is an object.
        let Some(next) = next.as_object_mut() else { return };
        inner = next;
    }
    match (inner.get_mut(last), value) {
        // Ends of different kinds stand in columns of their own.
        (Some(Value::Array(there)), Value::Array(more)) => there.extend(more),
        (_, value) => {
            inner.insert(last.clone(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Shape {
        Shape::Choice(["LEAF", "PATCH_PANEL"].map(str::to_owned).to_vec())
    }

    const INT: Shape = Shape::Integer { least: -5, most: 100 };

    #[test]
    fn cells_are_read_by_what_the_field_holds() {
        let list = |shape| Shape::List(Box::new(shape));
        let parts = r#"[{"type": "MANAGEMENT"}]"#;
        for (cell, shape, expected) in [
            ("", INT, None),
            ("  ", Shape::Text, None),
            ("null", INT, Some(Value::Null)),
            (" a b ", Shape::Text, Some(json!(" a b "))),
            (" 7 ", INT, Some(json!(7))),
            ("7", Shape::Text, Some(json!("7"))),
            ("10", Shape::Number, Some(json!(10))),
            ("10.5", Shape::Number, Some(json!(10.5))),
            ("Yes", Shape::Boolean, Some(json!(true))),
            ("FALSE", Shape::Boolean, Some(json!(false))),
            ("leaf", words(), Some(json!("LEAF"))),
            ("patch panel", words(), Some(json!("PATCH_PANEL"))),
            ("a; b", list(Shape::Text), Some(json!(["a", "b"]))),
            ("1", list(INT), Some(json!([1]))),
            ("2027", Shape::Any, Some(json!(2027))),
            ("007", Shape::Any, Some(json!("007"))),
            (parts, Shape::Parts, Some(json!([{"type": "MANAGEMENT"}]))),
            ("1;2", Shape::ListOf("n".to_owned(), Box::new(INT)), Some(json!([{"n": 1}, {"n": 2}]))),
        ] {
            assert_eq!(read(cell, &shape), Ok(expected), "{cell:?} as {shape:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_does() {
        for (cell, shape, expected) in [
            ("1 U", INT, "must be a whole number, without units or separators, not \"1 U\""),
            ("101", INT, "must be a whole number"),
            ("1,5", Shape::Number, "must be a number such as 10.5, not \"1,5\""),
            ("nan", Shape::Number, "must be a number"),
            ("on", Shape::Boolean, "must be true or false (or yes or no), not \"on\""),
            ("leav", words(), "must not be \"leav\"; did you mean LEAF? Allowed: LEAF, PATCH_PANEL"),
            ("a;;b", Shape::List(Box::new(Shape::Text)), "has an empty entry between two semicolons"),
            ("10.0.0.1", Shape::Parts, "has parts: it must be JSON, or in columns with dots: "),
            ("5", Shape::Parts, "has parts: write it as JSON"),
            ("{\"a\":1,\"a\":2}", Shape::Parts, "stands twice"),
        ] {
            let reason = read(cell, &shape).expect_err("refused");
            assert!(reason.contains(expected), "{cell:?}: {reason}");
        }
    }

    #[test]
    fn values_are_put_where_their_columns_say() {
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
