//! Builds an item from an object of NetBox.
//!
//! A value that has a field goes into the field, and null if NetBox leaves it empty. A value that has none is put
//! aside: into a label where the grammar of labels allows it, else into one attribute, `netbox`. This attribute is
//! replaced as a whole, so that nothing stays in it that NetBox does not say any more. The labels of an item are all
//! labels of the object: in a run, the server removes those that an item does not name any more. A value that fits
//! nowhere is a fault, and is reported.

use serde_json::{Map, Value, json};
use underlay_kit::sync::{AdapterError, BadThing, ExternalId, Item, Presence};
use underlay_kit::{is_label, shown};

use crate::context::Context;
use crate::object::Object;
use crate::settings::Tenants;
use crate::types::Type;
use crate::words::{List, Word};

/// The attribute that holds what has no field.
const ATTRIBUTE: &str = "netbox";
/// The maximum size of that attribute as JSON in bytes. All attributes of an object have at most 16 KiB.
const MAX_ATTRIBUTE_BYTES: usize = 15 << 10;
/// The maximum depth of a value in it. Attributes are nested at most 32 deep.
const MAX_VALUE_DEPTH: usize = 24;
/// The greatest number that an attribute can hold exactly.
const MAX_EXACT_NUMBER: f64 = 9_007_199_254_740_991.0;
/// The code of a word that is in no list.
const UNKNOWN_WORD: &str = "UNKNOWN_WORD";

/// An item that is being built.
#[derive(Debug)]
pub struct Draft {
    of: Type,
    id: u64,
    fields: Map<String, Value>,
    labels: Map<String, Value>,
    attributes: Map<String, Value>,
    faults: Vec<String>,
    left_out: Vec<&'static str>,
    unknown: Vec<(List, String)>,
    /// The reason why the object cannot become an item, and what that means for the one that the inventory has of it.
    impossible: Option<(String, Presence)>,
}

/// An object of NetBox after mapping.
#[derive(Debug)]
pub struct Mapped {
    /// The identity of the object.
    pub id: ExternalId,
    /// The item, `None` if the object cannot become one.
    pub item: Option<Item>,
    /// The values that the item cannot hold, or the reason why there is none.
    pub bad: Vec<BadThing>,
    /// Words that are in no list.
    pub unknown: Vec<(List, String)>,
    /// The number of values that became labels, and of those that were put into the attribute.
    pub put_aside: [(&'static str, u64); 2],
    /// The reasons for which something of the object is not kept.
    pub left_out: Vec<&'static str>,
}

impl Draft {
    /// Begins the item of an object, with what all objects of NetBox have.
    ///
    /// # Errors
    /// Returns an error if the object breaks the contract of the API.
    pub fn new(cx: &Context, of: Type, object: &Object) -> Result<Self, AdapterError> {
        let id = object.id()?;
        let mut draft = Self {
            of,
            id,
            fields: Map::new(),
            labels: Map::new(),
            attributes: Map::new(),
            faults: Vec::new(),
            left_out: Vec::new(),
            unknown: Vec::new(),
            impossible: None,
        };
        draft.set("description", object.text("description")?);
        let external = of.external(id).id;
        let url = format!("{}{}/{id}/", cx.base, of.path);
        draft.set("externalRefs", json!([{ "source": cx.source, "externalId": external, "url": url }]));
        draft.tags(object)?;
        draft.custom_fields(object)?;
        draft.keep(object, &["comments", "owner"]);
        Ok(draft)
    }

    /// Sets a field. `None` becomes null.
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.fields.insert(field.to_owned(), value.into());
    }

    /// Sets a field to a reference, or to null.
    pub fn refer(&mut self, field: &str, to: Option<(Type, u64)>) {
        self.set(field, to.map_or(Value::Null, |(of, id)| reference(of, id)));
    }

    /// Sets a field to the word for something in NetBox, or to null if there is none.
    pub fn word(&mut self, cx: &Context, field: &str, list: List, of: Option<&str>) {
        let word = cx.words.get(list, of);
        if let (Word::Default { is_reported: true, .. }, Some(of)) = (word, of) {
            self.unknown.push((list, of.to_owned()));
        }
        self.set(field, word.get());
        // A status that is not the same word says more in NetBox than here.
        if list.is_status() && of.is_some_and(|of| word.get().is_none_or(|word| !word.eq_ignore_ascii_case(of))) {
            self.attribute(field, of);
        }
    }

    /// Notes that a word is in no list.
    pub fn unknown(&mut self, list: List, of: &str) {
        self.unknown.push((list, of.to_owned()));
    }

    /// Puts a text aside as the label `netbox/NAME`, or into the attribute if it is no label.
    pub fn label(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(text) if is_label(text) => {
                self.labels.insert(format!("netbox/{name}"), text.into());
            }
            value => self.attribute(name, value),
        }
    }

    /// Sets the tenant of the object: a label, and the field if the settings want it.
    ///
    /// # Errors
    /// Returns an error if the object breaks the contract of the API.
    pub fn tenant(&mut self, cx: &Context, object: &Object) -> Result<(), AdapterError> {
        let slug = object.part("tenant")?.map(|tenant| tenant.required_text("slug")).transpose()?;
        self.label("tenant", slug);
        match cx.tenants {
            Tenants::Border => self.set("tenant", slug),
            Tenants::Label => {}
        }
        Ok(())
    }

    /// Puts a value into the attribute.
    pub fn attribute(&mut self, name: &str, value: impl Into<Value>) {
        let value = simple(&value.into());
        if is_empty(&value) {
            return;
        }
        match unfit(&value, MAX_VALUE_DEPTH) {
            Some(reason) => self.fault(name, &reason),
            None => {
                self.attributes.insert(name.to_owned(), value);
            }
        }
    }

    /// Puts members of the object into the attribute, under their own names.
    pub fn keep(&mut self, object: &Object, names: &[&str]) {
        for name in names {
            if let Some(value) = object.value(name) {
                self.attribute(name, value.clone());
            }
        }
    }

    /// Notes a value that the item cannot hold. The rest of the item is written.
    pub fn fault(&mut self, field: &str, reason: &str) {
        self.faults.push(format!("{field} {reason}"));
    }

    /// Notes that the object cannot become an item.
    pub fn impossible(&mut self, reason: impl Into<String>) {
        self.impossible.get_or_insert((reason.into(), Presence::StillThere));
    }

    /// Notes the reason why the object is none of its kind any more.
    pub fn gone(&mut self, reason: impl Into<String>) {
        self.impossible.get_or_insert((reason.into(), Presence::Gone));
    }

    /// Notes something that is not kept, which only the report says.
    pub fn leave_out(&mut self, reason: &'static str) {
        self.left_out.push(reason);
    }

    /// Ends the item.
    pub fn finish(mut self) -> Mapped {
        let id = self.of.external(self.id);
        self.shrink();
        let put_aside = [("labels", self.labels.len() as u64), ("attributes", self.attributes.len() as u64)];
        let attributes = if self.attributes.is_empty() { Value::Null } else { Value::Object(self.attributes) };
        let mut fields = self.fields;
        fields.insert("labels".to_owned(), Value::Object(self.labels));
        fields.insert("attributes".to_owned(), json!({ ATTRIBUTE: attributes }));
        let in_part = |message| BadThing::in_part(self.of.kind, id.id.clone(), message);
        let mut bad: Vec<BadThing> = self.faults.into_iter().map(in_part).collect();
        let item = match self.impossible {
            Some((reason, presence)) => {
                Err(BadThing { presence, ..BadThing::new(Some(self.of.kind), id.id.clone(), reason) })
            }
            None => Item::new(id.clone(), fields)
                .map_err(|error| BadThing::of_item(Some(self.of.kind), id.id.clone(), &error)),
        };
        let item = item.map_err(|thing| bad.insert(0, thing)).ok();
        Mapped { id, item, bad, unknown: self.unknown, put_aside, left_out: self.left_out }
    }

    fn tags(&mut self, object: &Object) -> Result<(), AdapterError> {
        let mut others = Vec::new();
        for tag in object.list("tags")? {
            let slug = tag.required_text("slug")?;
            if is_label(slug) {
                self.labels.insert(format!("tag.netbox/{slug}"), json!("true"));
            } else {
                others.push(Value::from(slug));
            }
        }
        self.attribute("tags", others);
        Ok(())
    }

    fn custom_fields(&mut self, object: &Object) -> Result<(), AdapterError> {
        let Some(member) = object.value("custom_fields") else { return Ok(()) };
        let fields = member.as_object().ok_or_else(|| object.wrong("custom_fields", "an object", member))?;
        let mut others = Map::new();
        for (name, value) in fields {
            let text = match value {
                Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
                Value::String(text) => Some(text.clone()),
                _ => None,
            };
            let label = text.filter(|text| is_label(text));
            if let Some(label) = label.filter(|_| is_label(name)) {
                self.labels.insert(format!("cf.netbox/{name}"), label.into());
                continue;
            }
            let value = simple(value);
            if is_empty(&value) {
                continue;
            }
            match unfit(&value, MAX_VALUE_DEPTH) {
                Some(reason) => self.fault(&format!("custom_fields.{name}"), &reason),
                None => {
                    others.insert(name.clone(), value);
                }
            }
        }
        self.attribute("custom_fields", others);
        Ok(())
    }

    /// Takes the largest values out of the attribute until it is small enough.
    fn shrink(&mut self) {
        let size = |value: &Value| value.to_string().len();
        let mut total: usize = self.attributes.iter().map(|(name, value)| name.len() + size(value) + 4).sum();
        while total > MAX_ATTRIBUTE_BYTES {
            let largest = self.attributes.iter().map(|(name, value)| (name.len() + size(value) + 4, name)).max();
            let Some((bytes, name)) = largest.map(|(bytes, name)| (bytes, name.clone())) else { return };
            self.attributes.remove(&name);
            total -= bytes;
            let reason =
                format!("has {bytes} bytes, and all that is put aside may have {MAX_ATTRIBUTE_BYTES}; it is left out");
            self.fault(&name, &reason);
        }
    }
}

impl Mapped {
    /// Returns the report of a word that is in no list.
    pub fn unknown_word(&self, list: List, of: &str, word: Option<&str>) -> BadThing {
        let written = word.unwrap_or("nothing");
        let message =
            format!("{} is not in the word list {list}, so {written} is written for it; add it to the list", shown(of));
        BadThing { code: UNKNOWN_WORD, ..BadThing::in_part(&self.id.kind, self.id.id.clone(), message) }
    }
}

/// Returns a reference to an object of this source.
pub fn reference(of: Type, id: u64) -> Value {
    json!({ "externalId": of.external(id).id })
}

/// Returns a value without what NetBox adds for people: the value of a choice, the name of an object.
fn simple(value: &Value) -> Value {
    match value {
        Value::Array(list) => list.iter().map(simple).collect(),
        Value::Object(members) => match (members.get("value"), members.get("id"), members.get("display")) {
            (Some(value), _, _) if members.contains_key("label") && members.len() == 2 => value.clone(),
            (_, Some(_), Some(display)) => {
                let mut names = ["slug", "name"].into_iter().filter_map(|name| members.get(name));
                names.find(|name| name.is_string()).unwrap_or(display).clone()
            }
            _ => value.clone(),
        },
        plain => plain.clone(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Returns the reason why a value cannot be in an attribute.
fn unfit(value: &Value, depth: usize) -> Option<String> {
    let Some(inner) = depth.checked_sub(1) else {
        return Some(format!("is nested more than {MAX_VALUE_DEPTH} deep; it is left out"));
    };
    match value {
        Value::Number(number) if number.as_f64().is_none_or(|number| number.abs() > MAX_EXACT_NUMBER) => {
            Some(format!("holds the number {number}, which is beyond ±{MAX_EXACT_NUMBER}; it is left out"))
        }
        Value::Array(list) => list.iter().find_map(|value| unfit(value, inner)),
        Value::Object(members) => members.values().find_map(|value| unfit(value, inner)),
        _ => None,
    }
}
