//! The scalar of secrets in the API.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};

use underlay_engine::secrets::SecretValue;

/// The text of a secret.
#[derive(Clone, Debug)]
pub struct SecretText(pub SecretValue);

/// The text of a secret. No error shows it, even if it has the wrong type.
#[Scalar(name = "Secret", specified_by_url = "docs/api.md#secret")]
impl ScalarType for SecretText {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => Ok(Self(SecretValue::new(text))),
            // The usual error of the library shows the value.
            _ => Err(InputValueError::custom("a secret must be text")),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.expose().to_owned())
    }
}
