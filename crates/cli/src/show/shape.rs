//! Derives from the schema how to request each field of a kind, and how to format its value.

use std::iter;

use serde_json::Value;

use crate::object::{ObjectPath, kinds, selection};
use crate::sdl::{named, sdl};
use underlay_inventory::Description;
use underlay_kit::line;

use super::columns::{Width, paths};
use super::style::of_word;
use super::table::Cell;
use super::unit::{self, Unit, heading};

/// The maximum depth of nested values.
const NESTING_LEVELS: usize = 3;
/// The fields of every object that are requested and shown separately.
const OWN_WAY: [&str; 9] =
    ["path", "changes", "managers", "item", "runs", "lastRun", "lastEndedRun", "holdingRuns", "trace"];
/// The field of answers that holds a drawing, which is no text for people.
const DRAWING: &str = "svg";

/// The type of a field, as far as requests and output depend on it.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// A value or a list of values, with a unit if the field's name has one.
    Value(Option<Unit>),
    /// A time or a list of times.
    Time,
    /// A group of values or a list of groups.
    Values(Vec<(String, Shape)>),
    /// One object or a list of objects of these kinds.
    Objects(Vec<&'static Description>),
    /// A part of the object, shown by the objects that it refers to.
    Part(Vec<(String, Shape)>),
    /// The list of objects of a kind that refer to this object.
    List(&'static Description),
}

impl Shape {
    /// Returns the shape of a field of a type. Returns `None` if the field is shown separately or does not exist.
    pub(crate) fn of(owner: &str, field: &str) -> Option<Self> {
        if OWN_WAY.contains(&field) {
            return None;
        }
        if let Some(part) = part(owner, field) {
            return Some(part);
        }
        Self::within(owner, field, NESTING_LEVELS)
    }

    fn within(owner: &str, field: &str, depth: usize) -> Option<Self> {
        let ty = named(&sdl().field(owner, field)?.ty.node);
        let kind = |name: &str| kinds().named(name);
        if let Some(kind) = kind(ty) {
            return Some(Self::Objects(vec![kind]));
        }
        if let Some(kind) = ty.strip_suffix("Connection").and_then(kind) {
            return Some(Self::List(kind));
        }
        let members: Vec<_> = sdl().members(ty).filter_map(kind).collect();
        if !members.is_empty() {
            return Some(Self::Objects(members));
        }
        if ty == "DateTime" {
            return Some(Self::Time);
        }
        if !sdl().is_object(ty) {
            return Some(Self::Value(unit::split(field).1));
        }
        let depth = depth.checked_sub(1)?;
        let fields = sdl().fields(ty).map(|field| field.name.node.as_str()).filter(|field| *field != DRAWING);
        let shapes = fields.filter_map(|field| Some((field.to_owned(), Self::within(ty, field, depth)?)));
        Some(Self::Values(shapes.collect()))
    }

    /// Returns the GraphQL selection that follows the name of the field.
    pub(crate) fn selection(&self) -> String {
        match self {
            Self::Value(_) | Self::Time => String::new(),
            Self::Values(fields) | Self::Part(fields) => {
                let fields = fields.iter().map(|(name, shape)| format!("{name}{}", shape.selection()));
                format!(" {{ {} }}", fields.collect::<Vec<_>>().join(" "))
            }
            Self::Objects(kinds) => match kinds.as_slice() {
                [kind] => format!(" {{ {} }}", selection(kind)),
                several => {
                    let of = several.iter().map(|kind| format!("... on {} {{ {} }}", kind.name, selection(kind)));
                    format!(" {{ __typename {} }}", of.collect::<Vec<_>>().join(" "))
                }
            },
            Self::List(_) => "(first: 0) { totalCount }".to_owned(),
        }
    }

    /// Returns the paths of the objects in a value.
    pub(crate) fn paths(&self, value: &Value) -> Vec<ObjectPath> {
        let Self::Objects(kinds) = self else { return Vec::new() };
        let path = |object: &Value| {
            let named = |name: &str| kinds.iter().find(|kind| kind.name == name);
            let kind = object["__typename"].as_str().map_or(kinds.first(), named)?;
            object.is_object().then(|| ObjectPath::read(kind, object))
        };
        each(value).filter_map(path).collect()
    }

    /// Formats a value in one line.
    pub(crate) fn text(&self, value: &Value) -> String {
        let texts: Vec<String> = match self {
            Self::Value(unit) => each(value).filter_map(|value| scalar(value, *unit)).collect(),
            Self::Time => each(value).filter_map(Value::as_str).map(unit::instant).collect(),
            Self::Objects(_) => self.paths(value).iter().map(ObjectPath::short).collect(),
            Self::List(_) => scalar(&value["totalCount"], None).into_iter().collect(),
            Self::Values(fields) => each(value).map(|value| together(fields, value)).collect(),
            Self::Part(fields) => {
                let shown = fields.iter().map(|(name, shape)| shape.text(&value[name.as_str()]));
                return shown.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
            }
        };
        texts.join(if matches!(self, Self::Values(_)) { "; " } else { "," })
    }
}

/// Returns the elements of a list, or a single value; null has none.
fn each(value: &Value) -> impl Iterator<Item = &Value> {
    let (list, one) = match value {
        Value::Array(list) => (list.as_slice(), None),
        Value::Null => (&[][..], None),
        one => (&[][..], Some(one)),
    };
    list.iter().chain(one)
}

/// Returns the shape of a part: the references that it can have, and the objects at the other side of its cable.
fn part(owner: &str, field: &str) -> Option<Shape> {
    let kind = kinds().named(owner)?;
    let part = kind.parts.iter().find(|part| part.field == field)?;
    // If a part has neighbours of its own, they are more informative than its place.
    let shown = part.replaced.iter().chain(&["peers"]);
    let shapes = shown.filter_map(|name| Some(((*name).to_owned(), Shape::of(part.kind, name)?)));
    Some(Shape::Part(shapes.collect()))
}

fn scalar(value: &Value, unit: Option<Unit>) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(line(text)),
        Value::Number(number) => Some(unit::written(number, unit)),
        // Labels are formatted as in selectors.
        Value::Object(members) if members.values().all(Value::is_string) => {
            let entries = members.iter().map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()));
            Some(line(&entries.collect::<Vec<_>>().join(",")))
        }
        other => Some(line(&other.to_string())),
    }
}

/// Formats a group of values: `latitude 52.3, longitude 4.9`.
fn together(fields: &[(String, Shape)], value: &Value) -> String {
    let shown = fields.iter().filter_map(|(name, shape)| {
        let text = shape.text(&value[name.as_str()]);
        (!text.is_empty()).then(|| format!("{} {text}", unit::label(name).to_lowercase()))
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The form in which a column names other objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    /// `A14`, because the row says where it is.
    Short,
    /// `ams1/A14`, because the object of the row has no place itself.
    Full,
}

/// A column of a table of objects.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    path: Vec<String>,
    shape: Shape,
    names: Names,
    /// The heading above the column.
    pub(crate) heading: String,
}

impl Column {
    /// Returns the column for a path of fields of a kind, or `None` if the path does not exist.
    pub(crate) fn of(kind: &Description, path: &str) -> Option<Self> {
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        let (last, before) = path.split_last()?;
        let (mut owner, mut headings) = (kind.name, Vec::new());
        for field in before {
            owner = named(&sdl().field(owner, field)?.ty.node);
            // A group of values adds no word to the heading: it only holds the value that is shown.
            if kinds().named(owner).is_some() {
                headings.push(heading(field));
            }
        }
        let shape = Shape::of(owner, last)?;
        headings.push(heading(last));
        let names = if kind.key.parents.is_empty() { Names::Full } else { Names::Short };
        Some(Self { shape, names, heading: headings.join("-"), path })
    }

    /// Returns the columns of a kind.
    pub(crate) fn all(kind: &Description, width: Width) -> Vec<Self> {
        paths(kind, width).into_iter().filter_map(|path| Self::of(kind, path)).collect()
    }

    /// Returns the GraphQL selection of the column for an object.
    pub(crate) fn selection(&self) -> String {
        let braces = self.path.len() - 1;
        format!("{}{}{}", self.path.join(" { "), self.shape.selection(), " }".repeat(braces))
    }

    /// Returns the cell of the column for an object.
    pub(crate) fn cell(&self, object: &Value) -> Cell {
        let mut values = vec![object];
        for field in &self.path {
            let inner = values.into_iter().map(|value| &value[field.as_str()]);
            values = inner
                .flat_map(|value| value.as_array().map_or_else(|| vec![value], |list| list.iter().collect()))
                .collect();
        }
        let text = |value: &Value| match (&self.shape, self.names) {
            (Shape::Objects(_), Names::Full) => {
                self.shape.paths(value).iter().map(ObjectPath::within_kind).collect::<Vec<_>>().join(",")
            }
            _ => self.shape.text(value),
        };
        let texts = values.iter().map(|value| text(value)).filter(|text| !text.is_empty());
        let text = texts.collect::<Vec<_>>().join(",");
        Cell { style: of_word(&text), text }
    }
}

/// Returns the headings of a table of objects.
pub(crate) fn headings(columns: &[Column]) -> Vec<String> {
    iter::once("NAME".to_owned()).chain(columns.iter().map(|column| column.heading.clone())).collect()
}

/// Returns the row of an object in a table of its kind.
pub(crate) fn row(kind: &'static Description, columns: &[Column], object: &Value) -> Vec<Cell> {
    let name = Cell::plain(ObjectPath::read(kind, object).within_kind());
    iter::once(name).chain(columns.iter().map(|column| column.cell(object))).collect()
}

/// Returns the GraphQL selection for a row.
pub(crate) fn row_selection(kind: &Description, columns: &[Column]) -> String {
    let columns = columns.iter().map(Column::selection);
    iter::once(selection(kind)).chain(columns).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn column(kind: &str, path: &str) -> Column {
        Column::of(kinds().named(kind).expect("a kind"), path).expect("a column")
    }

    #[test]
    fn columns_have_readable_headings() {
        let site = json!({"name": "ams1"});
        let port =
            json!({"__typename": "Port", "name": "e1", "family": "DATA", "device": {"name": "leaf-3", "site": site}});
        for (kind, path, object, heading, text) in [
            ("rack", "heightU", json!({"heightU": 47}), "HEIGHT", "47U"),
            ("rack", "status", json!({"status": "ACTIVE"}), "STATUS", "ACTIVE"),
            ("rack", "devices", json!({"devices": {"totalCount": 12}}), "DEVICES", "12"),
            ("rack", "labels", json!({"labels": {"a": "b", "c": "d"}}), "LABELS", "a=b,c=d"),
            ("device", "placement.rack", json!({"placement": {"rack": {"name": "A14"}}}), "RACK", "A14"),
            ("device", "placement.startUnit", json!({"placement": null}), "START-UNIT", ""),
            ("cable", "aEnds", json!({"aEnds": [port, port]}), "A-ENDS", "ams1/leaf-3/e1,ams1/leaf-3/e1"),
            ("circuit", "aEnd", json!({"aEnd": {"site": site, "port": port}}), "A-END", "ams1 leaf-3/e1"),
            ("circuit", "zEnd", json!({"zEnd": null}), "Z-END", ""),
            (
                "region",
                "coordinates",
                json!({"coordinates": {"latitude": 52.3, "longitude": 4.9}}),
                "COORDINATES",
                "latitude 52.3, longitude 4.9",
            ),
            (
                "virtualMachine",
                "addresses.address",
                json!({"addresses": [{"address": "a"}, {"address": "b"}]}),
                "ADDRESS",
                "a,b",
            ),
        ] {
            let column = column(kind, path);
            assert_eq!((column.heading.as_str(), column.cell(&object).text.as_str()), (heading, text), "{kind} {path}");
        }
    }

    #[test]
    fn selections_request_what_is_shown() {
        for (kind, path, expected) in [
            ("rack", "heightU", "heightU"),
            ("rack", "devices", "devices(first: 0) { totalCount }"),
            ("device", "placement.rack", "placement { rack { name site { name } } }"),
        ] {
            assert_eq!(column(kind, path).selection(), expected);
        }
        assert!(
            column("cable", "aEnds").selection().starts_with("aEnds { __typename ... on Port { name family device")
        );
    }
}
