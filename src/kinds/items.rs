//! The items of a batch, as they are read from a request.
//!
//! They are read one by one, so that a refusal says which item and which field does not fit: the library alone says
//! only of which type the value should have been. What it finds itself, before anything is read, names the place in
//! the message.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use async_graphql::registry::Registry;
use async_graphql::{Context, Error, InputType, InputValueError, InputValueResult, Name, Result, Value};
use serde_json::Value as Json;

use super::ApplyItem;
use super::errors::internal;
use crate::write::Item;

/// The items of a batch.
#[derive(Clone, Debug)]
pub enum ApplyItems {
    /// Read from the request.
    Read(Vec<ApplyItem>),
    /// Kept apart from the request, at this place among those that were.
    Apart(usize),
}

/// Lists of items that were kept apart from a request.
#[derive(Debug, Default)]
pub struct Apart(pub Vec<Mutex<Option<Vec<Ready>>>>);

/// An item that was kept apart: it conforms to the schema to the letter.
#[derive(Debug)]
pub enum Ready {
    /// One that writes an object, as it is written.
    Item(Item),
    /// Another, as it came.
    Other(Json),
}

impl TryFrom<Ready> for Item {
    type Error = Error;

    fn try_from(ready: Ready) -> Result<Self> {
        match ready {
            Ready::Item(item) => Ok(item),
            Ready::Other(item) => {
                let value = Value::from_json(item).map_err(|error| internal(&error.to_string()))?;
                let item = ApplyItem::parse(Some(value)).map_err(|_| internal("an item does not conform"))?;
                Ok(item.into())
            }
        }
    }
}

impl ApplyItems {
    /// What stands in the request for items that are kept apart. No client can send it: it has no form in JSON.
    pub fn marker(place: usize) -> Value {
        Value::Binary(place.to_le_bytes().to_vec().into())
    }

    /// The items, to be written.
    ///
    /// # Errors
    /// When items that were kept apart are not there any more, or do not conform: neither can come from a client.
    pub fn take(self, context: &Context<'_>) -> Result<Vec<Item>> {
        let place = match self {
            Self::Read(items) => return Ok(items.into_iter().map(Item::from).collect()),
            Self::Apart(place) => place,
        };
        let apart = context.data_opt::<Apart>().and_then(|apart| apart.0.get(place));
        let taken = apart.and_then(|items| items.lock().unwrap_or_else(PoisonError::into_inner).take());
        let Some(items) = taken else { return Err(internal("items were taken twice")) };
        items.into_iter().map(Item::try_from).collect()
    }
}

impl InputType for ApplyItems {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        <Vec<ApplyItem> as InputType>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        <Vec<ApplyItem> as InputType>::create_type_info(registry)
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        let values = match value.unwrap_or_default() {
            Value::List(values) => values,
            Value::Binary(place) => {
                let place = place.as_ref().try_into().map(usize::from_le_bytes);
                return place.map(Self::Apart).map_err(|_| InputValueError::custom("is not a list of items"));
            }
            // The specification takes a value for a list of one.
            value => vec![value],
        };
        let read = |(place, value): (usize, Value)| {
            ApplyItem::parse(Some(value.clone())).map_err(|error| {
                let place = format!("input.items.{place}{}", misfit(&value).unwrap_or_default());
                error.with_extension("field", place).propagate()
            })
        };
        values.into_iter().enumerate().map(read).collect::<Result<_, _>>().map(Self::Read)
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Read(items) => items.to_value(),
            Self::Apart(place) => Self::marker(*place),
        }
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

/// The first field of an item that is refused by itself: all fields of an item can be left out, so each can be read
/// alone.
fn misfit(item: &Value) -> Option<String> {
    let Value::Object(members) = item else { return None };
    let (kind, Value::Object(fields)) = members.first()? else { return None };
    let alone = |(name, value): (&Name, &Value)| {
        let object = |name: &Name, value: Value| Value::Object([(name.clone(), value)].into_iter().collect());
        ApplyItem::parse(Some(object(kind, object(name, value.clone())))).is_err()
    };
    let (name, _) = fields.iter().find(|field| alone(*field))?;
    Some(format!(".{kind}.{name}"))
}
