//! What the fields of a kind hold, as the schema of the API says it.
//!
//! The schema is the contract that every client goes by, so a new kind or field can be a column without a change here.

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

/// Read once, whatever is read by them: it takes longer than a small file.
static DEFINITIONS: LazyLock<Result<Definitions, async_graphql::parser::Error>> = LazyLock::new(definitions);

enum Definition {
    /// The words of an enum.
    Choice(Vec<String>),
    /// The fields of an input, in order, each with what it holds.
    Input { fields: Vec<(String, Held)>, one_of: bool },
}

/// A type as it stands at a field: its name, in so many lists.
#[derive(Clone)]
struct Held {
    name: String,
    list: bool,
}

/// What a value may be.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Text,
    /// A whole number in a range, both ends included.
    Integer {
        least: i64,
        most: i64,
    },
    Number,
    Boolean,
    /// One of these words.
    Choice(Vec<String>),
    /// An object of the kind.
    Reference(&'static Description),
    /// Any value of JSON; what is none is text.
    Any,
    /// Something with parts, written as JSON.
    Parts,
    /// Several, each of this shape.
    List(Box<Shape>),
    /// Several, each an object with this one member.
    ListOf(String, Box<Shape>),
}

/// Why a path leads nowhere.
pub(super) enum Astray {
    /// At this place of the path there is none of these.
    Unknown { at: usize, allowed: Vec<String> },
    /// What stands at this place of the path has no parts that could be a column.
    NoParts { at: usize },
    /// It leads to a map: the column must name the key.
    NoKey,
}

/// Where a path leads: the members of the item, and what stands there.
pub(super) struct Way {
    pub(super) members: Vec<String>,
    pub(super) shape: Shape,
}

impl<'a> Types<'a> {
    /// The input types of this program's schema.
    pub(super) fn new(registry: &'a Registry) -> Result<Self, &'static async_graphql::parser::Error> {
        Ok(Self { registry, definitions: DEFINITIONS.as_ref()? })
    }

    /// Follows a path from an object of a kind: `placement.rack`.
    pub(super) fn follow(&self, kind: &Description, path: &[&str]) -> Result<Way, Astray> {
        let mut at = Held { name: format!("{}Input", kind.name), list: false };
        for (place, name) in path.iter().enumerate() {
            let to = |end: usize| path[..end].iter().map(|member| (*member).to_owned()).collect();
            match self.definitions.get(&at.name) {
                _ if at.name == "Labels" || at.name == "JSON" => {
                    // The keys of maps may have dots.
                    let mut members: Vec<String> = to(place);
                    members.push(path[place..].join("."));
                    let shape = if at.name == "Labels" { Shape::Text } else { Shape::Any };
                    return Ok(Way { members, shape });
                }
                Some(Definition::Input { fields, one_of }) if !at.list || *one_of => {
                    let Some((_, held)) = fields.iter().find(|(field, _)| field == name) else {
                        let allowed = fields.iter().map(|(field, _)| field.clone()).collect();
                        return Err(Astray::Unknown { at: place, allowed });
                    };
                    if at.list {
                        return match path.len() == place + 1 {
                            true => {
                                let shape = Shape::ListOf((*name).to_owned(), Box::new(self.shape(held)));
                                Ok(Way { members: to(place), shape })
                            }
                            false => Err(Astray::NoParts { at: place }),
                        };
                    }
                    at = held.clone();
                }
                _ => return Err(Astray::NoParts { at: place.saturating_sub(1) }),
            }
        }
        if at.name == "Labels" || at.name == "JSON" {
            return Err(Astray::NoKey);
        }
        Ok(Way { members: path.iter().map(|member| (*member).to_owned()).collect(), shape: self.shape(&at) })
    }

    fn shape(&self, held: &Held) -> Shape {
        let one = match (held.name.as_str(), self.definitions.get(&held.name)) {
            ("Int", _) => Shape::Integer { least: i32::MIN.into(), most: i32::MAX.into() },
            ("Long" | "Revision", _) => Shape::Integer { least: i64::MIN, most: i64::MAX },
            ("Float", _) => Shape::Number,
            ("Boolean", _) => Shape::Boolean,
            (_, Some(Definition::Choice(words))) => Shape::Choice(words.clone()),
            (name, Some(Definition::Input { .. })) => {
                let kind = name.strip_suffix("Ref").and_then(|kind| self.registry.named(kind));
                kind.map_or(Shape::Parts, Shape::Reference)
            }
            // Dates, ids, URLs and the like are written as text.
            _ => Shape::Text,
        };
        match (held.list, one) {
            // A list of things with parts is one value of JSON.
            (true, Shape::Parts) => Shape::Parts,
            (true, one) => Shape::List(Box::new(one)),
            (false, one) => one,
        }
    }
}

fn definitions() -> Result<Definitions, async_graphql::parser::Error> {
    let mut definitions = HashMap::new();
    for definition in parse_schema(schema::text())?.definitions {
        let TypeSystemDefinition::Type(definition) = definition else { continue };
        let definition = definition.node;
        let held = match definition.kind {
            TypeKind::Enum(choice) => {
                Definition::Choice(choice.values.into_iter().map(|word| word.node.value.node.to_string()).collect())
            }
            TypeKind::InputObject(input) => {
                let fields = input.fields.into_iter().map(|field| field.node);
                let fields = fields.map(|field| (field.name.node.to_string(), held(&field.ty.node))).collect();
                let one_of = definition.directives.iter().any(|directive| directive.node.name.node == "oneOf");
                Definition::Input { fields, one_of }
            }
            _ => continue,
        };
        definitions.insert(definition.name.node.to_string(), held);
    }
    Ok(definitions)
}

fn held(declared: &Type) -> Held {
    let mut list = false;
    let mut inner = declared;
    loop {
        match &inner.base {
            BaseType::Named(name) => return Held { name: name.to_string(), list },
            BaseType::List(element) => (list, inner) = (true, element),
        }
    }
}
