//! The number of objects in an answer about the schema. The lists of such an answer have no pages, and the types lead
//! to each other, so nothing but the schema itself says how many objects there are.
//!
//! Guarantee: the number is at least the number of objects in the answer. Counting ends soon after the number that is
//! allowed.

use std::sync::LazyLock;

use async_graphql::parser::types::{ExecutableDocument, Field, Selection, SelectionSet};
use async_graphql::registry::{MetaField, MetaInputValue, MetaType, MetaTypeName, Registry};
use foldhash::HashMap;

/// The types of the schema, as the library itself describes them.
pub(super) static TYPES: LazyLock<Registry> = LazyLock::new(super::types);

/// The types that describe a schema, which the library adds by itself: the name of each with the types of its fields,
/// and the number of arguments of type `Boolean` of each field.
static META_TYPES: [(&str, &[(&str, usize)]); 6] = [
    (
        "__Schema",
        &[("String", 0), ("[__Type!]!", 0), (NON_NULL_TYPE, 0), ("__Type", 0), ("__Type", 0), ("[__Directive!]!", 0)],
    ),
    (
        "__Type",
        &[
            ("__TypeKind!", 0),
            ("String", 0),
            ("String", 0),
            ("[__Field!]", 1),
            ("[__Type!]", 0),
            ("[__Type!]", 0),
            ("[__EnumValue!]", 1),
            ("[__InputValue!]", 1),
            ("__Type", 0),
            ("String", 0),
            ("Boolean", 0),
        ],
    ),
    (
        "__Field",
        &[
            (NON_NULL_STRING, 0),
            ("String", 0),
            ("[__InputValue!]!", 1),
            (NON_NULL_TYPE, 0),
            ("Boolean!", 0),
            ("String", 0),
        ],
    ),
    (
        "__InputValue",
        &[(NON_NULL_STRING, 0), ("String", 0), (NON_NULL_TYPE, 0), ("String", 0), ("Boolean!", 0), ("String", 0)],
    ),
    ("__EnumValue", &[(NON_NULL_STRING, 0), ("String", 0), ("Boolean!", 0), ("String", 0)]),
    (
        "__Directive",
        &[
            (NON_NULL_STRING, 0),
            ("String", 0),
            ("[__DirectiveLocation!]!", 0),
            ("[__InputValue!]!", 1),
            ("Boolean!", 0),
        ],
    ),
];
/// The types of many of these fields.
const NON_NULL_TYPE: &str = "__Type!";
const NON_NULL_STRING: &str = "String!";
/// The enums among them, with the number of their values.
static META_ENUMS: [(&str, usize); 2] = [("__TypeKind", 8), ("__DirectiveLocation", 19)];
/// The types of the arguments of each directive.
static DIRECTIVE_ARGUMENTS: [&[&str]; 5] = [&["Boolean!"], &["Boolean!"], &["String"], &["String!"], &[]];

/// The number of fields that are looked at, at most, for each allowed object.
const MAX_FIELDS_PER_OBJECT: u64 = 10;
/// The names of the root types.
static ROOT_TYPES: [(&str, &str); 3] =
    [("queryType", "Query"), ("mutationType", "Mutation"), ("subscriptionType", "Subscription")];

/// The description of each type by the schema.
static SHAPES: LazyLock<HashMap<&'static str, Shape>> = LazyLock::new(|| {
    let own = META_TYPES.iter().map(|(name, fields)| {
        let fields = fields.iter().map(|&(of, count)| Described { of, arguments: vec!["Boolean"; count] });
        (*name, Shape { fields: fields.collect(), ..Shape::default() })
    });
    let enums = META_ENUMS.iter().map(|(name, values)| (*name, Shape { values: *values, ..Shape::default() }));
    TYPES.types.values().map(|of| (of.name(), Shape::of(of))).chain(own).chain(enums).collect()
});

/// The description of one type by the schema.
#[derive(Debug, Default)]
struct Shape {
    fields: Vec<Described>,
    interfaces: Vec<&'static str>,
    possible: Vec<&'static str>,
    /// The number of values of an enum.
    values: usize,
    /// The types of the fields of an input.
    inputs: Vec<&'static str>,
}

/// A field of a type: its own type, and those of its arguments.
#[derive(Debug)]
struct Described {
    of: &'static str,
    arguments: Vec<&'static str>,
}

impl Shape {
    fn of(of: &'static MetaType) -> Self {
        let types = |values: &'static async_graphql::indexmap::IndexMap<String, MetaInputValue>| {
            values.values().map(|value| value.ty.as_str()).collect::<Vec<_>>()
        };
        let field = |field: &'static MetaField| Described { of: &field.ty, arguments: types(&field.args) };
        let fields = of.fields().into_iter().flat_map(|fields| fields.values()).map(field).collect();
        let implemented = TYPES.implements.get(of.name()).into_iter().flatten();
        let mut shape = Self { fields, interfaces: implemented.map(String::as_str).collect(), ..Self::default() };
        match of {
            MetaType::Interface { possible_types, .. } | MetaType::Union { possible_types, .. } => {
                shape.possible = possible_types.iter().map(String::as_str).collect();
            }
            MetaType::Enum { enum_values, .. } => shape.values = enum_values.len(),
            MetaType::InputObject { input_fields, .. } => shape.inputs = types(input_fields),
            MetaType::Scalar { .. } | MetaType::Object { .. } => {}
        }
        shape
    }
}

/// A field that a selection asks for and that has objects, with those inside.
#[derive(Debug)]
struct Asked<'a> {
    name: &'a str,
    inside: Vec<Self>,
}

/// Returns the number of objects in the answer to a field `__schema` or `__type` at the root, or `u64::MAX` if there
/// are more than `most`. `named` is the type that the field names.
pub fn objects(document: &ExecutableDocument, field: &Field, named: Option<&str>, most: u64) -> u64 {
    let asked = asked(document, &field.selection_set.node);
    let mut count = Count { objects: 0, most, steps: 0 };
    // For each such field, the library first looks at every type.
    let counted = count.add(SHAPES.len() as u64).and_then(|()| match named {
        Some(named) => count.of_type(&asked, named),
        None => count.of_schema(&asked),
    });
    counted.map_or(u64::MAX, |()| count.objects)
}

/// Returns the fields with objects that a selection asks for, with those of fragments. The size of the document was
/// checked, so this ends.
fn asked<'a>(document: &'a ExecutableDocument, set: &'a SelectionSet) -> Vec<Asked<'a>> {
    let mut found = Vec::new();
    for item in &set.items {
        match &item.node {
            Selection::Field(field) if field.node.selection_set.node.items.is_empty() => {}
            Selection::Field(field) => {
                let inside = asked(document, &field.node.selection_set.node);
                found.push(Asked { name: field.node.name.node.as_str(), inside });
            }
            Selection::InlineFragment(inline) => found.extend(asked(document, &inline.node.selection_set.node)),
            Selection::FragmentSpread(spread) => {
                let fragment = document.fragments.get(&spread.node.fragment_name.node);
                found.extend(fragment.into_iter().flat_map(|it| asked(document, &it.node.selection_set.node)));
            }
        }
    }
    found
}

/// There are more objects than are allowed.
struct More;

struct Count {
    objects: u64,
    most: u64,
    /// The number of fields that were looked at. Fields without an object take time as well.
    steps: u64,
}

impl Count {
    fn add(&mut self, objects: u64) -> Result<(), More> {
        self.objects = self.objects.saturating_add(objects);
        if self.objects > self.most { Err(More) } else { Ok(()) }
    }

    fn step(&mut self) -> Result<(), More> {
        self.steps += 1;
        if self.steps / MAX_FIELDS_PER_OBJECT > self.most { Err(More) } else { Ok(()) }
    }

    fn of_schema(&mut self, asked: &[Asked<'_>]) -> Result<(), More> {
        self.add(1)?;
        for Asked { name, inside } in asked {
            match *name {
                "types" => SHAPES.keys().try_for_each(|name| self.of_type(inside, name))?,
                "directives" => {
                    DIRECTIVE_ARGUMENTS.iter().try_for_each(|arguments| self.of_arguments(inside, arguments))?
                }
                root => {
                    let root = ROOT_TYPES.iter().find(|(name, _)| *name == root);
                    root.map_or(Ok(()), |(_, name)| self.of_type(inside, name))?;
                }
            }
        }
        Ok(())
    }

    /// Counts a type, which may be a list or not null.
    fn of_type(&mut self, asked: &[Asked<'_>], name: &str) -> Result<(), More> {
        self.add(1)?;
        let within = match MetaTypeName::create(name) {
            MetaTypeName::List(within) | MetaTypeName::NonNull(within) => Some(within),
            MetaTypeName::Named(_) => None,
        };
        let shape = SHAPES.get(name);
        for Asked { name, inside } in asked {
            self.step()?;
            match (*name, within, shape) {
                ("ofType", Some(within), _) => self.of_type(inside, within)?,
                ("fields", _, Some(shape)) => shape.fields.iter().try_for_each(|field| self.of_field(inside, field))?,
                ("interfaces", _, Some(shape)) => self.of_types(inside, &shape.interfaces)?,
                ("possibleTypes", _, Some(shape)) => self.of_types(inside, &shape.possible)?,
                ("enumValues", _, Some(shape)) => self.add(shape.values as u64)?,
                ("inputFields", _, Some(shape)) => shape.inputs.iter().try_for_each(|it| self.of_input(inside, it))?,
                // The field is null.
                _ => {}
            }
        }
        Ok(())
    }

    fn of_types(&mut self, asked: &[Asked<'_>], names: &[&str]) -> Result<(), More> {
        names.iter().try_for_each(|name| self.of_type(asked, name))
    }

    fn of_field(&mut self, asked: &[Asked<'_>], field: &Described) -> Result<(), More> {
        self.add(1)?;
        for Asked { name, inside } in asked {
            self.step()?;
            match *name {
                "type" => self.of_type(inside, field.of)?,
                "args" => field.arguments.iter().try_for_each(|of| self.of_input(inside, of))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts an argument, or a field of an input.
    fn of_input(&mut self, asked: &[Asked<'_>], of: &str) -> Result<(), More> {
        self.add(1)?;
        let types = asked.iter().filter(|asked| asked.name == "type");
        types.map(|asked| &asked.inside).try_for_each(|inside| self.of_type(inside, of))
    }

    fn of_arguments(&mut self, asked: &[Asked<'_>], arguments: &[&str]) -> Result<(), More> {
        self.add(1)?;
        let lists = asked.iter().filter(|asked| asked.name == "args");
        lists
            .map(|asked| &asked.inside)
            .try_for_each(|inside| arguments.iter().try_for_each(|of| self.of_input(inside, of)))
    }
}
