//! Reads a JSON value strictly, from YAML and from JSON.
//!
//! `serde_json::Value` keeps the last of two members with the same name and has no size limit. This reader rejects a
//! duplicate member, a NUL character, nesting deeper than [`MAX_DEPTH`] and more than [`MAX_VALUES`] values. The
//! limits apply after aliases of YAML are expanded, so that a small text cannot become a large document.

use std::cell::Cell;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::problem::shown;

/// The maximum nesting of lists and objects.
pub const MAX_DEPTH: usize = 32;
/// The maximum number of values (texts, numbers, lists, objects) in a document: enough for a list of 20,000 objects.
pub const MAX_VALUES: usize = 2_000_000;

pub fn too_deep() -> String {
    format!("lists and objects are nested deeper than {MAX_DEPTH} levels")
}

pub fn too_many() -> String {
    format!("the document holds more than {MAX_VALUES} values: split it")
}

/// The value of a document, read within the limits.
pub struct Bounded {
    pub value: Value,
    /// The number of values that it consists of.
    pub values: usize,
}

impl<'de> Deserialize<'de> for Bounded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let left = Cell::new(MAX_VALUES);
        Strict { left: &left, depth: 0 }
            .deserialize(deserializer)
            .map(|value| Self { value, values: MAX_VALUES - left.get() })
    }
}

/// Reads a value and everything nested in it.
#[derive(Clone, Copy)]
struct Strict<'a> {
    /// The number of values that the document can still hold.
    left: &'a Cell<usize>,
    depth: usize,
}

impl Strict<'_> {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom(too_deep()));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.ok_or_else(|| D::Error::custom(too_many()))?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value of JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.visit_string(value.to_owned())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        if value.contains('\0') {
            return Err(E::custom("a text holds a NUL character"));
        }
        // The YAML library produces these texts from plain `nan`, `inf`, `infinity` and from numbers that are too
        // large. Without this check, a site called `nan` would silently get another name.
        if [".nan", ".inf", "-.inf"].contains(&value.as_str()) {
            return Err(E::custom(format_args!(
                "a value reads as a number that is not finite ({value}): put it in quotation marks, if it is a text"
            )));
        }
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut elements = Vec::new();
        while let Some(element) = from.next_element_seed(inner)? {
            elements.push(element);
        }
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut members = Map::new();
        while let Some(name) = from.next_key::<String>()? {
            if name.contains('\0') {
                return Err(A::Error::custom(format_args!("the member {} holds a NUL character", shown(&name))));
            }
            if members.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the member {} stands twice in an object", shown(&name))));
            }
            let value = from.next_value_seed(inner)?;
            members.insert(name, value);
        }
        Ok(Value::Object(members))
    }
}

/// Reads a JSON value from a text, as strictly as manifests are read.
pub fn read_json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map(|Bounded { value, .. }| value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        serde_json::from_str(text).map(|Bounded { value, .. }| value).map_err(|error| error.to_string())
    }

    #[test]
    fn a_valid_text_comes_through_unchanged() {
        let text = r#"{"b":[1,-2,0.5,true,null,"x"],"a":{}}"#;
        assert_eq!(read(text).map(|value| value.to_string()), Ok(text.to_owned()));
    }

    #[test]
    fn a_text_out_of_bounds_is_refused() {
        let deep = "[".repeat(MAX_DEPTH + 1);
        let many = format!("[{}0]", "0,".repeat(MAX_VALUES));
        for (text, expected) in [
            (r#"{"a":1,"a":2}"#, "the member \"a\" stands twice"),
            (r#"{"a\u0000":1}"#, "the member \"a\\u{0}\" holds a NUL character"),
            (r#"["x\u0000y"]"#, "a text holds a NUL character"),
            (&deep, "nested deeper than 32 levels"),
            (&many, "more than 2000000 values"),
        ] {
            let error = read(text).expect_err("refused");
            assert!(error.contains(expected), "{error}");
        }
    }
}
