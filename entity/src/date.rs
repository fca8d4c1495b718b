//! The scalar `Date` of the API: a calendar date.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// A calendar date, as `2026-11-20` (ISO 8601).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Date(pub NaiveDate);

/// A calendar date, as `2026-11-20`: a `full-date` of RFC 3339.
#[Scalar(name = "Date", specified_by_url = "https://datatracker.ietf.org/doc/html/rfc3339#section-5.6")]
impl ScalarType for Date {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => text
                .parse()
                .map(Self)
                .map_err(|_| InputValueError::custom(format!("{text:?} is not a date such as 2026-11-20."))),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}
