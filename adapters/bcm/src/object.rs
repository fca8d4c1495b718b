//! The objects of BCM, and their members.
//!
//! An object without an id breaks the contract of the API, which fails the scan. Any other member of a wrong type is a
//! fault of that object alone. No message holds a value, because a value can be a password, but for texts that the
//! caller knows to be none.

use std::net::IpAddr;

use serde_json::{Map, Value};
use underlay_kit::shown;
use underlay_kit::sync::AdapterError;

/// The id that stands for no object.
const NO_ID: &str = "00000000-0000-0000-0000-000000000000";

/// The reason why a member cannot be used: a sentence that begins with its path.
pub type Fault = String;

/// An object of an answer.
#[derive(Clone, Debug)]
pub struct Object {
    call: String,
    path: String,
    members: Map<String, Value>,
}

impl Object {
    /// Returns the object at a path of the answer to a call.
    pub fn new(call: &str, path: String, members: Map<String, Value>) -> Self {
        Self { call: call.to_owned(), path, members }
    }

    /// Returns the id of the object.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn uuid(&self) -> Result<&str, AdapterError> {
        match self.members.get("uuid").and_then(Value::as_str) {
            Some(uuid) if !uuid.is_empty() && uuid != NO_ID => Ok(uuid),
            _ => Err(self.wrong("uuid", "the id of the object")),
        }
    }

    /// Returns the error that a member breaks the contract of the API.
    pub fn wrong(&self, member: &str, expected: &str) -> AdapterError {
        let path = if self.path.is_empty() { member.to_owned() } else { format!("{}.{member}", self.path) };
        AdapterError::WrongAnswer { call: self.call.clone(), path, expected: expected.to_owned() }
    }

    /// Returns the members.
    pub fn part(&self) -> Part<'_> {
        Part { path: String::new(), members: &self.members }
    }
}

/// The members of an object, or of one within it.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    path: String,
    members: &'a Map<String, Value>,
}

impl<'a> Part<'a> {
    /// Returns a text, `None` if it is absent, null or empty.
    ///
    /// # Errors
    /// Returns the reason why the member is no text.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, Fault> {
        match self.members.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
            Some(other) => Err(self.wrong(name, "a text", other)),
        }
    }

    /// Returns the id of another object, `None` if there is none.
    ///
    /// # Errors
    /// Returns the reason why the member is no id.
    pub fn id(&self, name: &str) -> Result<Option<&'a str>, Fault> {
        Ok(self.text(name)?.filter(|id| *id != NO_ID))
    }

    /// Returns an IP address, `None` if it is absent, null, or the one that stands for none.
    ///
    /// # Errors
    /// Returns the reason why the member is none.
    pub fn address(&self, name: &str) -> Result<Option<IpAddr>, Fault> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let address: IpAddr =
            text.parse().map_err(|_| format!("{} must be an IP address, not {}", self.at(name), shown(text)))?;
        Ok(Some(address).filter(|address| !address.is_unspecified()))
    }

    /// Returns a whole number that is not negative, `None` if it is absent or null.
    ///
    /// # Errors
    /// Returns the reason why the member is none.
    pub fn count(&self, name: &str) -> Result<Option<u64>, Fault> {
        match self.members.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let wrong = || self.wrong(name, "a whole number of at least 0", value);
                value.as_u64().map(Some).ok_or_else(wrong)
            }
        }
    }

    /// Returns an object within this one, `None` if it is absent or null.
    ///
    /// # Errors
    /// Returns the reason why the member is none.
    pub fn object(&self, name: &str) -> Result<Option<Part<'a>>, Fault> {
        match self.members.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(members)) => Ok(Some(Part { path: self.at(name), members })),
            Some(other) => Err(self.wrong(name, "an object", other)),
        }
    }

    /// Returns the objects of a list within this one; an absent list is empty.
    ///
    /// # Errors
    /// Returns the reason why the member is no list of objects.
    pub fn objects(&self, name: &str) -> Result<Vec<Part<'a>>, Fault> {
        let list = match self.members.get(name) {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(other) => return Err(self.wrong(name, "a list", other)),
        };
        let part = |(at, element): (usize, &'a Value)| match element {
            Value::Object(members) => Ok(Part { path: format!("{}[{at}]", self.at(name)), members }),
            other => Err(self.wrong(&format!("{name}[{at}]"), "an object", other)),
        };
        list.iter().enumerate().map(part).collect()
    }

    /// Returns the members with their names.
    pub const fn members(&self) -> &'a Map<String, Value> {
        self.members
    }

    /// Returns the path of a member.
    pub fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn wrong(&self, name: &str, expected: &str, found: &Value) -> Fault {
        format!("{} must be {expected}, not {}", self.at(name), kind(found))
    }
}

/// Names the type of a value without the value.
pub const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
