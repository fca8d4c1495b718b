//! The items that an adapter emits.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::problem::{excerpt, shown};

/// The maximum length of an external id in characters, as the server stores it.
pub const MAX_ID_CHARACTERS: usize = 1_024;
/// The maximum length of an item as JSON in bytes: more than any object has.
const MAX_ITEM_BYTES: usize = 1 << 20;
/// The maximum number of values in an item, which are texts, numbers, lists and objects: more than any object has.
pub const MAX_ITEM_VALUES: usize = 20_000;
/// The maximum number of values in a line of JSON that holds an item: what stands around it takes a few.
pub const MAX_LINE_VALUES: usize = MAX_ITEM_VALUES + 10;
/// Members of an `apply` item that are no kinds. A synchronizer never deletes by item: the server works out what is
/// gone.
const NOT_KINDS: [&str; 2] = ["delete", "release"];

/// The identity of an object in its source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ExternalId {
    /// The kind by its name in items, such as `powerFeed`.
    pub kind: String,
    /// The id in the source, such as `dcim.powerfeed:17`.
    pub id: String,
}

impl ExternalId {
    /// Returns the identity of an object of a kind.
    pub fn new(kind: impl Into<String>, id: impl Into<String>) -> Self {
        Self { kind: kind.into(), id: id.into() }
    }
}

impl fmt::Display for ExternalId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.kind, shown(&self.id))
    }
}

/// The reason why something is not an item that a synchronizer can write.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadItem {
    /// The external id is empty or too long.
    #[error("the external id {} has {chars} characters; 1 to {MAX_ID_CHARACTERS} are allowed", excerpt(.id))]
    Id {
        /// The external id.
        id: String,
        /// The number of its characters.
        chars: usize,
    },
    /// The name cannot be that of a kind.
    #[error("{} is no kind of object: it must be a name such as powerFeed, and neither delete nor release", excerpt(.kind))]
    Kind {
        /// The name.
        kind: String,
    },
    /// The item is larger than any object.
    #[error("the item has {bytes} bytes; at most {MAX_ITEM_BYTES} are allowed")]
    TooLong {
        /// The length of the item as JSON.
        bytes: usize,
    },
    /// The item has more values than any object.
    #[error("the item has more than {MAX_ITEM_VALUES} values")]
    TooManyValues,
    /// The JSON is no item: an object with one member that is named after a kind and holds an object with the fields.
    #[error("an item must be an object with one member, such as {{\"rack\": {{…, \"externalId\": \"17\"}}}}: {reason}")]
    Form {
        /// The reason why it is no item.
        reason: String,
    },
}

/// An object as its source describes it: an item of the API's `apply`, with an external id.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    id: ExternalId,
    fields: Map<String, Value>,
    values: usize,
}

/// Returns the number of values in these fields, or more than an item can have.
fn values_of(fields: &Map<String, Value>) -> usize {
    let mut count = 0;
    let mut left: Vec<&Value> = fields.values().collect();
    while let Some(value) = left.pop()
        && count <= MAX_ITEM_VALUES
    {
        count += 1;
        match value {
            Value::Array(entries) => left.extend(entries),
            Value::Object(members) => left.extend(members.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    count
}

impl Item {
    /// Returns the item of an object. `fields` are those of the kind's input in the API; the member `externalId` is
    /// set here. A field that the source leaves empty must be `null`: an absent field stays as it is.
    ///
    /// # Errors
    /// Returns an error if the kind or the external id cannot be one, or there are too many values.
    pub fn new(id: ExternalId, mut fields: Map<String, Value>) -> Result<Self, BadItem> {
        let chars = id.id.chars().count();
        if chars == 0 || chars > MAX_ID_CHARACTERS {
            return Err(BadItem::Id { id: id.id, chars });
        }
        let is_word = |kind: &str| kind.len() <= 64 && kind.chars().all(|letter| letter.is_ascii_alphanumeric());
        let is_kind = |kind: &str| kind.starts_with(|first: char| first.is_ascii_lowercase()) && is_word(kind);
        if !is_kind(&id.kind) || NOT_KINDS.contains(&id.kind.as_str()) {
            return Err(BadItem::Kind { kind: id.kind });
        }
        fields.insert("externalId".to_owned(), Value::String(id.id.clone()));
        let values = values_of(&fields);
        if values > MAX_ITEM_VALUES { Err(BadItem::TooManyValues) } else { Ok(Self { id, fields, values }) }
    }

    /// Returns the item that a JSON value is, in the form of the API's `ApplyItem`.
    ///
    /// # Errors
    /// Returns an error if the value is not an object with one member, or has no `externalId`.
    pub fn from_json(item: Value) -> Result<Self, BadItem> {
        let form = |reason: &str| BadItem::Form { reason: reason.to_owned() };
        let Value::Object(members) = item else { return Err(form("it is not an object")) };
        let count = members.len();
        let mut members = members.into_iter();
        let (Some((kind, fields)), None) = (members.next(), members.next()) else {
            return Err(form(&format!("it has {count} members")));
        };
        let Value::Object(fields) = fields else { return Err(form(&format!("{} is not an object", shown(&kind)))) };
        match fields.get("externalId") {
            Some(Value::String(id)) => Self::new(ExternalId::new(kind, id.clone()), fields),
            Some(_) => Err(form("externalId is not a text")),
            None => Err(form("externalId is missing")),
        }
    }

    /// Returns the identity of the object in its source.
    pub const fn id(&self) -> &ExternalId {
        &self.id
    }

    /// Returns the fields, `externalId` among them.
    pub const fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }

    /// Returns the number of values in the fields, which decides the memory that the item takes.
    pub const fn values(&self) -> usize {
        self.values
    }

    /// Returns the item as the JSON of an `apply` item.
    ///
    /// # Errors
    /// Returns an error if the text is longer than any object.
    pub fn to_json(&self) -> Result<String, BadItem> {
        let fields =
            serde_json::to_string(&self.fields).map_err(|error| BadItem::Form { reason: error.to_string() })?;
        // The name of a kind is a plain word, so it needs no escapes.
        let text = format!("{{\"{}\":{fields}}}", self.id.kind);
        if text.len() > MAX_ITEM_BYTES { Err(BadItem::TooLong { bytes: text.len() }) } else { Ok(text) }
    }
}

/// A secret of a credential, whose item comes before it in a scan.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    /// The external id of the credential.
    pub credential: String,
    /// The name of the secret, such as `password`.
    pub field: &'static str,
    /// The secret itself.
    pub value: String,
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the {} of credential {:?}", self.field, self.credential)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_item_has_the_form_that_apply_takes() {
        let item = Item::from_json(json!({"rack": {"name": "a1", "externalId": "17"}})).expect("an item");
        assert_eq!(item.id(), &ExternalId::new("rack", "17"));
        assert_eq!(item.to_json().as_deref(), Ok(r#"{"rack":{"name":"a1","externalId":"17"}}"#));
    }

    #[test]
    fn json_that_is_no_item_is_refused_with_a_reason() {
        let long = "x".repeat(MAX_ID_CHARACTERS + 1);
        for (item, expected) in [
            (json!([]), "it is not an object"),
            (json!({}), "it has 0 members"),
            (json!({"rack": {}, "site": {}}), "it has 2 members"),
            (json!({"rack": 1}), "\"rack\" is not an object"),
            (json!({"rack": {"name": "a1"}}), "externalId is missing"),
            (json!({"rack": {"externalId": 17}}), "externalId is not a text"),
            (json!({"rack": {"externalId": ""}}), "has 0 characters"),
            (json!({"rack": {"externalId": long}}), "has 1025 characters"),
            (json!({"delete": {"externalId": "17"}}), "\"delete\" is no kind"),
            (json!({"a\"b": {"externalId": "17"}}), "is no kind"),
        ] {
            let refused = Item::from_json(item.clone()).expect_err("no item").to_string();
            assert!(refused.contains(expected), "{item}: {refused}");
        }
        let large = json!({"rack": {"externalId": "17", "comment": "x".repeat(MAX_ITEM_BYTES)}});
        let large = Item::from_json(large).expect("an item");
        assert!(matches!(large.to_json(), Err(BadItem::TooLong { .. })));
        let many = json!({"rack": {"externalId": "17", "attributes": {"x": vec![1; MAX_ITEM_VALUES]}}});
        assert_eq!(Item::from_json(many), Err(BadItem::TooManyValues));
        let nested = json!({"rack": {"externalId": "17", "attributes": {"x": [1, {"y": 2}]}}});
        assert_eq!(Item::from_json(nested).map(|item| item.values()), Ok(6));
    }
}
