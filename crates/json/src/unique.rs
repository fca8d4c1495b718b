//! Reads JSON in which no object has two members of one name. Usual readers take the last one without a word.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads a value in which no object has two members of one name. It is for `deserialize_with`.
///
/// # Errors
/// Returns an error if an object has two, which names the member, or the text is no JSON.
pub fn unique<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Unique.deserialize(deserializer)
}

/// The most characters of a name that an error repeats.
const MAX_NAME_CHARACTERS: usize = 20;

struct Unique;

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(Unique)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if object.contains_key(&name) {
                let name: String = name.chars().take(MAX_NAME_CHARACTERS).collect();
                return Err(A::Error::custom(format!("the member {name:?} is given twice")));
            }
            object.insert(name, members.next_value_seed(Unique)?);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        unique(&mut serde_json::Deserializer::from_str(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn two_members_of_one_name_are_refused_wherever_they_are() {
        for text in [r#"{"a":1,"a":2}"#, r#"[{"b":{"a":1,"a":1}}]"#, r#"{"a":1,"\u0061":2}"#] {
            let error = read(text).expect_err(text);
            assert!(error.contains(r#"the member "a" is given twice"#), "{text}: {error}");
        }
        let long = "x".repeat(100);
        let error = read(&format!(r#"{{"{long}":1,"{long}":2}}"#)).expect_err("twice");
        assert!(error.contains(&format!("{:?}", "x".repeat(20))) && error.len() < 100, "{error}");
        assert_eq!(read(r#"[{"a":1},{"a":2,"b":{"a":3}}]"#), Ok(json!([{"a": 1}, {"a": 2, "b": {"a": 3}}])));
    }

    #[test]
    fn everything_else_is_read_as_usual() {
        for text in ["null", "true", "-1", "18446744073709551615", "1.5e300", r#""é\n""#, "[]", "{}", r#"{"":[null]}"#]
        {
            assert_eq!(read(text), serde_json::from_str(text).map_err(|error| error.to_string()), "{text}");
        }
        assert!(read("{\"a\":").is_err());
    }
}
