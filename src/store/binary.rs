//! Rows in the binary format of PostgreSQL's COPY (PostgreSQL manual, COPY, Binary Format), of which the server has
//! nothing to take apart and next to nothing to convert. Values are encoded as sqlx encodes what is bound to a
//! statement.

use std::error::Error;

use sea_orm::sqlx::postgres::PgArgumentBuffer;
use sea_orm::sqlx::{Encode, Postgres};
use sea_orm::{DbErr, Value};

/// What stands before the rows: the signature, no flags, no extension.
pub(super) const BEGIN: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// What stands after them.
pub(super) const END: &[u8] = &(-1_i16).to_be_bytes();

/// The length of a value that is absent.
const ABSENT: i32 = -1;
/// The version of the form in which jsonb is sent, which stands before its text.
const JSONB_VERSION: u8 = 1;

/// Rows that are put together one after the other.
#[derive(Default)]
pub(super) struct CopiedRows {
    bytes: PgArgumentBuffer,
}

impl CopiedRows {
    /// No rows yet, with room for so many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        let mut rows = Self::default();
        rows.bytes.reserve(bytes);
        rows
    }

    /// Appends a row, whose values are of the types of their columns.
    ///
    /// # Errors
    /// When a value is of a type that no column has, or too large for the database.
    pub fn push(&mut self, values: impl ExactSizeIterator<Item = Value>) -> Result<(), DbErr> {
        let count = i16::try_from(values.len()).map_err(|error| unwritten(&error))?;
        self.bytes.extend_from_slice(&count.to_be_bytes());
        for value in values {
            self.push_value(&value)?;
        }
        Ok(())
    }

    /// The bytes of the rows.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn push_value(&mut self, value: &Value) -> Result<(), DbErr> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&ABSENT.to_be_bytes());
        let bytes = &mut self.bytes;
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
            Value::ChronoDate(Some(value)) => encode(bytes, value),
            Value::ChronoDateTimeUtc(Some(value)) => encode(bytes, value),
            value if *value == value.as_null() => return Ok(()),
            other => return Err(unwritten(&format!("a value like {other:?}"))),
        };
        encoded.map_err(|error| unwritten(&error))?;
        let from = start + ABSENT.to_be_bytes().len();
        let length = i32::try_from(self.bytes.len() - from).map_err(|error| unwritten(&error))?;
        self.bytes[start..from].copy_from_slice(&length.to_be_bytes());
        Ok(())
    }
}

fn encode<'v, T: Encode<'v, Postgres>>(
    bytes: &mut PgArgumentBuffer,
    value: &T,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    value.encode_by_ref(bytes).map(drop)
}

fn unwritten(what: &dyn std::fmt::Display) -> DbErr {
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
            (Value::from(second), b"\0\0\0\x08\0\0\0\0\0\x0f\x42\x40"),
            (Value::from(day), b"\0\0\0\x04\xff\xff\xff\xff"),
        ] {
            let mut rows = CopiedRows::default();
            rows.push([value.clone(), value].into_iter()).unwrap();
            assert_eq!(rows.bytes(), [b"\0\x02", bytes, bytes].concat());
        }
        assert!(CopiedRows::default().push([Value::from('c')].into_iter()).is_err(), "no column is of such a type");
    }
}
