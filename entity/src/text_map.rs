//! A column type, and a scalar of the API, for small maps from text to text.

use std::collections::BTreeMap;

use async_graphql::{InputValueError, InputValueResult, Name, Scalar, ScalarType, Value};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};

/// An object with a text for each key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct TextMap(pub BTreeMap<String, String>);

impl TextMap {
    /// Returns true if the map has no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// An object with a text for each key.
#[Scalar(name = "TextMap", specified_by_url = "docs/api.md#textmap")]
impl ScalarType for TextMap {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Value::Object(entries) = value else { return Err(InputValueError::expected_type(value)) };
        let entry = |(key, value): (Name, Value)| match value {
            Value::String(text) => Ok((key.to_string(), text)),
            _ => Err(InputValueError::custom(format!("the entry {key} must be text"))),
        };
        entries.into_iter().map(entry).collect::<Result<_, _>>().map(Self)
    }

    fn to_value(&self) -> Value {
        Value::Object(self.0.iter().map(|(key, value)| (Name::new(key), Value::String(value.clone()))).collect())
    }
}
