//! Values as PostgreSQL reads them from text: as the elements of an array, and as the fields of a copied row.

use std::fmt::{self, Write};

use sea_orm::sea_query::ColumnType;
use sea_orm::{ColumnTrait, DbErr, Value};

/// What PostgreSQL calls the type of a column.
pub(super) fn type_name(column: &impl ColumnTrait) -> Result<&'static str, DbErr> {
    match column.def().get_column_type() {
        ColumnType::Text | ColumnType::String(_) => Ok("text"),
        ColumnType::Uuid => Ok("uuid"),
        ColumnType::SmallInteger => Ok("smallint"),
        ColumnType::Integer => Ok("integer"),
        ColumnType::BigInteger => Ok("bigint"),
        ColumnType::Double => Ok("double precision"),
        ColumnType::Boolean => Ok("boolean"),
        ColumnType::Date => Ok("date"),
        ColumnType::TimestampWithTimeZone => Ok("timestamptz"),
        ColumnType::Json | ColumnType::JsonBinary => Ok("jsonb"),
        other => Err(DbErr::Type(format!("column {} is of type {other:?}, which is not written", column.as_str()))),
    }
}

/// Appends a value as an element of an array (PostgreSQL manual, 8.15.6).
pub(super) fn push_element(array: &mut String, value: &Value) -> Result<(), DbErr> {
    push(array, value, "NULL", |array, text| {
        array.push('"');
        push_escaped(array, text, |byte| match byte {
            b'"' => Some("\\\""),
            b'\\' => Some("\\\\"),
            _ => None,
        });
        array.push('"');
    })
}

/// Appends a value as a field of a row in the text format of COPY (PostgreSQL manual, COPY).
pub(super) fn push_field(row: &mut String, value: &Value) -> Result<(), DbErr> {
    push(row, value, "\\N", |row, text| {
        push_escaped(row, text, |byte| match byte {
            b'\\' => Some("\\\\"),
            b'\t' => Some("\\t"),
            b'\n' => Some("\\n"),
            b'\r' => Some("\\r"),
            _ => None,
        });
    })
}

/// Appends a value; `quote` appends a text so that it ends where it should.
fn push(to: &mut String, value: &Value, null: &str, quote: impl Fn(&mut String, &str)) -> Result<(), DbErr> {
    let pushed: fmt::Result = match value {
        Value::String(Some(text)) => {
            quote(to, text);
            Ok(())
        }
        Value::Json(Some(json)) => {
            quote(to, &json.to_string());
            Ok(())
        }
        Value::Bool(Some(value)) => write!(to, "{value}"),
        Value::SmallInt(Some(value)) => write!(to, "{value}"),
        Value::Int(Some(value)) => write!(to, "{value}"),
        Value::BigInt(Some(value)) => write!(to, "{value}"),
        Value::Double(Some(value)) => write!(to, "{value}"),
        Value::Uuid(Some(value)) => write!(to, "{value}"),
        Value::ChronoDate(Some(value)) => write!(to, "{value}"),
        Value::ChronoDateTimeUtc(Some(value)) => write!(to, "{}", value.format("%Y-%m-%dT%H:%M:%S%.6fZ")),
        value if *value == value.as_null() => write!(to, "{null}"),
        other => return Err(DbErr::Type(format!("a value like {other:?} is not written"))),
    };
    // Writing to a text cannot fail.
    pushed.map_err(|error| DbErr::Type(error.to_string()))
}

/// Appends a text with some of its bytes replaced, all of which are characters of one byte.
fn push_escaped(to: &mut String, text: &str, escaped: impl Fn(u8) -> Option<&'static str>) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(escape) = escaped(byte) {
            to.push_str(&text[from..at]);
            to.push_str(escape);
            from = at + 1;
        }
    }
    to.push_str(&text[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_they_must_be() {
        let text = |push: fn(&mut String, &Value) -> Result<(), DbErr>, value: &Value| {
            let mut text = String::new();
            push(&mut text, value).map(|()| text)
        };
        for (value, element, field) in [
            (Value::from("NULL"), r#""NULL""#, "NULL"),
            (Value::from(""), r#""""#, ""),
            (Value::from(r#"a "b", {c} \d"#), r#""a \"b\", {c} \\d""#, r#"a "b", {c} \\d"#),
            (Value::from("\\N\t\r\nä\\."), "\"\\\\N\t\r\nä\\\\.\"", r"\\N\t\r\nä\\."),
            (Value::from(None::<String>), "NULL", r"\N"),
            (Value::from(None::<sea_orm::prelude::Uuid>), "NULL", r"\N"),
            (Value::from(serde_json::json!({ "a": "\"" })), r#""{\"a\":\"\\\"\"}""#, r#"{"a":"\\""}"#),
            (Value::from(-7_i64), "-7", "-7"),
            (Value::from(0.5), "0.5", "0.5"),
            (Value::from(true), "true", "true"),
            (Value::from(chrono::DateTime::UNIX_EPOCH), "1970-01-01T00:00:00.000000Z", "1970-01-01T00:00:00.000000Z"),
        ] {
            assert_eq!(text(push_element, &value).as_deref().ok(), Some(element));
            assert_eq!(text(push_field, &value).as_deref().ok(), Some(field));
        }
        assert!(text(push_element, &Value::from('c')).is_err(), "no column is of such a type");
    }
}
