//! Reads the members of an object of JSON. No message holds a value, because a value can be a secret.

use serde_json::{Map, Value};
use thiserror::Error;
use underlay_kit::sort_of;

/// The reason why a member cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path} must be {expected}, not {found}")]
pub struct Fault {
    /// The path of the member in its document, such as `properties.memory_mb`.
    pub path: String,
    /// The type that it must have.
    pub expected: &'static str,
    /// The type that it has.
    pub found: &'static str,
}

/// The members of an object, with the path to it.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    path: String,
    members: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// Returns the members of the object at a path, which is empty for a whole document.
    pub const fn new(path: String, members: &'a Map<String, Value>) -> Self {
        Self { path, members }
    }

    /// Returns a text, `None` if it is absent, null or empty.
    ///
    /// # Errors
    /// Returns the reason why the member is no text.
    pub fn text(&self, name: &str) -> Result<Option<String>, Fault> {
        match self.optional(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.trim().is_empty())),
            Some(other) => Err(self.wrong(name, "a text", other)),
        }
    }

    /// Returns a flag, `None` if it is absent or null.
    ///
    /// # Errors
    /// Returns the reason why the member is none.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, Fault> {
        match self.optional(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => Err(self.wrong(name, "true or false", other)),
        }
    }

    /// Returns a whole number that is not negative, `None` if it is absent or null. Operators also write numbers as texts,
    /// such as `"memory_mb": "131072"`, which Ironic keeps.
    ///
    /// # Errors
    /// Returns the reason why the member is none.
    pub fn count(&self, name: &str) -> Result<Option<u64>, Fault> {
        let count = match self.optional(name) {
            None => return Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(other) => other.as_u64(),
        };
        let found = self.members.get(name).unwrap_or(&Value::Null);
        count.map(Some).ok_or_else(|| self.wrong(name, "a whole number of at least 0", found))
    }

    /// Returns an object within this one, empty if it is absent or null.
    ///
    /// # Errors
    /// Returns the reason why the member is none.
    pub fn map(&self, name: &str) -> Result<Map<String, Value>, Fault> {
        match self.optional(name) {
            None => Ok(Map::new()),
            Some(Value::Object(members)) => Ok(members.clone()),
            Some(other) => Err(self.wrong(name, "an object", other)),
        }
    }

    /// Returns the members of an object within this one, `None` if it is absent or null.
    ///
    /// # Errors
    /// Returns the reason why the member is none.
    pub fn object(&self, name: &str) -> Result<Option<Fields<'a>>, Fault> {
        match self.optional(name) {
            None => Ok(None),
            Some(Value::Object(members)) => Ok(Some(Fields { path: self.at(name), members })),
            Some(other) => Err(self.wrong(name, "an object", other)),
        }
    }

    /// Returns the elements of a list, none if it is absent or null.
    ///
    /// # Errors
    /// Returns the reason why the member is no list.
    pub fn list(&self, name: &str) -> Result<&'a [Value], Fault> {
        match self.optional(name) {
            None => Ok(&[]),
            Some(Value::Array(elements)) => Ok(elements),
            Some(other) => Err(self.wrong(name, "a list", other)),
        }
    }

    /// Returns the objects of a list within this one, none if it is absent or null.
    ///
    /// # Errors
    /// Returns the reason why the member is no list of objects.
    pub fn objects(&self, name: &str) -> Result<Vec<Fields<'a>>, Fault> {
        let object = |(at, element): (usize, &'a Value)| match element {
            Value::Object(members) => Ok(Fields { path: format!("{}[{at}]", self.at(name)), members }),
            other => Err(self.wrong(&format!("{name}[{at}]"), "an object", other)),
        };
        self.list(name)?.iter().enumerate().map(object).collect()
    }

    /// Returns the texts of a list, none if it is absent or null.
    ///
    /// # Errors
    /// Returns the reason why the member is no list of texts.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, Fault> {
        let text = |(at, element): (usize, &Value)| match element {
            Value::String(text) => Ok(text.clone()),
            other => Err(self.wrong(&format!("{name}[{at}]"), "a text", other)),
        };
        self.list(name)?.iter().enumerate().map(text).collect()
    }

    /// Returns the members with their names.
    pub const fn members(&self) -> &'a Map<String, Value> {
        self.members
    }

    /// Returns the path of a member.
    pub fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Returns the fault of a member that has another type.
    pub fn wrong(&self, name: &str, expected: &'static str, found: &Value) -> Fault {
        Fault { path: self.at(name), expected, found: sort_of(found) }
    }

    fn optional(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }
}
