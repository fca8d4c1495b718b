//! Items that become at once what is written.
//!
//! They are read from the text of a request where that can be had: the tree of values that all other ways begin with is
//! most of what reading a large batch costs. Only items that conform to the schema to the letter are read here.

use std::fmt;

use async_graphql::InputType;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value as Json;

use super::exact::{Form, Inputs, Members};
use crate::inventory::{Description, Registry};
use crate::kinds::ApplyItem;
use crate::kinds::items::Ready;
use crate::write::{Fields, Intent, Item};

/// About how many fields an item has.
const USUAL: usize = 8;

/// What items may be.
pub struct Items {
    inputs: &'static Inputs,
    kinds: &'static Members,
    registry: &'static Registry,
}

impl Items {
    /// What items may be as a schema says.
    pub fn of(inputs: &'static Inputs, registry: &'static Registry) -> Option<Self> {
        Some(Self { inputs, kinds: inputs.object(&ApplyItem::type_name())?, registry })
    }

    /// Reads an item from its text.
    pub fn read(&self, text: &str) -> Option<Ready> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let item = OneItem(self).deserialize(&mut reader).ok();
        match item.filter(|_| reader.end().is_ok()) {
            Some(item) => Some(Ready::Item(item)),
            None => self.other(serde_json::from_str(text).ok()?),
        }
    }

    /// Reads an item from its value.
    pub fn read_value(&self, item: &Json) -> Option<Ready> {
        let read = OneItem(self).deserialize(item).ok();
        read.map(Ready::Item).or_else(|| self.other(item.clone()))
    }

    /// An item that writes no object, which is rare.
    fn other(&self, item: Json) -> Option<Ready> {
        self.inputs.fits(&ApplyItem::type_name(), &item).then_some(Ready::Other(item))
    }
}

/// An item that writes: an object with one member, named after the kind, that holds the fields.
struct OneItem<'a>(&'a Items);

impl<'de> DeserializeSeed<'de> for OneItem<'_> {
    type Value = Item;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OneItem<'_> {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an item that writes an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Item, A::Error> {
        let unfit = || A::Error::custom("does not conform");
        let (kind, form) = members.next_key_seed(Known(self.0.kinds))?.ok_or_else(unfit)?;
        let kind: &'static Description = self.0.registry.named(kind).ok_or_else(unfit)?;
        let holds = self.0.inputs.within(form).ok_or_else(unfit)?;
        let fields = members.next_value_seed(AllFields { inputs: self.0.inputs, members: holds })?;
        match members.next_key::<IgnoredAny>()? {
            None => Item::write(kind, Intent::Apply, fields).map_err(|_| unfit()),
            Some(_) => Err(unfit()),
        }
    }
}

/// The fields of an item.
struct AllFields {
    inputs: &'static Inputs,
    members: &'static Members,
}

impl<'de> DeserializeSeed<'de> for AllFields {
    type Value = Fields;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fields, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AllFields {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fields of an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Fields, A::Error> {
        let mut fields = Fields::with_room(USUAL);
        while let Some((name, form)) = members.next_key_seed(Known(self.members))? {
            let value: Json = members.next_value()?;
            if !self.inputs.has_form(form, &value) {
                return Err(A::Error::custom("does not conform"));
            }
            fields.set(name, value);
        }
        match self.members.are_complete(|name| fields.has(name)) {
            true => Ok(fields),
            false => Err(A::Error::custom("does not conform")),
        }
    }
}

/// The name of a member that the schema knows.
struct Known(&'static Members);

impl<'de> DeserializeSeed<'de> for Known {
    type Value = (&'static str, &'static Form);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Known {
    type Value = (&'static str, &'static Form);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        self.0.get(name).ok_or_else(|| E::custom("does not conform"))
    }
}
