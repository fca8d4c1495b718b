//! GraphQL scalars for label maps, revision numbers and free JSON.

use std::collections::BTreeMap;

use async_graphql::{InputValueError, InputValueResult, Name, Number, Scalar, ScalarType, Value};
use serde::{Deserialize, Serialize};
use underlay_entity::common::Labels;

/// Kubernetes-style labels: an object with a text for each key. In an input, `null` removes a label.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LabelMap(BTreeMap<String, Option<String>>);

impl From<&Labels> for LabelMap {
    fn from(labels: &Labels) -> Self {
        Self(labels.0.iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect())
    }
}

/// Kubernetes-style labels: an object with a text for each key. In an input, `null` removes a label.
#[Scalar(
    name = "Labels",
    specified_by_url = "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set"
)]
impl ScalarType for LabelMap {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Value::Object(entries) = value else { return Err(InputValueError::expected_type(value)) };
        let entry = |(key, value): (Name, Value)| match value {
            Value::String(text) => Ok((key.to_string(), Some(text))),
            Value::Null => Ok((key.to_string(), None)),
            _ => Err(InputValueError::custom(format!("the label {key} must be text or null"))),
        };
        entries.into_iter().map(entry).collect::<Result<_, _>>().map(Self)
    }

    fn to_value(&self) -> Value {
        let entry = |(key, value): (&String, &Option<String>)| {
            (Name::new(key), value.as_ref().map_or(Value::Null, |value| Value::String(value.clone())))
        };
        Value::Object(self.0.iter().map(entry).collect())
    }
}

/// The revision number that a committed batch created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub i64);

/// The revision number that a committed batch created: a 64-bit integer, written as a JSON number.
#[Scalar(name = "Revision", specified_by_url = "docs/api.md#revision")]
impl ScalarType for Revision {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::Number(number) => match number.as_i64().filter(|number| *number >= 0) {
                Some(number) => Ok(Self(number)),
                None => {
                    Err(InputValueError::custom(format!("a revision is a whole number of at least 0, not {number}")))
                }
            },
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Number(Number::from(self.0))
    }
}

/// Any JSON value: an object, a list, a text, a number, a boolean or null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FreeJson(pub serde_json::Value);

/// Any JSON value: an object, a list, a text, a number, a boolean or null. Numbers keep 64 bits.
#[Scalar(name = "JSON", specified_by_url = "https://datatracker.ietf.org/doc/html/rfc8259")]
impl ScalarType for FreeJson {
    fn parse(value: Value) -> InputValueResult<Self> {
        Ok(Self(value.into_json()?))
    }

    fn to_value(&self) -> Value {
        // A JSON value is one of GraphQL, too; the only numbers that are none cannot be in a JSON value.
        Value::from_json(self.0.clone()).unwrap_or_default()
    }
}
