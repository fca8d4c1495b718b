//! The statements that insert rows, put together here, not by sea-orm's builder: that copies each row three times on
//! its way, which for a large batch takes longer than the database does.
//!
//! SQLite gets a placeholder for each value. PostgreSQL would spend most of its time on so many of them: it gets one
//! text for each column, an array, and makes rows of those.

use std::fmt::Write;
use std::marker::PhantomData;

use sea_orm::sea_query::ColumnType;
use sea_orm::{
    ColumnTrait, DbBackend, DbErr, EntityTrait, IdenStatic, Iterable, ModelTrait, PrimaryKeyToColumn, Statement, Value,
};

use super::insert::Clash;

/// How many rows PostgreSQL gets at a time: enough that a statement more weighs nothing, and few enough that they are
/// on their way at once, so that the next ones are made while these are written.
const MOST_POSTGRES_ROWS: usize = 500;
/// How many rows SQLite gets at a time, a power of two as the numbers below it that are used: each number makes another
/// statement, which is compiled once and kept, and those of many rows take as much memory as the rows.
const MOST_SQLITE_ROWS: usize = 256;

/// Inserts into one table.
pub(super) struct Inserts<E: EntityTrait> {
    backend: DbBackend,
    columns: Vec<E::Column>,
    /// Table and columns.
    into: String,
    /// What happens to rows that are there.
    clash: String,
    entity: PhantomData<fn() -> E>,
}

impl<E> Inserts<E>
where
    E: EntityTrait,
    E::Model: ModelTrait<Entity = E>,
{
    /// Inserts into the table of an entity.
    pub fn into(backend: DbBackend, clash: Clash) -> Self {
        let columns: Vec<E::Column> = E::Column::iter().collect();
        let into = format!("INSERT INTO \"{}\" ({})", E::default().table_name(), list(&columns));
        let clash = match clash {
            Clash::Refused => String::new(),
            Clash::Replaced => {
                let key: Vec<E::Column> = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
                let set: Vec<_> =
                    columns.iter().map(|column| format!("\"{0}\" = excluded.\"{0}\"", column.as_str())).collect();
                format!(" ON CONFLICT ({}) DO UPDATE SET {}", list(&key), set.join(", "))
            }
        };
        Self { backend, columns, into, clash, entity: PhantomData }
    }

    /// The statements that insert these rows, one after the other.
    ///
    /// # Errors
    /// When a column is of a type that no row has had so far.
    pub fn statements(&self, mut rows: &[&E::Model]) -> impl Iterator<Item = Result<Statement, DbErr>> {
        std::iter::from_fn(move || {
            let (now, later) = rows.split_at(self.rows_of(rows.len()));
            rows = later;
            (!now.is_empty()).then(|| self.statement(now))
        })
    }

    /// How many of so many rows go into the next statement.
    fn rows_of(&self, left: usize) -> usize {
        match self.backend {
            DbBackend::Postgres => left.min(MOST_POSTGRES_ROWS),
            backend => {
                let most = MOST_SQLITE_ROWS.min(most_values(backend) / self.columns.len().max(1));
                left.min(most).checked_ilog2().map_or(0, |power| 1 << power)
            }
        }
    }

    fn statement(&self, rows: &[&E::Model]) -> Result<Statement, DbErr> {
        let (rows, values) = match self.backend {
            DbBackend::Postgres => self.arrays(rows)?,
            _ => self.placeholders(rows),
        };
        let text = format!("{} {rows}{}", self.into, self.clash);
        Ok(Statement::from_sql_and_values(self.backend, text, values))
    }

    fn placeholders(&self, rows: &[&E::Model]) -> (String, Vec<Value>) {
        let row = format!("({})", vec!["?"; self.columns.len()].join(", "));
        let values = rows.iter().flat_map(|row| self.columns.iter().map(|column| row.get(*column)));
        (format!("VALUES {}", vec![row.as_str(); rows.len()].join(", ")), values.collect())
    }

    fn arrays(&self, rows: &[&E::Model]) -> Result<(String, Vec<Value>), DbErr> {
        let (mut types, mut arrays) = (Vec::new(), Vec::new());
        for (place, column) in self.columns.iter().enumerate() {
            types.push(format!("${}::text::{}[]", place + 1, type_name(column)?));
            let mut array = String::with_capacity(rows.len() * 16);
            for row in rows {
                array.push(if array.is_empty() { '{' } else { ',' });
                push_element(&mut array, &row.get(*column))?;
            }
            array.push('}');
            arrays.push(array.into());
        }
        Ok((format!("SELECT * FROM UNNEST({}) AS \"row\"", types.join(", ")), arrays))
    }
}

/// How many bound values one statement may have.
pub(super) fn most_values(backend: DbBackend) -> usize {
    match backend {
        DbBackend::Sqlite => 32_766,
        _ => 65_535,
    }
}

fn list<C: IdenStatic>(columns: &[C]) -> String {
    columns.iter().map(|column| format!("\"{}\"", column.as_str())).collect::<Vec<_>>().join(", ")
}

/// What PostgreSQL calls the type of a column.
fn type_name(column: &impl ColumnTrait) -> Result<&'static str, DbErr> {
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

/// Appends a value as an element of an array in the text form of PostgreSQL (manual, 8.15.6).
fn push_element(array: &mut String, value: &Value) -> Result<(), DbErr> {
    // Writing to a text cannot fail.
    let _ = match value {
        Value::String(Some(text)) => push_quoted(array, text),
        Value::Json(Some(json)) => push_quoted(array, &json.to_string()),
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
    Ok(())
}

fn push_quoted(array: &mut String, text: &str) -> std::fmt::Result {
    array.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\\']) {
        array.push_str(&rest[..at]);
        array.push('\\');
        // Both are one byte long.
        array.push_str(&rest[at..=at]);
        rest = &rest[at + 1..];
    }
    array.push_str(rest);
    array.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_quoted_where_they_must_be() {
        let element = |value: Value| {
            let mut array = String::new();
            push_element(&mut array, &value).map(|()| array)
        };
        for (value, expected) in [
            (Value::from("NULL"), r#""NULL""#),
            (Value::from(""), r#""""#),
            (Value::from(r#"a "b", {c} \d"#), r#""a \"b\", {c} \\d""#),
            (Value::from(None::<String>), "NULL"),
            (Value::from(None::<sea_orm::prelude::Uuid>), "NULL"),
            (Value::from(serde_json::json!({ "a": "\"" })), r#""{\"a\":\"\\\"\"}""#),
            (Value::from(-7_i64), "-7"),
            (Value::from(0.5), "0.5"),
            (Value::from(true), "true"),
            (Value::from(chrono::DateTime::UNIX_EPOCH), "1970-01-01T00:00:00.000000Z"),
        ] {
            assert_eq!(element(value).as_deref().ok(), Some(expected));
        }
        assert!(element(Value::from('c')).is_err(), "no column is of such a type");
    }
}
