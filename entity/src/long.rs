//! The scalar `Long` of the API: a 64-bit integer. The type `Int` of GraphQL has 32 bits, too few for bytes and bits
//! per second.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Serialize};

/// A signed 64-bit integer, as a JSON number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Long(pub i64);

/// A signed 64-bit integer, as a JSON number. Clients that read JSON numbers as doubles lose digits beyond 2^53.
#[Scalar(name = "Long", specified_by_url = "docs/api.md#long")]
impl ScalarType for Long {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::Number(number) => number
                .as_i64()
                .map(Self)
                .ok_or_else(|| InputValueError::custom(format!("{number} is not a 64-bit integer."))),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn is_valid(value: &Value) -> bool {
        matches!(value, Value::Number(number) if number.is_i64())
    }

    fn to_value(&self) -> Value {
        Value::Number(self.0.into())
    }
}
