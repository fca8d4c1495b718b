//! The items of a batch, as they come in a request.
//!
//! The library checks all items before it executes the request, and refuses the request when one value in one item is
//! wrong. So an item can be any value for the schema that mutations are executed on ([`AnyItem`]), and [`Reader`] makes
//! items of the values: one by one, with a refusal that names the field and says what is allowed. The schema that
//! clients see has the typed items; the reader takes the types from there.

mod reader;

use std::borrow::Cow;

use async_graphql::registry::{MetaType, Registry as Types};
use async_graphql::{Error, InputType, InputValueResult, Value};

use super::ApplyItem;
use super::errors::refused;
use crate::inventory::{Refusal, Registry};
use crate::runtime::parallel;
use crate::write::{Item, Mode, Outcome};
pub use reader::Reader;

/// The items of a batch, not read yet.
#[derive(Clone, Debug)]
pub struct ApplyItems(Vec<Value>);

/// A value that is no item.
#[derive(Debug)]
pub struct Misfit {
    /// The way to what is wrong, from the item: `rack.heightU`. Empty if the item as a whole is wrong.
    path: String,
    outcome: Box<Outcome>,
}

impl ApplyItems {
    /// Reads the items. In a batch whose items stand alone, one that is wrong keeps its place, with its refusal.
    ///
    /// # Errors
    /// When the items stand and fall together and one of them is wrong. The error names its place and the field.
    pub fn read(self, kinds: &Registry, mode: Mode) -> Result<Vec<Item>, Error> {
        let reader = Reader::new(kinds);
        let count = self.0.len();
        let read = parallel(&self.0, count, |values| values.iter().map(|value| reader.item(value)).collect());
        let mut items = Vec::with_capacity(count);
        for (place, (value, item)) in self.0.into_iter().zip(read).enumerate() {
            items.push(match (item, mode) {
                (Ok(item), _) => item,
                (Err(misfit), Mode::Atomic) => return Err(misfit.at(place)),
                (Err(Misfit { outcome, .. }), Mode::PerItem) => Item::Refused { outcome, given: reader::json(&value) },
            });
        }
        Ok(items)
    }
}

impl Misfit {
    /// The error of a batch that is refused because of the item at a place.
    fn at(&self, place: usize) -> Error {
        let Some(refusal) = &self.outcome.error else { return Error::new(format!("item {place} cannot be read")) };
        let field = match self.path.as_str() {
            "" => format!("input.items.{place}"),
            path => format!("input.items.{place}.{path}"),
        };
        let reason =
            Refusal::Recorded { code: refusal.code(), field: Some(field), message: format!("item {place}: {refusal}") };
        refused(&reason, self.outcome.kind, None)
    }
}

impl InputType for ApplyItems {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        <Vec<ApplyItem> as InputType>::type_name()
    }

    fn create_type_info(types: &mut Types) -> String {
        <Vec<ApplyItem> as InputType>::create_type_info(types)
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        Ok(Self(match value.unwrap_or_default() {
            Value::List(values) => values,
            // The specification takes a value for a list of one.
            value => vec![value],
        }))
    }

    fn to_value(&self) -> Value {
        Value::List(self.0.clone())
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

/// An item of which the library checks nothing. A schema in which this type is registered takes any value for an item.
#[derive(Debug)]
pub struct AnyItem;

impl InputType for AnyItem {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        ApplyItem::type_name()
    }

    fn create_type_info(types: &mut Types) -> String {
        let any = MetaType::Scalar {
            name: Self::type_name().into_owned(),
            description: None,
            is_valid: None,
            visible: None,
            inaccessible: false,
            tags: Vec::new(),
            specified_by_url: None,
            directive_invocations: Vec::new(),
            requires_scopes: Vec::new(),
        };
        types.types.insert(Self::type_name().into_owned(), any);
        Self::qualified_type_name()
    }

    fn parse(_: Option<Value>) -> InputValueResult<Self> {
        Ok(Self)
    }

    fn to_value(&self) -> Value {
        Value::Null
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}
