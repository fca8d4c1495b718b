//! The cursor of the subscription `changes`.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};

use underlay_engine::feed::Cursor;

/// A position in the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeCursor(pub Cursor);

/// A position in the order of changes: an opaque text that an event gives. The number of a revision is also accepted,
/// to begin after that revision; 0 is before the first one.
#[Scalar(name = "ChangeCursor", specified_by_url = "docs/api.md#changecursor")]
impl ScalarType for ChangeCursor {
    fn parse(value: Value) -> InputValueResult<Self> {
        let cursor = match &value {
            Value::String(text) => Cursor::decode(text),
            Value::Number(number) => number.as_i64().filter(|revision| *revision >= 0).map(Cursor::after_revision),
            _ => return Err(InputValueError::expected_type(value)),
        };
        let reason = "it is no cursor of an event, and no number of a revision";
        cursor.map(Self).ok_or_else(|| InputValueError::custom(reason))
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.encode())
    }
}
