//! The description of a field: its shape, who sets and sees it, and the functions that read and write it in a row.
//!
//! Outside of a row, a field is JSON under its GraphQL name. Items, change records, manifests and exports all use this
//! form.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use chrono::{Datelike, NaiveDate};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::reference::Reference;
use super::shape::{Shape, shorten, shorten_text};
use underlay_entity::row::Row;
use underlay_error::{Role, Roles, Unfit};

/// The years of stored and compared dates and times. All have four digits, because SQLite orders dates and times as
/// text.
pub const STORED_YEARS: RangeInclusive<i32> = 1..=9999;

/// The highest number that a field may have. Numbers are bits of a signed 64-bit integer, which must stay positive.
pub const HIGHEST_NUMBER: u8 = 62;

/// The party that sets a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setter {
    /// Everyone who may write the object.
    Everyone,
    /// The roles of [`Roles::OPERATING`]. A synchronizer does not set the field, though it writes the object.
    Operators,
    /// The server alone. An item that contains the field is refused, and items that the server writes leave it out.
    Server,
}

/// The readers who see an object or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone who may read.
    Everyone,
    /// Those who may read and belong to no tenant. Nothing of it is in the snapshot of a tenant.
    Operators,
    /// For kinds alone: those who belong to no tenant, and the tenant that owns the object to which this field refers.
    /// The tenant of the object itself decides nothing.
    TenantOf(&'static str),
}

/// A check of a field's JSON beyond its shape. It returns the normal form of the value.
pub type Normalise = fn(Json) -> Result<Json, Unfit>;

/// Removes from a field's JSON what tenants must not see.
pub type Redact = fn(Json) -> Json;

/// The description of one field of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The number of the field in the database. Rows and the change log store the managers of an object as bit sets of
    /// field numbers. A number is unique within the kind, at most [`HIGHEST_NUMBER`], and never given to another field,
    /// even after this field is removed.
    pub number: u8,
    /// The name of the field in GraphQL.
    pub name: &'static str,
    /// The set of values that the field can hold.
    pub shape: Shape,
    /// True if the field must be set when the object is created, and can never be cleared.
    pub required: bool,
    /// True if the field cannot change after creation.
    pub immutable: bool,
    /// True if the reduced form of an object shows this field. A tenant sees the reduced form if it does not own the
    /// object but another visible object refers to it. Of a structure with a reference in it, only the reference is
    /// shown.
    pub reduced: bool,
    /// The party that sets the field.
    pub setter: Setter,
    /// The roles that may set the field of existing objects, though they may not write objects.
    pub assigned_by: Roles,
    /// The entries of a map that a role may set of existing objects, though it may not write objects.
    pub assigned_entries: &'static [(&'static str, Role)],
    /// True if the field holds what a controller saw or did. Only the roles of `assigned_by` and the server set it. It
    /// has no manager, and a write of nothing else leaves the version and the time of the object as they are.
    pub reported: bool,
    /// The readers who see the field. For a tenant, a field of operators has its default.
    pub audience: Audience,
    /// Returns the value as tenants see it; `None` if they see the value as it is.
    pub redact: Option<Redact>,
    /// The description of the reference; `None` if the field is not a reference.
    pub reference: Option<Reference>,
    /// A further check of the value, which also returns its normal form.
    pub normalise: Option<Normalise>,
    /// Returns the value in a row, as JSON.
    pub get: fn(&dyn Row) -> Json,
    /// Appends the value in a row, as JSON text.
    pub write: fn(&dyn Row, &mut Vec<u8>) -> Result<(), serde_json::Error>,
    /// Sets the value in a row; `null` sets the default.
    pub set: fn(&mut dyn Row, &Json) -> Result<(), serde_json::Error>,
    /// Returns true if a row has the given value; `null` stands for the default.
    pub is: fn(&dyn Row, &Json) -> Result<bool, serde_json::Error>,
    /// Returns true if two rows have the same value.
    pub same: fn(&dyn Row, &dyn Row) -> bool,
}

impl Field {
    /// Creates a field that is neither required nor a reference, and accepts every value of its shape.
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
        let (required, immutable, reduced, reference, normalise) = (false, false, false, None, None);
        let (assigned_by, assigned_entries, reported): (_, &[(&str, Role)], _) = (Roles::NONE, &[], false);
        let (setter, audience, redact) = (Setter::Everyone, Audience::Everyone, None);
        Self {
            number,
            name,
            shape,
            required,
            immutable,
            reduced,
            setter,
            assigned_by,
            assigned_entries,
            reported,
            audience,
            redact,
            reference,
            normalise,
            get,
            write,
            set,
            is,
            same,
        }
    }

    /// Returns the same fields after checking that each has its own number, at most [`HIGHEST_NUMBER`]. In a constant,
    /// a list that breaks the rule does not compile.
    ///
    /// # Panics
    /// Panics if two fields have the same number, or if a number is above [`HIGHEST_NUMBER`].
    pub const fn numbered(fields: &[Self]) -> &[Self] {
        let mut seen: i64 = 0;
        let mut index = 0;
        while index < fields.len() {
            let number = fields[index].number;
            assert!(number <= HIGHEST_NUMBER, "a field has a number that cannot be stored");
            assert!(seen & (1 << number) == 0, "two fields have the same number");
            seen |= 1 << number;
            index += 1;
        }
        fields
    }

    /// Makes the field required: it must be set when the object is created, and can never be cleared.
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Makes the field immutable: it cannot change after creation.
    pub const fn immutable(mut self) -> Self {
        self.immutable = true;
        self
    }

    /// Makes the field visible in the reduced form of an object (see `Field::reduced`). That form always shows the
    /// object's name, its key, and its required references.
    pub const fn in_reduced_form(mut self) -> Self {
        self.reduced = true;
        self
    }

    /// Declares that only the server sets the field.
    pub const fn set_by_server(mut self) -> Self {
        self.setter = Setter::Server;
        self
    }

    /// Declares that a synchronizer does not set the field.
    pub const fn set_by_operators(mut self) -> Self {
        self.setter = Setter::Operators;
        self
    }

    /// Lets a role set the field of existing objects, though it may not write objects.
    pub const fn assigned_by(mut self, role: Role) -> Self {
        self.assigned_by = self.assigned_by.with(role);
        self
    }

    /// Lets roles set single entries of a map, as [`Field::assigned_by`] does for a whole field.
    pub const fn entries_assigned(mut self, entries: &'static [(&'static str, Role)]) -> Self {
        self.assigned_entries = entries;
        self
    }

    /// Reserves the field for controllers (see `Field::reported`). The row of the kind must have the column
    /// `observed_version`.
    pub const fn reported(mut self) -> Self {
        self.reported = true;
        self
    }

    /// Returns true if an item can contain the field. The other fields are set by the server or by controllers.
    pub const fn is_in_items(&self) -> bool {
        !matches!(self.setter, Setter::Server) && !self.reported
    }

    /// Returns all roles that may set the field.
    pub const fn set_by(&self) -> Roles {
        match (self.reported, self.setter) {
            (true, _) => self.assigned_by,
            (false, Setter::Operators) => self.assigned_by.or(Roles::OPERATING),
            (false, Setter::Everyone | Setter::Server) => self.assigned_by.or(Roles::WRITING),
        }
    }

    /// Hides the field from tenants. The field must not be required: for a tenant it has its default.
    pub const fn for_operators(mut self) -> Self {
        assert!(!self.required, "a field that is hidden from tenants cannot be required");
        self.audience = Audience::Operators;
        self
    }

    /// Hides a part of the field from tenants: they see what the function returns.
    pub const fn redacted(mut self, redact: Redact) -> Self {
        self.redact = Some(redact);
        self
    }

    /// Declares that the target contains the object: the object stands inside it, and a cascading delete deletes both.
    pub const fn contained(self) -> Self {
        let mut field = self.within();
        if let Some(mut reference) = field.reference {
            reference.contained = true;
            field.reference = Some(reference);
        }
        field
    }

    /// Declares that the object stands inside the target.
    pub const fn within(mut self) -> Self {
        if let Some(mut reference) = self.reference {
            reference.within = true;
            self.reference = Some(reference);
        }
        self
    }

    /// Declares that the object is where the target is, although it does not stand in it. Of several such references of
    /// an object, the first that is set counts.
    pub const fn placing(mut self) -> Self {
        if let Some(mut reference) = self.reference {
            reference.places = true;
            self.reference = Some(reference);
        }
        self
    }

    /// Declares that the target is where the object is, as a cluster is where its devices are.
    pub const fn placing_target(mut self) -> Self {
        if let Some(mut reference) = self.reference {
            reference.places_target = true;
            self.reference = Some(reference);
        }
        self
    }

    /// Declares that the object ends at the target, as a cable ends at a port.
    pub const fn ending(mut self) -> Self {
        if let Some(mut reference) = self.reference {
            reference.ends = true;
            self.reference = Some(reference);
        }
        self
    }

    /// Declares an exception: rows for which `apart` returns true are neither contained in the target nor inside it.
    pub const fn unless(mut self, apart: fn(&dyn Row) -> bool) -> Self {
        if let Some(mut reference) = self.reference {
            reference.apart = Some(apart);
            self.reference = Some(reference);
        }
        self
    }

    /// Sets the function that checks values and brings them to a normal form.
    pub const fn normalised(mut self, normalise: Normalise) -> Self {
        self.normalise = Some(normalise);
        self
    }

    /// Checks the shape of a value and returns its normal form. References in the value must already be ids.
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

    /// Checks that both databases can store a date, and order it in the same way. Text that is not a date is rejected
    /// later, when it is put into a row.
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

    /// Sets the field of a row to a value that [`fit`](Self::fit) returned.
    pub fn put(&self, row: &mut dyn Row, value: &Json) -> Result<(), Unfit> {
        (self.set)(row, value).map_err(|error| self.misfit(&error))?;
        match self.is_absent(value) {
            true => (self.set)(row, &Json::Null).map_err(|error| self.misfit(&error)),
            false => Ok(()),
        }
    }

    /// Returns true if a row has a value that [`fit`](Self::fit) returned.
    pub fn holds(&self, row: &dyn Row, value: &Json) -> Result<bool, Unfit> {
        let holds = (self.is)(row, value).map_err(|error| self.misfit(&error))?;
        match self.is_absent(value) {
            true => (self.is)(row, &Json::Null).map_err(|error| self.misfit(&error)),
            false => Ok(holds),
        }
    }

    /// Returns true for a structure in which nothing is given. The change log leaves out what is empty, so that must not differ
    /// from what is absent.
    fn is_absent(&self, value: &Json) -> bool {
        matches!(self.shape, Shape::Structure(_)) && !self.required && is_empty(value)
    }

    fn misfit(&self, error: &serde_json::Error) -> Unfit {
        let error = error.to_string();
        Unfit::new(self.name, format!("must be {}: {}", self.shape.words(), shorten_text(&error)))
    }
}

/// Returns true if nothing is given in a structure: a list without entries, or an object whose members are all absent, null or
/// empty themselves.
fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::Array(entries) => entries.is_empty(),
        Json::Object(members) => members.values().all(is_empty),
        Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
    }
}

/// Converts a JSON value to the type of its column; `null` gives the default.
pub fn column<T: DeserializeOwned>(value: &Json, default: impl FnOnce() -> T) -> Result<T, serde_json::Error> {
    if value.is_null() { Ok(default()) } else { T::deserialize(value) }
}

/// Returns the concrete row behind a row of any kind.
///
/// # Panics
/// Panics if the row is of another kind. Data cannot cause this, because the registry pairs rows and descriptions.
pub fn cast<M: Row>(row: &dyn Row) -> &M {
    row.as_any().downcast_ref().expect("a row is described by its own kind")
}

/// Returns the concrete row behind a row of any kind, for changes.
///
/// # Panics
/// Panics as [`cast`] does.
pub fn cast_mut<M: Row>(row: &mut dyn Row) -> &mut M {
    row.as_any_mut().downcast_mut().expect("a row is described by its own kind")
}

/// Describes a field that is one column, with its stored number: `field!(10, Model.height_u, "heightU", shape)`.
///
/// A function `blank() -> Model` that returns the defaults must be in scope.
#[macro_export]
macro_rules! field {
    ($number:literal, $model:ident . $column:ident, $name:expr, $shape:expr) => {
        $crate::Field::plain(
            $number,
            $name,
            $shape,
            |row| serde_json::to_value(&$crate::cast::<$model>(row).$column).unwrap_or(serde_json::Value::Null),
            |row, text| serde_json::to_writer(text, &$crate::cast::<$model>(row).$column),
            |row, value| {
                let value = $crate::column(value, || blank().$column)?;
                $crate::cast_mut::<$model>(row).$column = value;
                Ok(())
            },
            |row, value| {
                let value = $crate::column(value, || blank().$column)?;
                Ok($crate::cast::<$model>(row).$column == value)
            },
            |left, right| $crate::cast::<$model>(left).$column == $crate::cast::<$model>(right).$column,
        )
    };
}

/// Describes a reference field that is one column: `reference!(6, Model.site_id, "site", Form::One, &["Site"])`.
#[macro_export]
macro_rules! reference {
    ($number:literal, $model:ident . $column:ident, $name:expr, $form:expr, $targets:expr) => {{
        let mut field = $crate::field!($number, $model.$column, $name, $crate::Shape::Reference);
        field.reference = Some($crate::Reference {
            targets: $targets,
            form: $form,
            contained: false,
            within: false,
            ends: false,
            places: false,
            places_target: false,
            apart: None,
            each: |row, visit| underlay_entity::targets::Targets::each(&$crate::cast::<$model>(row).$column, visit),
        });
        field
    }};
}
