//! How a field is described: how it is read from a row and written to it, what it may hold, what it refers to.
//!
//! Outside the row a field is JSON under its GraphQL name. That is the one form in which items, change records,
//! manifests and exports speak of fields.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use chrono::{Datelike, NaiveDate};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use uuid::Uuid;

use super::refusal::Unfit;
use crate::store::Row;

/// The years of the dates and times that are stored and compared: those of four digits, which SQLite orders as text.
pub const STORED_YEARS: RangeInclusive<i32> = 1..=9999;

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Text of at most so many characters.
    Text { longest: usize },
    /// A whole number in a range, both ends included.
    Integer { least: i64, most: i64 },
    /// A number in a range, both ends included.
    Number { least: f64, most: f64 },
    /// True or false.
    Boolean,
    /// One of the words that the function gives.
    Choice(fn() -> Vec<&'static str>),
    /// A date, as `2026-11-20`.
    Date,
    /// Something with parts of its own, described in words.
    Structure(&'static str),
    /// A reference, or something with references in it.
    Reference,
    /// A map that is patched key by key: labels, attributes, external references.
    PerKey,
}

/// Where the references stand in the JSON of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The field is a reference to the one kind.
    One,
    /// The field is an object with one member, named after the kind, that holds the reference.
    OneOf,
    /// The field is an object; this member of it holds a reference to the one kind.
    Member(&'static str),
    /// The field is a list of references to the one kind.
    Many,
    /// The field is a list of objects with one member each, as in `OneOf`.
    ManyOf,
    /// The field is a list of objects; this member of each holds a reference to the one kind.
    ManyMember(&'static str),
}

/// What a reference field refers to.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// The kinds that it may refer to.
    pub targets: &'static [&'static str],
    /// Where the references stand in the field's JSON.
    pub form: Form,
    /// Whether the target contains this object: a delete with `cascade` takes it along.
    pub contained: bool,
    /// Whether this object stands inside the target: "anywhere beneath" finds it.
    pub within: bool,
    /// Whether this object ends at the target, as a cable at a port: "anywhere beneath" finds it wherever it finds the
    /// target, and beneath the target.
    pub ends: bool,
    /// Rows that refer to the target but are neither contained in it nor inside it; `None`: there are none.
    pub apart: Option<fn(&dyn Row) -> bool>,
    /// Calls back with the id of each object that a row refers to, in order.
    pub each: fn(&dyn Row, &mut dyn FnMut(Uuid)),
}

impl Form {
    /// The JSON of a field with the references in it replaced. Where there is none for one, what it stands in goes: the
    /// value, or the entry of the list.
    pub fn replace(self, value: Json, by: &dyn Fn(Json) -> Option<Json>) -> Json {
        match (self, value) {
            (_, Json::Null) => Json::Null,
            (Self::One, id) => by(id).unwrap_or_default(),
            (Self::OneOf, value) => replaced_in_each(value, by).unwrap_or_default(),
            (Self::Member(member), value) => replaced_in(value, member, by).unwrap_or_default(),
            (Self::Many, Json::Array(list)) => list.into_iter().filter_map(by).collect(),
            (Self::ManyOf, Json::Array(list)) => {
                list.into_iter().filter_map(|value| replaced_in_each(value, by)).collect()
            }
            (Self::ManyMember(member), Json::Array(list)) => {
                list.into_iter().filter_map(|value| replaced_in(value, member, by)).collect()
            }
            (Self::Many | Self::ManyOf | Self::ManyMember(_), value) => value,
        }
    }
}

fn replaced_in_each(value: Json, by: &dyn Fn(Json) -> Option<Json>) -> Option<Json> {
    match value {
        Json::Object(members) => members.into_iter().map(|(member, id)| Some((member, by(id)?))).collect(),
        other => Some(other),
    }
}

fn replaced_in(mut value: Json, member: &str, by: &dyn Fn(Json) -> Option<Json>) -> Option<Json> {
    if let Some(id) = value.get_mut(member) {
        *id = by(id.take())?;
    }
    Some(value)
}

impl Reference {
    /// Whether the target contains the object of a row.
    pub fn contains(&self, row: &dyn Row) -> bool {
        self.contained && !self.is_apart(row)
    }

    /// Whether a row that refers to the target is neither contained in it nor inside it.
    pub fn is_apart(&self, row: &dyn Row) -> bool {
        self.apart.is_some_and(|apart| apart(row))
    }

    /// The first object that a row refers to by this field.
    pub fn first(&self, row: &dyn Row) -> Option<Uuid> {
        let mut first = None;
        (self.each)(row, &mut |id| first = first.or(Some(id)));
        first
    }
}

/// The highest number that a field may have: numbers are bits of a signed integer of 64 bits, which stays positive.
pub const HIGHEST_NUMBER: u8 = 62;

/// A check of a field's JSON beyond its shape; gives the normal form of the value.
pub type Normalise = fn(Json) -> Result<Json, Unfit>;

/// The description of a field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The number by which the database knows the field: the managers of an object are stored as bit sets of field
    /// numbers, in rows and in the change log. It is unique within the kind, at most [`HIGHEST_NUMBER`], and never
    /// given to another field, not even after this one is removed.
    pub number: u8,
    /// The GraphQL name.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// Must be set when the object is created, and can never be cleared.
    pub required: bool,
    /// Cannot change after creation.
    pub immutable: bool,
    /// Whether those are told it, too, who see no more of the object than that others stand on it; of an object with a
    /// reference in it the reference alone.
    pub told: bool,
    /// What it refers to.
    pub reference: Option<Reference>,
    /// A further check, and the normal form of the value.
    pub normalise: Option<Normalise>,
    /// The value in a row, as JSON.
    pub get: fn(&dyn Row) -> Json,
    /// Appends the value in a row, as the text of JSON.
    pub write: fn(&dyn Row, &mut Vec<u8>) -> Result<(), serde_json::Error>,
    /// Puts a value into a row; `null` puts the default.
    pub set: fn(&mut dyn Row, &Json) -> Result<(), serde_json::Error>,
    /// Whether a row has a value; `null` is the default.
    pub is: fn(&dyn Row, &Json) -> Result<bool, serde_json::Error>,
    /// Whether two rows have the same value.
    pub same: fn(&dyn Row, &dyn Row) -> bool,
}

impl Field {
    /// A field that is neither required nor a reference, and takes every value of its shape.
    pub const fn plain(
        number: u8,
        name: &'static str,
        shape: Shape,
        get: fn(&dyn Row) -> Json,
        write: fn(&dyn Row, &mut Vec<u8>) -> Result<(), serde_json::Error>,
        set: fn(&mut dyn Row, &Json) -> Result<(), serde_json::Error>,
        is: fn(&dyn Row, &Json) -> Result<bool, serde_json::Error>,
        same: fn(&dyn Row, &dyn Row) -> bool,
    ) -> Self {
        let (required, immutable, told, reference, normalise) = (false, false, false, None, None);
        Self { number, name, shape, required, immutable, told, reference, normalise, get, write, set, is, same }
    }

    /// The same fields, if each has a number of its own that can be stored. For constants: a list that breaks the rule
    /// does not compile.
    ///
    /// # Panics
    /// When two fields have the same number, or one has a number above [`HIGHEST_NUMBER`].
    pub const fn numbered(fields: &[Self]) -> &[Self] {
        let mut seen: i64 = 0;
        let mut place = 0;
        while place < fields.len() {
            let number = fields[place].number;
            assert!(number <= HIGHEST_NUMBER, "a field has a number that cannot be stored");
            assert!(seen & (1 << number) == 0, "two fields have the same number");
            seen |= 1 << number;
            place += 1;
        }
        fields
    }

    /// Must be set when the object is created, and can never be cleared.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Cannot change after creation.
    pub const fn immutable(mut self) -> Self {
        self.immutable = true;
        self
    }

    /// Those are told it, too, who see no more of the object than that others stand on it. So are its name, its key, and
    /// what it is required to refer to.
    pub const fn told(mut self) -> Self {
        self.told = true;
        self
    }

    /// The target contains the object: it stands inside, and a cascading delete takes it along.
    pub const fn contained(self) -> Self {
        let mut field = self.within();
        if let Some(mut reference) = field.reference {
            reference.contained = true;
            field.reference = Some(reference);
        }
        field
    }

    /// The object stands inside the target.
    pub const fn within(mut self) -> Self {
        if let Some(mut reference) = self.reference {
            reference.within = true;
            self.reference = Some(reference);
        }
        self
    }

    /// The object ends at the target.
    pub const fn ending(mut self) -> Self {
        if let Some(mut reference) = self.reference {
            reference.ends = true;
            self.reference = Some(reference);
        }
        self
    }

    /// Rows for which `apart` holds refer to the target without being contained in it or standing inside it.
    pub const fn unless(mut self, apart: fn(&dyn Row) -> bool) -> Self {
        if let Some(mut reference) = self.reference {
            reference.apart = Some(apart);
            self.reference = Some(reference);
        }
        self
    }

    /// Values are checked and brought to a normal form by a function.
    pub const fn normalised(mut self, normalise: Normalise) -> Self {
        self.normalise = Some(normalise);
        self
    }

    /// Checks a value's shape and gives its normal form. References in it are ids by now.
    pub fn fit<'a>(&self, value: &'a Json) -> Result<Cow<'a, Json>, Unfit> {
        if value.is_null() {
            return Ok(Cow::Borrowed(value));
        }
        let fits = match self.shape {
            Shape::Text { longest } => value.as_str().is_some_and(|text| text.chars().count() <= longest),
            Shape::Integer { least, most } => value.as_i64().is_some_and(|number| (least..=most).contains(&number)),
            Shape::Number { least, most } => value.as_f64().is_some_and(|number| (least..=most).contains(&number)),
            Shape::Boolean => value.is_boolean(),
            Shape::Choice(words) => value.as_str().is_some_and(|text| words().contains(&text)),
            Shape::Date => return self.fit_date(value),
            Shape::Structure(_) | Shape::Reference | Shape::PerKey => true,
        };
        if !fits {
            return Err(Unfit::new(self.name, format!("must be {}, not {}", self.shape.words(), shorten(value))));
        }
        match self.normalise {
            Some(normalise) => normalise(value.clone()).map(Cow::Owned).map_err(|unfit| unfit.within(self.name)),
            None => Ok(Cow::Borrowed(value)),
        }
    }

    /// Checks that a date is one that both databases hold, and order, in the same way. What is no date at all is refused
    /// when it is put into a row.
    fn fit_date<'a>(&self, value: &'a Json) -> Result<Cow<'a, Json>, Unfit> {
        let date = value.as_str().and_then(|text| text.parse::<NaiveDate>().ok());
        match date.is_none_or(|date| STORED_YEARS.contains(&date.year())) {
            true => Ok(Cow::Borrowed(value)),
            false => Err(Unfit::new(
                self.name,
                format!("must be a date from 0001-01-01 to 9999-12-31, not {}", shorten(value)),
            )),
        }
    }

    /// Puts a value that [`fit`](Self::fit) gave into a row.
    pub fn put(&self, row: &mut dyn Row, value: &Json) -> Result<(), Unfit> {
        (self.set)(row, value).map_err(|error| self.misfit(&error))
    }

    /// Whether a row has a value that [`fit`](Self::fit) gave.
    pub fn holds(&self, row: &dyn Row, value: &Json) -> Result<bool, Unfit> {
        (self.is)(row, value).map_err(|error| self.misfit(&error))
    }

    fn misfit(&self, error: &serde_json::Error) -> Unfit {
        let error = error.to_string();
        Unfit::new(self.name, format!("must be {}: {}", self.shape.words(), shorten_text(&error)))
    }
}

impl Shape {
    /// The shape, in words that finish "must be …".
    pub fn words(&self) -> String {
        match self {
            Self::Text { longest } => format!("text of at most {longest} characters"),
            Self::Integer { least, most: i64::MAX } => format!("a whole number of at least {least}"),
            Self::Integer { least, most } => format!("a whole number from {least} to {most}"),
            Self::Number { least, most } if *most == f64::MAX => format!("a number of at least {least}"),
            Self::Number { least, most } => format!("a number from {least} to {most}"),
            Self::Boolean => "true or false".to_owned(),
            Self::Choice(words) => format!("one of {}", words().join(", ")),
            Self::Date => "a date such as 2026-11-20".to_owned(),
            Self::Structure(words) => (*words).to_owned(),
            Self::Reference => "a reference".to_owned(),
            Self::PerKey => "a map".to_owned(),
        }
    }
}

/// A value as it is quoted in a message: whole when it is short.
pub fn shorten(value: &Json) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A text of a client as it is repeated in a message: whole when it could be a name.
pub fn shorten_text(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(253) {
        Some((end, _)) => Cow::Owned(format!("{}…", text[..end].trim_end())),
        None => Cow::Borrowed(text),
    }
}

/// Something in a row that refers to objects.
pub trait Targets {
    /// Calls back with the id of each object, in order.
    fn each(&self, visit: &mut dyn FnMut(Uuid));
}

impl Targets for Uuid {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        visit(*self);
    }
}

impl<T: Targets> Targets for Option<T> {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        if let Some(target) = self {
            target.each(visit);
        }
    }
}

impl<T: Targets> Targets for [T] {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        for target in self {
            target.each(visit);
        }
    }
}

impl Targets for underlay_entity::common::Ids {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        self.0.each(visit);
    }
}

/// A value as a column has it; `null` is the default.
pub fn column<T: DeserializeOwned>(value: &Json, default: impl FnOnce() -> T) -> Result<T, serde_json::Error> {
    if value.is_null() { Ok(default()) } else { T::deserialize(value) }
}

/// The concrete row behind a row of any kind.
///
/// # Panics
/// When the row is of another kind: the registry pairs rows and descriptions, so that cannot come from data.
pub fn cast<M: Row>(row: &dyn Row) -> &M {
    row.as_any().downcast_ref().expect("a row is described by its own kind")
}

/// The concrete row behind a row of any kind, to be changed.
///
/// # Panics
/// As [`cast`].
pub fn cast_mut<M: Row>(row: &mut dyn Row) -> &mut M {
    row.as_any_mut().downcast_mut().expect("a row is described by its own kind")
}

/// Describes a field that is one column, by its stored number: `field!(10, Model.height_u, "heightU", shape)`.
///
/// In scope must be a function `blank() -> Model` that gives the defaults.
#[macro_export]
macro_rules! field {
    ($number:literal, $model:ident . $column:ident, $name:expr, $shape:expr) => {
        $crate::inventory::Field::plain(
            $number,
            $name,
            $shape,
            |row| {
                serde_json::to_value(&$crate::inventory::cast::<$model>(row).$column).unwrap_or(serde_json::Value::Null)
            },
            |row, text| serde_json::to_writer(text, &$crate::inventory::cast::<$model>(row).$column),
            |row, value| {
                let value = $crate::inventory::column(value, || blank().$column)?;
                $crate::inventory::cast_mut::<$model>(row).$column = value;
                Ok(())
            },
            |row, value| {
                let value = $crate::inventory::column(value, || blank().$column)?;
                Ok($crate::inventory::cast::<$model>(row).$column == value)
            },
            |left, right| {
                $crate::inventory::cast::<$model>(left).$column == $crate::inventory::cast::<$model>(right).$column
            },
        )
    };
}

/// Describes a reference field that is one column: `reference!(6, Model.site_id, "site", Form::One, &["Site"])`.
#[macro_export]
macro_rules! reference {
    ($number:literal, $model:ident . $column:ident, $name:expr, $form:expr, $targets:expr) => {{
        let mut field = $crate::field!($number, $model.$column, $name, $crate::inventory::Shape::Reference);
        field.reference = Some($crate::inventory::Reference {
            targets: $targets,
            form: $form,
            contained: false,
            within: false,
            ends: false,
            apart: None,
            each: |row, visit| $crate::inventory::Targets::each(&$crate::inventory::cast::<$model>(row).$column, visit),
        });
        field
    }};
}
