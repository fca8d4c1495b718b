//! Scalars of the API that are texts of a fixed form. The form is checked when fields are written, not here.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Serialize};

/// Defines a scalar whose values are texts.
macro_rules! text_scalar {
    ($(#[$docs:meta])* $name:ident as $graphql:literal, specified by $url:literal) => {
        $(#[$docs])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        $(#[$docs])*
        #[Scalar(name = $graphql, specified_by_url = $url)]
        impl ScalarType for $name {
            fn parse(value: Value) -> InputValueResult<Self> {
                match value {
                    Value::String(text) => Ok(Self(text)),
                    other => Err(InputValueError::expected_type(other)),
                }
            }

            fn is_valid(value: &Value) -> bool {
                matches!(value, Value::String(_))
            }

            fn to_value(&self) -> Value {
                Value::String(self.0.clone())
            }
        }
    };
}

text_scalar!(
    /// An http or https URL.
    Url as "URL", specified by "https://datatracker.ietf.org/doc/html/rfc3986"
);
text_scalar!(
    /// A MAC address of 48 or 64 bits, or of a port the 20 bytes of IP over InfiniBand. Any usual notation is accepted; lower
    /// case with colons is returned.
    Mac as "MAC", specified by "docs/api.md#mac"
);
