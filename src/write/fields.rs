//! The fields that an item gives.
//!
//! An item has few of them, and a batch has ten thousand items: to look through a list costs less than to make a map,
//! and names that are known to the schema need not be copied.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

/// Values by the names of their fields, each name once, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(Vec<(Cow<'static, str>, Json)>);

impl Fields {
    /// None yet, with room for so many.
    pub fn with_room(fields: usize) -> Self {
        Self(Vec::with_capacity(fields))
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value)
    }

    /// Whether a field is given.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Gives a field a value; one that it had before goes.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: Json) {
        let name = name.into();
        match self.0.iter_mut().find(|(given, _)| *given == name) {
            Some((_, there)) => *there = value,
            None => self.0.push((name, value)),
        }
    }

    /// Takes a field out.
    pub fn take(&mut self, name: &str) -> Option<Json> {
        let at = self.0.iter().position(|(given, _)| given == name)?;
        Some(self.0.remove(at).1)
    }

    /// All fields, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }
}

impl From<Map<String, Json>> for Fields {
    fn from(members: Map<String, Json>) -> Self {
        Self(members.into_iter().map(|(name, value)| (Cow::Owned(name), value)).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_has_one_value() {
        let mut fields = Fields::with_room(1);
        fields.set("name", json!("a"));
        fields.set("mtu", json!(9000));
        fields.set("name".to_owned(), json!("b"));
        assert_eq!(fields.iter().collect::<Vec<_>>(), [("name", &json!("b")), ("mtu", &json!(9000))]);
        assert_eq!(fields.take("name"), Some(json!("b")));
        assert_eq!((fields.take("name"), fields.has("name"), fields.has("mtu")), (None, false, true));
        assert_eq!(json!({"mtu": 9000}).as_object().cloned().map(Fields::from), Some(fields));
    }
}
