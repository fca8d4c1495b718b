//! Reads objects of NetBox as its REST API answers them.
//!
//! Every member is checked against the contract of the API when it is read. An error names the call, the path in the
//! document and what was expected. A member that is absent is the same as one that is null, because members come and go
//! with versions.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use underlay_kit::printable;
use underlay_kit::sync::AdapterError;

/// Members that are large and never used. Objects of the inventory say the same, or NetBox works them out of others.
const IGNORED: [&str; 6] =
    ["config_context", "connected_endpoints", "created", "last_updated", "link_peers", "bridge_interfaces"];

/// Members that say nothing of their own.
const DERIVED: [&str; 23] = [
    "allocated_disk",
    "allocated_memory",
    "allocated_vcpus",
    "assigned_object",
    "assignments",
    "cable",
    "cable_end",
    "connected_endpoints_reachable",
    "connected_endpoints_type",
    "display",
    "display_url",
    "family",
    "front_ports",
    "id",
    "link_peers_type",
    "mac_addresses",
    "nat_outside",
    "primary_ip",
    "scope_id",
    "termination",
    "termination_a",
    "termination_z",
    "url",
];

/// Members of an object, without those that are ignored.
struct Members(Map<String, Value>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Members;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Map::new();
                while let Some(name) = map.next_key::<String>()? {
                    if IGNORED.contains(&name.as_str()) {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        members.insert(name, map.next_value()?);
                    }
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

/// An object of an answer, with its position for messages. It remembers which of its members were read.
#[derive(Debug)]
pub struct Object {
    members: Map<String, Value>,
    call: Arc<str>,
    path: String,
    read: Mutex<BTreeSet<String>>,
}

/// A part of an object: an object inside it.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    members: &'a Map<String, Value>,
    object: &'a Object,
    name: &'a str,
}

impl Object {
    /// Reads an object. `path` is its position in the document, such as `results[3]`.
    ///
    /// # Errors
    /// Returns an error if the text is no object.
    pub fn read(text: &str, call: &Arc<str>, path: String) -> Result<Self, AdapterError> {
        match serde_json::from_str::<Members>(text) {
            Ok(Members(members)) => Ok(Self { members, call: Arc::clone(call), path, read: Mutex::default() }),
            Err(error) => Err(AdapterError::WrongAnswer {
                call: call.to_string(),
                path,
                expected: format!("an object, but: {error}"),
            }),
        }
    }

    /// Returns the error that a member breaks the contract.
    pub fn wrong(&self, member: &str, expected: &str, found: &Value) -> AdapterError {
        let path = if self.path.is_empty() { member.to_owned() } else { format!("{}.{member}", self.path) };
        let found = found.to_string();
        AdapterError::WrongAnswer {
            call: self.call.to_string(),
            path,
            expected: format!("{expected}, not {}", printable(&found)),
        }
    }

    /// The object as a whole, as a part of itself.
    const fn whole(&self) -> Part<'_> {
        Part { members: &self.members, object: self, name: "" }
    }

    /// Returns the id.
    ///
    /// # Errors
    /// Returns an error if it is missing or no id.
    pub fn id(&self) -> Result<u64, AdapterError> {
        self.whole().id()
    }

    /// Returns the names of the members.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// Returns a member, `None` if it is absent or null.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.note_read(name);
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Notes that a member is used, though it is not read here: other objects name it.
    pub fn note_read(&self, name: &str) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if !read.contains(name) {
            read.insert(name.to_owned());
        }
    }

    /// Returns the members that say something and that nobody has read, without those that say nothing of their own:
    /// they are addresses in the API and numbers of others, or other objects say the same.
    pub fn unread(&self) -> Vec<&str> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let is_derived = |name: &str| {
            DERIVED.contains(&name) || name.starts_with('_') || name.starts_with("count_") || name.ends_with("_count")
        };
        let unread = self.members.iter().filter(|(name, _)| !read.contains(*name) && !is_derived(name));
        unread.filter(|(_, value)| !says_nothing(value)).map(|(name, _)| name.as_str()).collect()
    }

    /// Returns a text, `None` if it is absent, null or empty.
    ///
    /// # Errors
    /// Returns an error if the member is no text.
    pub fn text(&self, name: &str) -> Result<Option<&str>, AdapterError> {
        self.whole().text(name)
    }

    /// Returns a text that every object of this type has.
    ///
    /// # Errors
    /// Returns an error if the member is no text or is missing.
    pub fn required_text(&self, name: &str) -> Result<&str, AdapterError> {
        self.text(name)?.ok_or_else(|| self.wrong(name, "a text", &Value::Null))
    }

    /// Returns the value of a choice, which NetBox writes as `{"value": …, "label": …}` or plainly.
    ///
    /// # Errors
    /// Returns an error if the member is no choice.
    pub fn choice(&self, name: &str) -> Result<Option<&str>, AdapterError> {
        let Some(member) = self.value(name) else { return Ok(None) };
        let value =
            if let Value::Object(choice) = member { choice.get("value").unwrap_or(&Value::Null) } else { member };
        match value {
            Value::String(text) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
            Value::Null => Ok(None),
            _ => Err(self.wrong(name, "a choice, an object with value and label", member)),
        }
    }

    /// Returns a true or false.
    ///
    /// # Errors
    /// Returns an error if the member is neither.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, AdapterError> {
        self.value(name).map(|it| it.as_bool().ok_or_else(|| self.wrong(name, "true or false", it))).transpose()
    }

    /// Returns a whole number.
    ///
    /// # Errors
    /// Returns an error if the member is no whole number.
    pub fn whole_number(&self, name: &str) -> Result<Option<i64>, AdapterError> {
        let Some(member) = self.value(name) else { return Ok(None) };
        let number =
            if let Value::Object(choice) = member { choice.get("value").unwrap_or(&Value::Null) } else { member };
        number.as_i64().map(Some).ok_or_else(|| self.wrong(name, "a whole number", member))
    }

    /// Returns a number. NetBox writes decimal numbers as numbers, and some versions as texts.
    ///
    /// # Errors
    /// Returns an error if the member is no number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, AdapterError> {
        let Some(member) = self.value(name) else { return Ok(None) };
        let number = match member {
            Value::String(text) => text.parse().ok(),
            other => other.as_f64(),
        };
        number.filter(|it: &f64| it.is_finite()).map(Some).ok_or_else(|| self.wrong(name, "a number", member))
    }

    /// Returns the object inside a member.
    ///
    /// # Errors
    /// Returns an error if the member is no object.
    pub fn part<'a>(&'a self, name: &'a str) -> Result<Option<Part<'a>>, AdapterError> {
        self.whole().part(name)
    }

    /// Returns the id of the object that a member refers to.
    ///
    /// # Errors
    /// Returns an error if the member is no reference.
    pub fn reference(&self, name: &str) -> Result<Option<u64>, AdapterError> {
        self.part(name)?.map(|part| part.id()).transpose()
    }

    /// Returns the id of the object that a member refers to, which every object of this type has.
    ///
    /// # Errors
    /// Returns an error if the member is no reference or is missing.
    pub fn required_reference(&self, name: &str) -> Result<u64, AdapterError> {
        self.reference(name)?.ok_or_else(|| self.wrong(name, "an object with an id", &Value::Null))
    }

    /// Returns the objects in a list.
    ///
    /// # Errors
    /// Returns an error if the member is no list of objects.
    pub fn list<'a>(&'a self, name: &'a str) -> Result<Vec<Part<'a>>, AdapterError> {
        let Some(member) = self.value(name) else { return Ok(Vec::new()) };
        let wrong = || self.wrong(name, "a list of objects", member);
        let list = member.as_array().ok_or_else(wrong)?;
        let part = |entry: &'a Value| Some(Part { members: entry.as_object()?, object: self, name });
        list.iter().map(|entry| part(entry).ok_or_else(wrong)).collect()
    }
}

/// Returns true if a value is the one of a member that nobody has set.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

impl<'a> Part<'a> {
    /// Returns a member, and notes that it was read if it is one of the object itself.
    fn member(&self, name: &str) -> Option<&'a Value> {
        if self.name.is_empty() {
            self.object.note_read(name);
        }
        self.members.get(name)
    }

    fn wrong(&self, member: &str, expected: &str) -> AdapterError {
        let found = self.members.get(member).unwrap_or(&Value::Null);
        let path = if self.name.is_empty() { member.to_owned() } else { format!("{}.{member}", self.name) };
        self.object.wrong(&path, expected, found)
    }

    /// Returns the id.
    ///
    /// # Errors
    /// Returns an error if it is missing or no id.
    pub fn id(&self) -> Result<u64, AdapterError> {
        self.number("id")
    }

    /// Returns a member that is a number of at least 0, such as an id or a position.
    ///
    /// # Errors
    /// Returns an error if it is missing or no such number.
    pub fn number(&self, name: &str) -> Result<u64, AdapterError> {
        self.member(name).and_then(Value::as_u64).ok_or_else(|| self.wrong(name, "a whole number of at least 0"))
    }

    /// Returns a text, `None` if it is absent, null or empty.
    ///
    /// # Errors
    /// Returns an error if the member is no text.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, AdapterError> {
        match self.member(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
            Some(_) => Err(self.wrong(name, "a text")),
        }
    }

    /// Returns a text that every object of this type has.
    ///
    /// # Errors
    /// Returns an error if the member is no text or is missing.
    pub fn required_text(&self, name: &str) -> Result<&'a str, AdapterError> {
        self.text(name)?.ok_or_else(|| self.wrong(name, "a text"))
    }

    /// Returns the object inside a member.
    ///
    /// # Errors
    /// Returns an error if the member is no object.
    pub fn part(&self, name: &'a str) -> Result<Option<Part<'a>>, AdapterError> {
        match self.member(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(members)) => Ok(Some(Part { members, object: self.object, name })),
            Some(_) => Err(self.wrong(name, "an object")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> Object {
        Object::read(text, &Arc::from("GET /api/dcim/sites/"), "results[3]".into()).expect("an object")
    }

    #[test]
    fn an_error_names_call_path_and_expectation() {
        let site = object(r#"{"id": "7", "name": 1, "region": {"id": null}, "tags": {}, "status": {"value": 3}}"#);
        let all = [
            site.id().expect_err("wrong"),
            site.text("name").expect_err("wrong"),
            site.reference("region").expect_err("wrong"),
            site.list("tags").expect_err("wrong"),
            site.choice("status").expect_err("wrong"),
            site.required_text("slug").expect_err("wrong"),
        ];
        assert_eq!(
            all.map(|error| error.to_string()),
            [
                r#"GET /api/dcim/sites/: wrong answer at results[3].id: expected a whole number of at least 0, not "7""#,
                r#"GET /api/dcim/sites/: wrong answer at results[3].name: expected a text, not 1"#,
                r#"GET /api/dcim/sites/: wrong answer at results[3].region.id: expected a whole number of at least 0, not null"#,
                r#"GET /api/dcim/sites/: wrong answer at results[3].tags: expected a list of objects, not {}"#,
                r#"GET /api/dcim/sites/: wrong answer at results[3].status: expected a choice, an object with value and label, not {"value":3}"#,
                r#"GET /api/dcim/sites/: wrong answer at results[3].slug: expected a text, not null"#,
            ]
        );
    }

    #[test]
    fn an_empty_value_is_absent() {
        let site = object(r#"{"id": 7, "name": "", "region": null, "status": {"value": "active"}, "type": "smf"}"#);
        assert_eq!((site.text("name"), site.reference("region"), site.text("slug")), (Ok(None), Ok(None), Ok(None)));
        assert_eq!((site.choice("status"), site.choice("type")), (Ok(Some("active")), Ok(Some("smf"))));
        let site =
            object(r#"{"id": 7, "url": "x", "rack_count": 3, "_depth": 1, "name": "a", "part_number": "P", "x": 0}"#);
        assert_eq!((site.text("name"), site.unread()), (Ok(Some("a")), vec!["part_number"]));
        assert!(!object(r#"{"config_context": {}}"#).members.contains_key("config_context"));
    }
}
