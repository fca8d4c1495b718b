//! The fields of an item.
//!
//! An item has few fields, and a batch may have ten thousand items. Searching a short list costs less than building a
//! map, and names from the schema need not be copied.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

/// Values by the names of their fields. Each name occurs once, and the order is that of the item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(Vec<(Cow<'static, str>, Json)>);

impl Fields {
    /// Creates an empty list with room for a number of fields.
    pub fn with_room(fields: usize) -> Self {
        Self(Vec::with_capacity(fields))
    }

    /// Returns the value of a field.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// Returns true if the item has a field.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets the value of a field, and replaces an earlier one.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: Json) {
        let name = name.into();
        match self.0.iter_mut().find(|(field, _)| *field == name) {
            Some((_, there)) => *there = value,
            None => self.0.push((name, value)),
        }
    }

    /// Removes a field, and returns its value.
    pub fn take(&mut self, name: &str) -> Option<Json> {
        let at = self.0.iter().position(|(field, _)| field == name)?;
        Some(self.0.remove(at).1)
    }

    /// Returns all fields, in order.
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
