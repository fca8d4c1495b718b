//! Facets: the number of objects of a list for each value of a field or of a label.
//!
//! All facets of a list are counted in one pass over its objects. The values of a field are compared in the form that
//! they have in JSON, so nothing here knows a kind.

use std::cmp::Reverse;

use async_graphql::SimpleObject;
use foldhash::{HashMap, HashMapExt as _};
use serde_json::Value as Json;

use super::error::ReadError;
use super::listing::{Listed, Listing};
use underlay_entity::row::Row;
use underlay_inventory::{Description, Field, Form, Shape, compare_names, shorten_text};

/// The maximum number of facets that are counted at once.
const MAX_FACETS: usize = 10;
/// The maximum number of values of a facet that are returned.
const MAX_FACET_VALUES: usize = 50;
/// The maximum number of different values that are counted for a facet.
const MAX_DISTINCT_VALUES: usize = 10_000;
/// The longest text, in characters, that a field with facets can hold. Longer texts are for people.
const MAX_TEXT_CHARACTERS: usize = 253;
/// The beginning of the name of a label in `by`.
const LABEL: &str = "labels.";

/// The numbers of objects of a list by the value of one field or label.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct Facet {
    /// The name of the field or label, as it was given.
    pub by: String,
    /// The values with the number of objects that have each: the most frequent first, at most 50 of them.
    pub counts: Vec<FacetCount>,
    /// The number of further values, which `counts` leaves out.
    pub more: usize,
}

/// A value of a field or label, with the number of objects that have it.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct FacetCount {
    /// The value as text: a text or enum value as it is, a number in digits, `true` or `false`, or the id of the object
    /// that is referred to. Null for the objects without a value.
    pub value: Option<String>,
    /// The number of objects of the list with this value.
    pub count: usize,
}

/// Counts the objects of a list by the values of these fields and labels.
///
/// # Errors
/// Returns an error if something in `by` cannot be counted, or has too many different values.
pub async fn facets<K: Listed>(listing: &Listing<K>, by: Vec<String>) -> Result<Vec<Facet>, ReadError> {
    if by.len() > MAX_FACETS {
        let reason = format!("has {} entries; at most {MAX_FACETS} are allowed", by.len());
        return Err(ReadError::Argument { argument: "by", reason });
    }
    let tallies = by.into_iter().map(|name| Tally::of(K::describe(), name));
    let mut tallies = tallies.collect::<Result<Vec<_>, _>>()?;
    let mut text = Vec::new();
    listing.visit(|held| tallies.iter_mut().try_for_each(|tally| tally.add(held.row.as_ref(), &mut text))).await?;
    Ok(tallies.into_iter().map(Tally::facet).collect())
}

/// The property by which a facet counts.
enum Property {
    Field(&'static Field),
    Label(String),
}

/// A facet that is being counted.
struct Tally {
    by: String,
    property: Property,
    /// The number of objects by the JSON text of the value.
    counts: HashMap<Vec<u8>, usize>,
}

impl Tally {
    fn of(kind: &'static Description, by: String) -> Result<Self, ReadError> {
        let property = match by.strip_prefix(LABEL) {
            Some(key) if !key.is_empty() => Property::Label(key.to_owned()),
            _ => {
                let field = kind.fields.iter().find(|field| field.name == by && has_facets(field));
                Property::Field(field.ok_or_else(|| unknown(kind, &by))?)
            }
        };
        Ok(Self { by, property, counts: HashMap::new() })
    }

    /// Counts a row. `text` is room for the value.
    fn add(&mut self, row: &dyn Row, text: &mut Vec<u8>) -> Result<(), ReadError> {
        text.clear();
        let written = match &self.property {
            Property::Field(field) => (field.write)(row, text),
            Property::Label(key) => serde_json::to_writer(&mut *text, &row.common().labels.0.get(key)),
        };
        if let Err(error) = written {
            return Err(ReadError::Argument {
                argument: "by",
                reason: format!("{:?} cannot be read: {error}", self.by),
            });
        }
        let is_full = self.counts.len() == MAX_DISTINCT_VALUES;
        match self.counts.get_mut(text.as_slice()) {
            Some(count) => *count += 1,
            None if is_full => {
                return Err(ReadError::TooManyValues { by: self.by.clone(), most: MAX_DISTINCT_VALUES });
            }
            None => {
                self.counts.insert(text.clone(), 1);
            }
        }
        Ok(())
    }

    fn facet(self) -> Facet {
        let count = |(text, count): (Vec<u8>, usize)| FacetCount { value: value_of(&text), count };
        let mut counts: Vec<FacetCount> = self.counts.into_iter().map(count).collect();
        counts.sort_by(|left, right| {
            let by_count = Reverse(left.count).cmp(&Reverse(right.count));
            by_count.then_with(|| match (&left.value, &right.value) {
                (Some(left), Some(right)) => compare_names(left, right),
                (left, right) => left.is_none().cmp(&right.is_none()),
            })
        });
        let more = counts.len().saturating_sub(MAX_FACET_VALUES);
        counts.truncate(MAX_FACET_VALUES);
        Facet { by: self.by, counts, more }
    }
}

/// Returns a value in JSON as text. Null has none.
fn value_of(text: &[u8]) -> Option<String> {
    match serde_json::from_slice(text) {
        Ok(Json::Null) | Err(_) => None,
        Ok(Json::String(text)) => Some(text),
        Ok(other) => Some(other.to_string()),
    }
}

/// Returns true if the values of a field can be counted: single values that are short.
fn has_facets(field: &Field) -> bool {
    match field.shape {
        Shape::Text { longest } => longest <= MAX_TEXT_CHARACTERS,
        Shape::Integer { .. } | Shape::Number { .. } | Shape::Boolean | Shape::Choice(_) | Shape::Date => true,
        Shape::Reference => field.reference.is_some_and(|reference| reference.form == Form::One),
        Shape::Structure(_) | Shape::PerKey => false,
    }
}

fn unknown(kind: &Description, by: &str) -> ReadError {
    let allowed = kind.fields.iter().filter(|field| has_facets(field)).map(|field| field.name);
    let allowed = allowed.collect::<Vec<_>>().join(", ");
    let reason = format!(
        "must hold fields with single values, not {:?}; allowed for {}: {allowed}, and {LABEL}KEY for the label KEY",
        shorten_text(by),
        kind.name
    );
    ReadError::Argument { argument: "by", reason }
}
