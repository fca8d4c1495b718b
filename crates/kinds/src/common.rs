//! The common fields of every kind (name, labels, tenant and others), and the field shapes, checks and macros that
//! several kinds share. Each check returns the value in its normal form, or the reason why the value is invalid.

use async_graphql::resolver_utils::EnumType;
use serde_json::Value as Json;
use underlay_entity::common::{Attributes, ExternalRefs, Labels};
use underlay_entity::device;
use underlay_entity::lifecycle::Status;

use underlay_inventory::{Field, Role, Shape, Unfit, column, names_user, shorten, shorten_text};
use underlay_topology::role::{self as topology, Plane};

/// Short text of at most 253 characters.
pub const TEXT: Shape = Shape::Text { longest: 253 };
/// Long text of at most 16,384 characters.
pub const LONG_TEXT: Shape = Shape::Text { longest: 16_384 };
/// A whole number of at least 1 that fits 32 bits.
pub const COUNT: Shape = Shape::Integer { least: 1, most: i32::MAX as i64 };
/// A whole number of at least 1 that fits 64 bits.
pub const LARGE_COUNT: Shape = Shape::Integer { least: 1, most: i64::MAX };
/// A number of at least 0.
pub const MEASURE: Shape = Shape::Number { least: 0.0, most: f64::MAX };
/// A list of texts, such as the names of risk groups or IP addresses.
pub const TEXTS: Shape = Shape::Structure("a list of texts");

/// Geographic coordinates: latitude and longitude in degrees.
pub const COORDINATES: Shape = Shape::Structure("an object with latitude (-90 to 90) and longitude (-180 to 180)");

/// The position of a rack on a plan.
pub const POSITION: Shape = Shape::Structure("an object with x and y (-10000 to 10000) and turn (0 to less than 360)");
/// The power that an inlet draws.
pub const POWER_DRAW: Shape = Shape::Structure("an object with maximum and allocated, whole numbers of at least 0");

/// An http or https URL of at most 2,048 characters.
pub const URL: Shape = Shape::Text { longest: 2_048 };
/// A reference to an object of another platform.
pub const OBJECT_REFERENCE: Shape = Shape::Structure("an object with apiGroup, kind, name and namespace");

/// Converts the lifecycle status of an object to its status in topology.
pub fn status(status: Status) -> topology::Status {
    match status {
        Status::Active => topology::Status::Active,
        Status::Staged | Status::Decommissioning => topology::Status::Running,
        Status::Planned | Status::Offline | Status::Failed | Status::Retired => topology::Status::Off,
    }
}

/// Converts the plane of a device to the plane of path search.
pub fn plane(plane: device::Plane) -> Plane {
    match plane {
        device::Plane::Data => Plane::Data,
        device::Plane::Management => Plane::Management,
    }
}

/// Converts a bandwidth in megabits per second to bits per second.
pub fn bits_per_second(mbps: Option<i64>) -> Option<i64> {
    mbps.map(|mbps| mbps.saturating_mul(1_000_000))
}

/// Returns the GraphQL names of the values of an enum.
pub fn words<E: EnumType>() -> Vec<&'static str> {
    E::items().iter().map(|item| item.name).collect()
}

/// Describes a field that all rows have.
macro_rules! common {
    ($number:literal, $column:ident: $type:ty, $name:literal, $shape:expr, $is:expr, $get:expr) => {
        Field::plain(
            $number,
            $name,
            $shape,
            $get,
            |row, text| serde_json::to_writer(text, &row.common().$column),
            |row, value| {
                *row.common_mut().$column = column::<$type>(value, Default::default)?;
                Ok(())
            },
            |row, value| Ok($is(row.common().$column, column::<$type>(value, Default::default)?)),
            |left, right| left.common().$column == right.common().$column,
        )
    };
}

/// Describes an optional text field that all rows have.
macro_rules! common_text {
    ($number:literal, $column:ident, $name:literal, $shape:expr) => {
        common!(
            $number,
            $column: Option<String>,
            $name,
            $shape,
            |there: Option<&str>, value: Option<String>| there == value.as_deref(),
            |row| row.common().$column.into()
        )
    };
}

/// The common fields, which come first in the field list of every kind. They have the numbers from 0, and a kind's own
/// fields begin with 6. A further common field takes the highest number that is free in every kind.
pub const COMMON: [Field; 6] = [
    common!(0, name: String, "name", TEXT, |there: &str, value: String| there == value, |row| row.common().name.into())
        .required()
        .normalised(name),
    common!(1, labels: Labels, "labels", Shape::PerKey, |there: &Labels, value: Labels| *there == value, |row| json(row.common().labels))
        .entries_assigned(&[("underlay/cluster-role", Role::Reconciler)]),
    common_text!(2, tenant, "tenant", TEXT),
    common_text!(3, description, "description", LONG_TEXT),
    common!(4, attributes: Attributes, "attributes", Shape::PerKey, |there: &Attributes, value: Attributes| *there == value, |row| json(row.common().attributes)),
    common!(5, external_refs: ExternalRefs, "externalRefs", Shape::PerKey, |there: &ExternalRefs, value: ExternalRefs| *there == value, |row| json(row.common().external_refs)),
];

fn json(value: &impl serde::Serialize) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}

/// Lists the fields of a kind: the common ones, then its own.
#[macro_export]
macro_rules! fields {
    ($($own:expr),* $(,)?) => {{
        use $crate::common::COMMON;
        const LIST: &[Field] =
            &[COMMON[0], COMMON[1], COMMON[2], COMMON[3], COMMON[4], COMMON[5], $($own),*];
        Field::numbered(LIST)
    }};
}

/// Defines the function `blank`, which returns a row with the default of every column: the common columns and the given
/// ones.
#[macro_export]
macro_rules! blank {
    ($model:ident { $($column:ident: $value:expr),* $(,)? }) => {
        fn blank() -> $model {
            $model {
                id: uuid::Uuid::nil(),
                name: String::new(),
                labels: Default::default(),
                tenant: None,
                description: None,
                attributes: Default::default(),
                external_refs: Default::default(),
                managers: Default::default(),
                version: 0,
                created_at: chrono::DateTime::UNIX_EPOCH,
                updated_at: chrono::DateTime::UNIX_EPOCH,
                $($column: $value),*
            }
        }
    };
}

/// Checks a name: not empty, no control characters, no space at either end. The shape [`TEXT`] limits it to 253
/// characters.
pub fn name(value: Json) -> Result<Json, Unfit> {
    let text = value.as_str().unwrap_or_default();
    let reason = if text.is_empty() {
        "must not be empty"
    } else if text.trim() != text {
        "must not begin or end with a space"
    } else if text.chars().any(char::is_control) {
        "must not contain control characters"
    } else {
        return Ok(value);
    };
    Err(Unfit::new("", reason))
}

/// Checks that a text is an http or https URL.
pub fn url(value: Json) -> Result<Json, Unfit> {
    let text = value.as_str().unwrap_or_default();
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_alphanumeric() || first == '['));
    without_user(text)?;
    match host && !text.contains(char::is_whitespace) {
        true => Ok(value),
        false => Err(Unfit::new("", format!("must be an http or https URL, not {:?}", shorten_text(text)))),
    }
}

/// Checks that a URL has no user name or password, which everybody who reads the object would see.
pub fn without_user(url: &str) -> Result<(), Unfit> {
    match names_user(url) {
        true => Err(Unfit::new("", "must not contain a user name or password")),
        false => Ok(()),
    }
}

/// Checks that latitude and longitude are within their bounds.
pub fn coordinates(value: Json) -> Result<Json, Unfit> {
    let value = member(value, "latitude", |it| within(it, -90.0, 90.0))?;
    member(value, "longitude", |it| within(it, -180.0, 180.0))
}

/// Checks that a number is within its bounds.
pub fn within(value: Json, least: f64, most: f64) -> Result<Json, Unfit> {
    match value.as_f64().is_some_and(|number| (least..=most).contains(&number)) {
        true => Ok(value),
        false => Err(Unfit::new("", format!("must be from {least} to {most}, not {}", shorten(&value)))),
    }
}

/// Checks that a text is the name of a time zone in the IANA database.
pub fn time_zone(value: Json) -> Result<Json, Unfit> {
    let text = value.as_str().unwrap_or_default();
    match text.parse::<chrono_tz::Tz>() {
        Ok(_) => Ok(value),
        Err(_) => Err(Unfit::new("", format!("must be an IANA time zone such as Europe/Amsterdam, not {text:?}"))),
    }
}

/// Checks a member of an object if the object has it.
pub fn member(mut value: Json, name: &str, check: impl Fn(Json) -> Result<Json, Unfit>) -> Result<Json, Unfit> {
    if let Some(inner) = value.get_mut(name).filter(|inner| !inner.is_null()) {
        *inner = check(inner.take()).map_err(|unfit| unfit.within(name))?;
    }
    Ok(value)
}

/// Checks each entry of a list.
pub fn entries(value: Json, check: impl Fn(Json) -> Result<Json, Unfit>) -> Result<Json, Unfit> {
    let Json::Array(list) = value else { return Ok(value) };
    let checked = list.into_iter().enumerate();
    let checked = checked.map(|(at, entry)| check(entry).map_err(|unfit| unfit.within(&format!("[{at}]"))));
    checked.collect::<Result<Vec<_>, _>>().map(Json::Array)
}

/// Checks that a value is a whole number of at least 1.
pub fn at_least_one(value: Json) -> Result<Json, Unfit> {
    match value.as_i64().is_some_and(|number| number >= 1) {
        true => Ok(value),
        false => Err(Unfit::new("", format!("must be a whole number of at least 1, not {}", shorten(&value)))),
    }
}

/// Checks that every object of a list has a `name`, and that no name appears twice.
pub fn named_list(value: Json) -> Result<Json, Unfit> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, entry) in list.iter().enumerate() {
        let name = entry.get("name").and_then(Json::as_str).unwrap_or_default();
        let twice = list[..at].iter().any(|other| other.get("name").and_then(Json::as_str) == Some(name));
        if name.is_empty() || twice {
            let reason = if twice {
                format!("is {:?}, which is in the list already", shorten_text(name))
            } else {
                "is required".into()
            };
            return Err(Unfit::new(format!("[{at}].name"), reason));
        }
    }
    Ok(value)
}

/// Checks a reference to an object of another platform: apiGroup, kind and name must be given.
pub fn object_reference(value: Json) -> Result<Json, Unfit> {
    for name in ["apiGroup", "kind", "name"] {
        if value.get(name).and_then(Json::as_str).is_none_or(str::is_empty) {
            return Err(Unfit::new(name, "is required and must not be empty"));
        }
    }
    Ok(value)
}

/// Checks a list of names: at most 256, each of 1 to 253 characters, and none twice.
pub fn names(value: Json) -> Result<Json, Unfit> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, entry) in list.iter().enumerate() {
        let fits = entry.as_str().is_some_and(|text| !text.trim().is_empty() && text.chars().count() <= 253);
        if !fits {
            return Err(Unfit::new(
                format!("[{at}]"),
                format!("must be text of 1 to 253 characters, not {}", shorten(entry)),
            ));
        }
        if list[..at].contains(entry) {
            return Err(Unfit::new(format!("[{at}]"), format!("is {entry}, which is in the list already")));
        }
    }
    match list.len() > 256 {
        true => Err(Unfit::new("", format!("has {} entries; at most 256 are allowed", list.len()))),
        false => Ok(value),
    }
}
