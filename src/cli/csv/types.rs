//! The types of the fields of a kind, from the schema of the API.
//!
//! The schema is the contract with every client, so a new kind or field can be a column without a change here.

use std::collections::HashMap;
use std::sync::LazyLock;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, Type, TypeKind, TypeSystemDefinition};

use crate::cli::schema;
use underlay_inventory::{Description, Registry};

/// The input types of the API.
pub(super) struct Types<'a> {
    registry: &'a Registry,
    definitions: &'static Definitions,
}

type Definitions = HashMap<String, Definition>;

/// Parsed once, because parsing takes longer than reading a small file.
static DEFINITIONS: LazyLock<Result<Definitions, async_graphql::parser::Error>> = LazyLock::new(definitions);

enum Definition {
    /// The values of an enum.
    Choice(Vec<String>),
    /// The fields of an input type in order, each with its type.
    Input { fields: Vec<(String, FieldType)>, one_of: bool },
}

/// The type of a field: its name, and true if it is a list.
#[derive(Clone)]
struct FieldType {
    name: String,
    list: bool,
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
    pub(super) fn new(registry: &'a Registry) -> Result<Self, &'static async_graphql::parser::Error> {
        Ok(Self { registry, definitions: DEFINITIONS.as_ref()? })
    }

    /// Follows a path from an object of a kind: `placement.rack`.
    pub(super) fn follow(&self, kind: &Description, path: &[&str]) -> Result<FieldPath, PathError> {
        let mut at = FieldType { name: format!("{}Input", kind.name), list: false };
        for (place, name) in path.iter().enumerate() {
            let to = |end: usize| path[..end].iter().map(|member| (*member).to_owned()).collect();
            if let Some(cell_type) = entry_of_map(&at.name) {
                // The keys of maps can contain dots.
                let mut members: Vec<String> = to(place);
                members.push(path[place..].join("."));
                return Ok(FieldPath { members, cell_type });
            }
            match self.definitions.get(&at.name) {
                Some(Definition::Input { fields, one_of }) if !at.list || *one_of => {
                    let Some((_, field_type)) = fields.iter().find(|(field, _)| field == name) else {
                        let allowed = fields.iter().map(|(field, _)| field.clone()).collect();
                        return Err(PathError::Unknown { at: place, allowed });
                    };
                    if at.list {
                        return match path.len() == place + 1 {
                            true => {
                                let cell_type =
                                    CellType::ListOf((*name).to_owned(), Box::new(self.cell_type(field_type)));
                                Ok(FieldPath { members: to(place), cell_type })
                            }
                            false => Err(PathError::NoParts { at: place }),
                        };
                    }
                    at = field_type.clone();
                }
                _ => return Err(PathError::NoParts { at: place.saturating_sub(1) }),
            }
        }
        if at.name == "Labels" || at.name == "JSON" {
            return Err(PathError::NoKey);
        }
        Ok(FieldPath {
            members: path.iter().map(|member| (*member).to_owned()).collect(),
            cell_type: self.cell_type(&at),
        })
    }

    fn cell_type(&self, field_type: &FieldType) -> CellType {
        let one = match (field_type.name.as_str(), self.definitions.get(&field_type.name)) {
            ("Int", _) => CellType::Integer { least: i32::MIN.into(), most: i32::MAX.into() },
            ("Long" | "Revision", _) => CellType::Integer { least: i64::MIN, most: i64::MAX },
            ("Float", _) => CellType::Number,
            ("Boolean", _) => CellType::Boolean,
            // A write replaces such a map, so a single JSON value can set the whole of it.
            (TEXT_MAP, _) => CellType::Parts,
            (_, Some(Definition::Choice(words))) => CellType::Choice(words.clone()),
            (name, Some(Definition::Input { .. })) => {
                let kind = name.strip_suffix("Ref").and_then(|kind| self.registry.named(kind));
                kind.map_or(CellType::Parts, CellType::Reference)
            }
            // Dates, ids, URLs and similar types are written as text.
            _ => CellType::Text,
        };
        match (field_type.list, one) {
            // A list of values with parts is a single JSON value.
            (true, CellType::Parts) => CellType::Parts,
            (true, one) => CellType::List(Box::new(one)),
            (false, one) => one,
        }
    }
}

fn definitions() -> Result<Definitions, async_graphql::parser::Error> {
    let mut definitions = HashMap::new();
    for definition in parse_schema(schema::text())?.definitions {
        let TypeSystemDefinition::Type(definition) = definition else { continue };
        let definition = definition.node;
        let field_type = match definition.kind {
            TypeKind::Enum(choice) => {
                Definition::Choice(choice.values.into_iter().map(|word| word.node.value.node.to_string()).collect())
            }
            TypeKind::InputObject(input) => {
                let fields = input.fields.into_iter().map(|field| field.node);
                let fields = fields.map(|field| (field.name.node.to_string(), field_type(&field.ty.node))).collect();
                let one_of = definition.directives.iter().any(|directive| directive.node.name.node == "oneOf");
                Definition::Input { fields, one_of }
            }
            _ => continue,
        };
        definitions.insert(definition.name.node.to_string(), field_type);
    }
    Ok(definitions)
}

fn field_type(declared: &Type) -> FieldType {
    let mut list = false;
    let mut inner = declared;
    loop {
        match &inner.base {
            BaseType::Named(name) => return FieldType { name: name.to_string(), list },
            BaseType::List(element) => (list, inner) = (true, element),
        }
    }
}
