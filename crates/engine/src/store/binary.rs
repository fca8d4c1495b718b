//! Encodes values in the binary format of PostgreSQL, which the server can store with almost no parsing or conversion.
//!
//! The module encodes whole rows for COPY (PostgreSQL manual, COPY, Binary Format), and the values of one column as an
//! array (`array_recv` in the source of PostgreSQL). In both formats each value follows its length, and is encoded as
//! sqlx encodes bound values.

use std::error::Error;

use sea_orm::prelude::{DateTimeUtc, Uuid};
use sea_orm::sea_query::ColumnType;
use sea_orm::sqlx::encode::IsNull;
use sea_orm::sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo};
use sea_orm::sqlx::{Encode, Postgres, Type};
use sea_orm::{ColumnTrait, DbErr, Value};

/// The header before the rows: the signature, no flags, no extension.
pub(super) const COPY_HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// The trailer after the rows.
pub(super) const COPY_TRAILER: &[u8] = &(-1_i16).to_be_bytes();

/// The length that stands for a null value.
const NULL_LENGTH: i32 = -1;
/// The version of the jsonb format, which precedes its text.
const JSONB_VERSION: u8 = 1;

/// Encoded rows for COPY, one after the other.
#[derive(Default)]
pub(super) struct CopiedRows {
    bytes: PgArgumentBuffer,
}

impl CopiedRows {
    /// Creates an empty list of rows with room for this number of bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        let mut rows = Self::default();
        rows.bytes.reserve(bytes);
        rows
    }

    /// Appends a row. Its values must have the types of their columns.
    ///
    /// # Errors
    /// Returns an error if a value has a type that no column has, or is too large for the database.
    pub fn push(&mut self, values: impl ExactSizeIterator<Item = Value>) -> Result<(), DbErr> {
        let count = i16::try_from(values.len()).map_err(|error| unwritten(&error))?;
        self.bytes.extend_from_slice(&count.to_be_bytes());
        for value in values {
            push_value(&mut self.bytes, &value)?;
        }
        Ok(())
    }

    /// Returns the bytes of the rows, without header and trailer.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The values of one column of many rows, for a statement that makes rows from such arrays.
pub(super) struct ColumnArray {
    array: PgTypeInfo,
    bytes: PgArgumentBuffer,
}

impl ColumnArray {
    /// Creates an array of values, all of the type of a column.
    ///
    /// # Errors
    /// Returns an error if the column's type is not supported, or if a value is too large for the database.
    pub fn of(column: impl ColumnTrait, values: impl ExactSizeIterator<Item = Value>) -> Result<Self, DbErr> {
        let (element, array) = types(&column)?;
        let of_element = element.oid().ok_or_else(|| unwritten(&"a type without a number"))?;
        let count = i32::try_from(values.len()).map_err(|error| unwritten(&error))?;
        let mut bytes = PgArgumentBuffer::default();
        // One dimension, with possible nulls, and indexes that start at 1.
        for number in [1, 1] {
            bytes.extend_from_slice(&i32::to_be_bytes(number));
        }
        bytes.extend_from_slice(&of_element.0.to_be_bytes());
        for number in [count, 1] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        for value in values {
            push_value(&mut bytes, &value)?;
        }
        Ok(Self { array, bytes })
    }
}

impl Type<Postgres> for ColumnArray {
    fn type_info() -> PgTypeInfo {
        // The type differs between arrays; `produces` returns it when an array is bound.
        String::array_type_info()
    }
}

impl<'q> Encode<'q, Postgres> for ColumnArray {
    fn encode_by_ref(&self, bytes: &mut PgArgumentBuffer) -> Result<IsNull, Box<dyn Error + Send + Sync>> {
        bytes.extend_from_slice(&self.bytes);
        Ok(IsNull::No)
    }

    fn produces(&self) -> Option<PgTypeInfo> {
        Some(self.array.clone())
    }

    fn size_hint(&self) -> usize {
        self.bytes.len()
    }
}

/// Returns the type of a column, and the type of an array of its values.
fn types(column: &impl ColumnTrait) -> Result<(PgTypeInfo, PgTypeInfo), DbErr> {
    fn of<T: Type<Postgres> + PgHasArrayType>() -> (PgTypeInfo, PgTypeInfo) {
        (T::type_info(), T::array_type_info())
    }
    Ok(match column.def().get_column_type() {
        ColumnType::Text | ColumnType::String(_) => of::<String>(),
        ColumnType::Uuid => of::<Uuid>(),
        ColumnType::SmallInteger => of::<i16>(),
        ColumnType::Integer => of::<i32>(),
        ColumnType::BigInteger => of::<i64>(),
        ColumnType::Double => of::<f64>(),
        ColumnType::Boolean => of::<bool>(),
        ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob => of::<Vec<u8>>(),
        ColumnType::Date => of::<chrono::NaiveDate>(),
        ColumnType::TimestampWithTimeZone => of::<DateTimeUtc>(),
        ColumnType::Json | ColumnType::JsonBinary => of::<serde_json::Value>(),
        other => return Err(unwritten(&format!("column {} is of type {other:?}", column.as_str()))),
    })
}

/// Appends a value after its length.
fn push_value(bytes: &mut PgArgumentBuffer, value: &Value) -> Result<(), DbErr> {
    let start = bytes.len();
    bytes.extend_from_slice(&NULL_LENGTH.to_be_bytes());
    let encoded = match value {
        Value::String(Some(value)) => encode(bytes, &value.as_str()),
        Value::Json(Some(value)) => {
            bytes.push(JSONB_VERSION);
            serde_json::to_writer(&mut **bytes, value).map_err(Into::into)
        }
        Value::Bool(Some(value)) => encode(bytes, value),
        Value::SmallInt(Some(value)) => encode(bytes, value),
        Value::Int(Some(value)) => encode(bytes, value),
        Value::BigInt(Some(value)) => encode(bytes, value),
        Value::Double(Some(value)) => encode(bytes, value),
        Value::Uuid(Some(value)) => encode(bytes, value),
        Value::Bytes(Some(value)) => encode(bytes, &value.as_slice()),
        Value::ChronoDate(Some(value)) => encode(bytes, value),
        Value::ChronoDateTimeUtc(Some(value)) => encode(bytes, value),
        value if *value == value.as_null() => return Ok(()),
        other => return Err(unwritten(&format!("a value like {other:?}"))),
    };
    encoded.map_err(|error| unwritten(&error))?;
    let from = start + NULL_LENGTH.to_be_bytes().len();
    let length = i32::try_from(bytes.len() - from).map_err(|error| unwritten(&error))?;
    bytes[start..from].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

fn encode<'v, T: Encode<'v, Postgres>>(
    bytes: &mut PgArgumentBuffer,
    value: &T,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    value.encode_by_ref(bytes).map(drop)
}

pub(super) fn unwritten(what: &dyn std::fmt::Display) -> DbErr {
    DbErr::Type(format!("a row is not written: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_length_and_the_form_of_their_type() {
        let uuid = sea_orm::prelude::Uuid::from_u128(7);
        let second = chrono::DateTime::from_timestamp(946_684_801, 0);
        let day = chrono::NaiveDate::from_ymd_opt(1999, 12, 31);
        for (value, bytes) in [
            (Value::from("ä\t"), &b"\0\0\0\x03\xc3\xa4\t"[..]),
            (Value::from(""), b"\0\0\0\0"),
            (Value::from(None::<String>), b"\xff\xff\xff\xff"),
            (Value::from(None::<sea_orm::prelude::Uuid>), b"\xff\xff\xff\xff"),
            (Value::from(serde_json::json!({ "a": null })), b"\0\0\0\x0b\x01{\"a\":null}"),
            (Value::from(true), b"\0\0\0\x01\x01"),
            (Value::from(-2_i16), b"\0\0\0\x02\xff\xfe"),
            (Value::from(-7_i32), b"\0\0\0\x04\xff\xff\xff\xf9"),
            (Value::from(258_i64), b"\0\0\0\x08\0\0\0\0\0\0\x01\x02"),
            (Value::from(0.5), b"\0\0\0\x08\x3f\xe0\0\0\0\0\0\0"),
            (Value::from(uuid), b"\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07"),
            (Value::from(vec![0_u8, 255]), b"\0\0\0\x02\0\xff"),
            (Value::from(second), b"\0\0\0\x08\0\0\0\0\0\x0f\x42\x40"),
            (Value::from(day), b"\0\0\0\x04\xff\xff\xff\xff"),
        ] {
            let mut rows = CopiedRows::default();
            rows.push([value.clone(), value].into_iter()).unwrap();
            assert_eq!(rows.bytes(), [b"\0\x02", bytes, bytes].concat());
        }
        assert!(CopiedRows::default().push([Value::from('c')].into_iter()).is_err(), "no column is of such a type");
    }

    #[test]
    fn an_array_has_the_type_of_its_column_and_the_values_of_a_copy() {
        let values = [Value::from("a"), Value::from(None::<String>)];
        let array = ColumnArray::of(underlay_entity::batch::Column::Source, values.into_iter()).unwrap();
        let head = b"\0\0\0\x01\0\0\0\x01\0\0\0\x19\0\0\0\x02\0\0\0\x01";
        assert_eq!(*array.bytes, [&head[..], b"\0\0\0\x01a\xff\xff\xff\xff"].concat());
        assert_eq!(array.produces(), Some(String::array_type_info()));
        let json = ColumnArray::of(underlay_entity::request::Column::Outcome, std::iter::empty()).unwrap();
        assert_eq!(json.produces(), Some(serde_json::Value::array_type_info()));
    }
}
