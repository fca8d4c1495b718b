//! Builds an item.

use serde_json::{Map, Value};
use underlay_kit::sync::{BadThing, ExternalId, Item};

use super::Mapped;
use crate::object::Fault;

/// An item that is being built.
#[derive(Debug)]
pub struct Draft {
    id: ExternalId,
    fields: Map<String, Value>,
    faults: Vec<Fault>,
}

impl Draft {
    /// Begins the item of an object.
    pub fn new(kind: &str, uuid: &str) -> Self {
        Self { id: ExternalId::new(kind, uuid), fields: Map::new(), faults: Vec::new() }
    }

    /// Sets a field. `None` becomes null.
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.fields.insert(field.to_owned(), value.into());
    }

    /// Sets a field, or notes why it stays as it is.
    pub fn try_set(&mut self, field: &str, value: Result<impl Into<Value>, Fault>) {
        match value {
            Ok(value) => self.set(field, value),
            Err(fault) => self.fault(fault),
        }
    }

    /// Sets a field to a text of a bounded length, or notes why it stays as it is.
    pub fn set_text(&mut self, field: &str, text: Option<&str>, most: usize) {
        let chars = text.map_or(0, |text| text.chars().count());
        match chars > most {
            true => self.fault(format!("{field} has {chars} characters; at most {most} are allowed")),
            false => self.set(field, text),
        }
    }

    /// Notes a value that the item cannot hold. The rest of the item is written.
    pub fn fault(&mut self, fault: Fault) {
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
