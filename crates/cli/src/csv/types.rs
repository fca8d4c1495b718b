//! The types of the fields of a kind that can be columns, from the schema of the API.

use async_graphql::parser::types::Type;

use crate::sdl::{is_list, named, sdl};
use underlay_inventory::{Description, Registry};

/// The input types of the API.
pub(super) struct Types<'a> {
    registry: &'a Registry,
}

/// The type of a field: its name, and true if it is a list.
#[derive(Clone, Copy)]
struct FieldType<'a> {
    name: &'a str,
    list: bool,
}

impl<'a> FieldType<'a> {
    fn of(declared: &'a Type) -> Self {
        Self { name: named(declared), list: is_list(declared) }
    }
}

/// The values that a cell can have.
#[derive(Clone, Debug)]
pub(super) enum CellType {
    Text,
    /// A whole number in a range; both ends are included.
    Integer {
        least: i64,
        most: i64,
    },
    Number,
    Boolean,
    /// One of these words.
    Choice(Vec<String>),
    /// A reference to an object of the kind.
    Reference(&'static Description),
    /// Any JSON value; a text that is not JSON is a text.
    Any,
    /// A value with parts, written as JSON.
    Parts,
    /// A map from text to text, written as `env=prod;tier=core` or as JSON.
    Entries,
    /// One of several members, written as the member and its value: `port/ams1/leaf-3/Ethernet1`.
    OneOf(Vec<(String, CellType)>),
    /// Several values.
    List(Box<CellType>),
    /// Several values, each an object with this one member.
    ListOf(String, Box<CellType>),
    /// Nothing that is written: the server computes the field, or sets it itself.
    Computed,
}

/// The reason why a path names no value.
pub(super) enum PathError {
    /// No field has the name at this position of the path. These are allowed.
    Unknown { at: usize, allowed: Vec<String> },
    /// The value at this position of the path has no parts that could be columns.
    NoParts { at: usize },
}

/// The value that a path names: the members of the item that lead to it, and its type.
pub(super) struct FieldPath {
    pub(super) members: Vec<String>,
    pub(super) cell_type: CellType,
}

/// The scalar of labels, which a write changes entry by entry.
const LABELS: &str = "Labels";
/// The scalar of maps from text to text that a write replaces.
const TEXT_MAP: &str = "TextMap";

/// Returns the type of an entry of a map; `None` if the scalar is no map.
fn entry_of_map(scalar: &str) -> Option<CellType> {
    match scalar {
        LABELS | TEXT_MAP => Some(CellType::Text),
        "JSON" => Some(CellType::Any),
        _ => None,
    }
}

/// The members of an item that are not exported: the first is another form of an external reference, and the second is
/// no field, but a condition.
const NOT_EXPORTED: [&str; 2] = ["externalId", "ifVersion"];
/// The depth to which parts of parts have columns of their own; deeper ones are JSON.
const PART_LEVELS: usize = 3;

impl<'a> Types<'a> {
    /// Returns the input types of this program's schema.
    pub(super) const fn new(registry: &'a Registry) -> Self {
        Self { registry }
    }

    /// Follows a path from an object of a kind: `placement.rack`.
    pub(super) fn follow(&self, kind: &Description, path: &[&str]) -> Result<FieldPath, PathError> {
        let input = format!("{}Input", kind.name);
        let mut at = FieldType { name: &input, list: false };
        for (index, name) in path.iter().enumerate() {
            let to = |end: usize| path[..end].iter().map(|member| (*member).to_owned()).collect();
            if let Some(cell_type) = entry_of_map(at.name) {
                // The keys of maps can contain dots.
                let mut members: Vec<String> = to(index);
                members.push(path[index..].join("."));
                return Ok(FieldPath { members, cell_type });
            }
            match sdl().input(at.name) {
                Some(input) if !at.list || input.one_of => {
                    let Some(field_type) = input.field(name).map(FieldType::of) else {
                        let allowed = input.names().map(str::to_owned).collect();
                        return Err(PathError::Unknown { at: index, allowed });
                    };
                    if at.list {
                        return match path.len() == index + 1 {
                            true => {
                                let cell_type =
                                    CellType::ListOf((*name).to_owned(), Box::new(self.cell_type(field_type)));
                                Ok(FieldPath { members: to(index), cell_type })
                            }
                            false => Err(PathError::NoParts { at: index }),
                        };
                    }
                    at = field_type;
                }
                _ => return Err(PathError::NoParts { at: index.saturating_sub(1) }),
            }
        }
        Ok(FieldPath {
            members: path.iter().map(|member| (*member).to_owned()).collect(),
            cell_type: self.cell_type(at),
        })
    }

    fn cell_type(&self, field_type: FieldType<'_>) -> CellType {
        let one = match field_type.name {
            "Int" => CellType::Integer { least: i32::MIN.into(), most: i32::MAX.into() },
            "Long" | "Revision" => CellType::Integer { least: i64::MIN, most: i64::MAX },
            "Float" => CellType::Number,
            "Boolean" => CellType::Boolean,
            LABELS | TEXT_MAP => CellType::Entries,
            "JSON" => CellType::Parts,
            name => self.named(name),
        };
        match (field_type.list, one) {
            // A list of values with parts is a single JSON value.
            (true, CellType::Parts) => CellType::Parts,
            (true, one) => CellType::List(Box::new(one)),
            (false, one) => one,
        }
    }

    /// Returns the type of a cell for an enum, an input type or a scalar that is no number.
    fn named(&self, name: &str) -> CellType {
        if let Some(values) = sdl().values(name) {
            return CellType::Choice(values.map(str::to_owned).collect());
        }
        let Some(input) = sdl().input(name) else {
            // Dates, ids, URLs and similar types are written as text.
            return CellType::Text;
        };
        if input.one_of {
            let member = |name: &str| Some((name.to_owned(), self.cell_type(FieldType::of(input.field(name)?))));
            return CellType::OneOf(input.names().filter_map(member).collect());
        }
        let kind = name.strip_suffix("Ref").and_then(|kind| self.registry.named(kind));
        kind.map_or(CellType::Parts, CellType::Reference)
    }

    /// Returns the names of all columns that together hold an object of a kind. A value with a fixed set of parts has a
    /// column for each: `placement.rack`.
    pub(super) fn columns(&self, kind: &Description) -> Vec<String> {
        let mut columns = Vec::new();
        let Some(input) = sdl().input(&format!("{}Input", kind.name)) else { return columns };
        for name in input.names().filter(|name| !NOT_EXPORTED.contains(name)) {
            columns.extend(input.field(name).into_iter().flat_map(|of| within(name, FieldType::of(of), PART_LEVELS)));
        }
        columns
    }
}

/// Returns the names of the columns that together hold a field.
fn within(path: &str, field: FieldType<'_>, levels: usize) -> Vec<String> {
    let input = sdl().input(field.name).filter(|input| !field.list && !input.one_of && !field.name.ends_with("Ref"));
    match input.filter(|_| levels > 0) {
        None => vec![path.to_owned()],
        Some(input) => {
            let member = |name: &str| Some((format!("{path}.{name}"), FieldType::of(input.field(name)?)));
            let members = input.names().filter_map(member);
            members.flat_map(|(path, of)| within(&path, of, levels - 1)).collect()
        }
    }
}
