//! Values as PostgreSQL reads them from text, as the elements of an array.

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
    let pushed: fmt::Result = match value {
        Value::String(Some(text)) => {
            push_quoted(array, text);
            Ok(())
        }
        Value::Json(Some(json)) => {
            push_quoted(array, &json.to_string());
            Ok(())
        }
        Value::Bool(Some(value)) => write!(array, "{value}"),
        Value::SmallInt(Some(value)) => write!(array, "{value}"),
        Value::Int(Some(value)) => write!(array, "{value}"),
        Value::BigInt(Some(value)) => write!(array, "{value}"),
        Value::Double(Some(value)) => write!(array, "{value}"),
        Value::Uuid(Some(value)) => write!(array, "{value}"),
        Value::ChronoDate(Some(value)) => write!(array, "{value}"),
        Value::ChronoDateTimeUtc(Some(value)) => write!(array, "{}", value.format("%Y-%m-%dT%H:%M:%S%.6fZ")),
        value if *value == value.as_null() => write!(array, "NULL"),
        other => return Err(DbErr::Type(format!("a value like {other:?} is not written"))),
    };
    // Writing to a text cannot fail.
    pushed.map_err(|error| DbErr::Type(error.to_string()))
}

/// Appends a text in quotes.
fn push_quoted(array: &mut String, text: &str) {
    array.push('"');
    let mut from = 0;
    for (at, _) in text.match_indices(['"', '\\']) {
        array.push_str(&text[from..at]);
        array.push('\\');
        from = at;
    }
    array.push_str(&text[from..]);
    array.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_they_must_be() {
        for (value, element) in [
            (Value::from("NULL"), r#""NULL""#),
            (Value::from(""), r#""""#),
            (Value::from(r#"a "b", {c} \d"#), r#""a \"b\", {c} \\d""#),
            (Value::from("\\N\t\r\nä\\."), "\"\\\\N\t\r\nä\\\\.\""),
            (Value::from(None::<String>), "NULL"),
            (Value::from(None::<sea_orm::prelude::Uuid>), "NULL"),
            (Value::from(serde_json::json!({ "a": "\"" })), r#""{\"a\":\"\\\"\"}""#),
            (Value::from(-7_i64), "-7"),
            (Value::from(0.5), "0.5"),
            (Value::from(true), "true"),
            (Value::from(chrono::DateTime::UNIX_EPOCH), "1970-01-01T00:00:00.000000Z"),
        ] {
            let mut array = String::new();
            push_element(&mut array, &value).unwrap();
            assert_eq!(array, element);
        }
        assert!(push_element(&mut String::new(), &Value::from('c')).is_err(), "no column is of such a type");
    }
}
