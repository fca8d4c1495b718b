//! The types of the fields of a kind that can be columns, from the schema of the API.

use async_graphql::parser::types::Type;

use crate::cli::sdl::{is_list, named, sdl};
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
    /// Several values.
    List(Box<CellType>),
    /// Several values, each an object with this one member.
    ListOf(String, Box<CellType>),
}

/// The reason why a path names no value.
pub(super) enum PathError {
    /// No field has the name at this position of the path. These are allowed.
    Unknown { at: usize, allowed: Vec<String> },
    /// The value at this position of the path has no parts that could be columns.
    NoParts { at: usize },
    /// The path names a map: the column must also name the key.
    NoKey,
}

/// The value that a path names: the members of the item that lead to it, and its type.
pub(super) struct FieldPath {
    pub(super) members: Vec<String>,
    pub(super) cell_type: CellType,
}

/// The scalar of maps from text to text that a write replaces.
const TEXT_MAP: &str = "TextMap";

/// Returns the type of an entry of a map; `None` if the scalar is no map.
fn entry_of_map(scalar: &str) -> Option<CellType> {
    match scalar {
        "Labels" | TEXT_MAP => Some(CellType::Text),
        "JSON" => Some(CellType::Any),
        _ => None,
    }
}

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
        if at.name == "Labels" || at.name == "JSON" {
            return Err(PathError::NoKey);
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
            // A write replaces such a map, so a single JSON value can set the whole of it.
            TEXT_MAP => CellType::Parts,
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
        if sdl().input(name).is_none() {
            // Dates, ids, URLs and similar types are written as text.
            return CellType::Text;
        }
        let kind = name.strip_suffix("Ref").and_then(|kind| self.registry.named(kind));
        kind.map_or(CellType::Parts, CellType::Reference)
    }
}
