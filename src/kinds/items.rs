//! The items of a batch, as they are read from a request.
//!
//! They are read one by one, so that a refusal says which item and which field does not fit: the library alone says
//! only of which type the value should have been. What it finds itself, before anything is read, names the place in
//! the message.

use std::borrow::Cow;

use async_graphql::registry::Registry;
use async_graphql::{InputType, InputValueResult, Name, Value};

use super::ApplyItem;

/// The items of a batch.
#[derive(Clone, Debug)]
pub struct ApplyItems(pub Vec<ApplyItem>);

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
            // The specification takes a value for a list of one.
            value => vec![value],
        };
        let read = |(place, value): (usize, Value)| {
            ApplyItem::parse(Some(value.clone())).map_err(|error| {
                let place = format!("input.items.{place}{}", misfit(&value).unwrap_or_default());
                error.with_extension("field", place).propagate()
            })
        };
        values.into_iter().enumerate().map(read).collect::<Result<_, _>>().map(Self)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
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
