//! Builds an item.

use serde_json::{Map, Value};
use underlay_kit::sync::{BadThing, ExternalId, Item};

use super::Mapped;

/// The maximum length of texts such as serial numbers in characters, and that of descriptions, as the server has them.
pub const MAX_TEXT_CHARACTERS: usize = 253;
pub const MAX_DESCRIPTION_CHARACTERS: usize = 4_096;

/// An item that is being built.
#[derive(Debug)]
pub struct Draft {
    id: ExternalId,
    fields: Map<String, Value>,
    faults: Vec<String>,
}

impl Draft {
    /// Begins the item of an object.
    pub fn new(kind: &str, id: &str) -> Self {
        Self { id: ExternalId::new(kind, id), fields: Map::new(), faults: Vec::new() }
    }

    /// Sets a field. `None` becomes null.
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.fields.insert(field.to_owned(), value.into());
    }

    /// Sets a field if there is a value, and leaves it as it is if there is none.
    pub fn set_known(&mut self, field: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.set(field, value);
        }
    }

    /// Sets a field to a text of a bounded length, or notes why it stays as it is. `None` becomes null.
    pub fn set_text(&mut self, field: &str, text: Option<&str>, most: usize) {
        let chars = text.map_or(0, |text| text.chars().count());
        match chars > most {
            true => self.fault(format!("{field} has {chars} characters; at most {most} are allowed")),
            false => self.set(field, text.map(str::trim)),
        }
    }

    /// Sets a field to a text of a bounded length if there is one, and leaves it as it is if there is none.
    pub fn set_known_text(&mut self, field: &str, text: Option<&str>) {
        if text.is_some() {
            self.set_text(field, text, MAX_TEXT_CHARACTERS);
        }
    }

    /// Notes a value that the item cannot express. The rest of the item is written.
    pub fn fault(&mut self, fault: String) {
        self.faults.push(fault);
    }

    /// Ends the item, and adds it and its faults to the object.
    pub fn finish(self, mapped: &mut Mapped) {
        let Self { id, fields, faults } = self;
        let thing = |message| BadThing::new(Some(&id.kind), id.id.clone(), message);
        mapped.bad.extend(faults.into_iter().map(thing));
        match Item::new(id.clone(), fields) {
            Ok(item) => mapped.items.push(item),
            Err(error) => mapped.bad.push(BadThing::of_item(Some(&id.kind), id.id.clone(), &error)),
        }
    }
}
