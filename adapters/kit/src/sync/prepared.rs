//! Items as the runner keeps them: their JSON, and digests of their identity and content.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::item::{BadItem, ExternalId, Item};

/// A digest that stands for a text in the state of a source. 128 bits make an accidental collision impossible in
/// practice.
pub type Digest = [u8; 16];

/// An item that is ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The identity of the object.
    pub id: ExternalId,
    /// The digest of the identity.
    pub key: Digest,
    /// The digest of the content. The order of members does not matter.
    pub content: Digest,
    /// The item as JSON.
    pub json: Box<str>,
}

impl Prepared {
    /// Prepares an item.
    ///
    /// # Errors
    /// Returns an error if the item is longer than any object.
    pub fn new(item: &Item) -> Result<Self, BadItem> {
        let mut content = Sha256::new();
        let members = item.fields().iter().map(|(name, value)| (name.as_str(), value)).collect();
        object(&mut content, members);
        let json = item.to_json()?.into_boxed_str();
        Ok(Self { id: item.id().clone(), key: key(item.id()), content: short(content), json })
    }
}

/// Returns the digest of an identity.
pub fn key(id: &ExternalId) -> Digest {
    let mut digest = Sha256::new();
    text(&mut digest, &id.kind);
    text(&mut digest, &id.id);
    short(digest)
}

fn short(digest: Sha256) -> Digest {
    let mut short = Digest::default();
    short.copy_from_slice(&digest.finalize()[..size_of::<Digest>()]);
    short
}

/// Adds a value. The first byte says of which type it is, so that two different values never give the same bytes.
fn add(digest: &mut Sha256, value: &Value) {
    match value {
        Value::Null => digest.update([0]),
        Value::Bool(value) => digest.update([1, u8::from(*value)]),
        Value::Number(number) => {
            digest.update([2]);
            text(digest, &number.to_string());
        }
        Value::String(string) => {
            digest.update([3]);
            text(digest, string);
        }
        Value::Array(list) => {
            digest.update([4]);
            digest.update((list.len() as u64).to_le_bytes());
            list.iter().for_each(|element| add(digest, element));
        }
        Value::Object(members) => {
            digest.update([5]);
            object(digest, members.iter().map(|(name, value)| (name.as_str(), value)).collect());
        }
    }
}

fn object(digest: &mut Sha256, mut members: Vec<(&str, &Value)>) {
    members.sort_unstable_by_key(|(name, _)| *name);
    digest.update((members.len() as u64).to_le_bytes());
    for (name, value) in members {
        text(digest, name);
        add(digest, value);
    }
}

fn text(digest: &mut Sha256, text: &str) {
    digest.update((text.len() as u64).to_le_bytes());
    digest.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn content(fields: Value) -> Digest {
        let Value::Object(mut fields) = fields else { panic!("fields are an object") };
        fields.insert("externalId".into(), "7".into());
        let item = Item::from_json(json!({ "rack": fields })).expect("an item");
        Prepared::new(&item).expect("prepared").content
    }

    #[test]
    fn the_order_of_members_does_not_matter_and_everything_else_does() {
        let first = content(json!({"name": "a", "labels": {"x": "1", "y": "2"}}));
        assert_eq!(first, content(json!({"labels": {"y": "2", "x": "1"}, "name": "a"})));
        let all = [
            json!({}),
            json!({"a": null}),
            json!({"a": ""}),
            json!({"a": 0}),
            json!({"a": false}),
            json!({"a": []}),
            json!({"a": {}}),
            json!({"a": [1, 2]}),
            json!({"a": [2, 1]}),
            json!({"a": ["1", "2"]}),
            json!({"a": ["12"]}),
            json!({"ab": "c"}),
            json!({"a": "bc"}),
        ];
        let digests: std::collections::HashSet<Digest> = all.into_iter().map(content).collect();
        assert_eq!(digests.len(), 13);
    }

    #[test]
    fn kind_and_id_are_kept_apart() {
        assert_ne!(key(&ExternalId::new("rack", "s1")), key(&ExternalId::new("racks", "1")));
    }
}
