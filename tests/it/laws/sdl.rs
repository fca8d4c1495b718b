//! Parses the schema into types and fields.

use std::collections::BTreeMap;

use async_graphql::Positioned;
use async_graphql::parser::types::{
    FieldDefinition, InputValueDefinition, TypeDefinition, TypeKind, TypeSystemDefinition,
};

/// The types of a schema, by name.
pub struct Sdl(BTreeMap<String, TypeDefinition>);

/// A field: its type, and its arguments with their types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub ty: String,
    pub arguments: Vec<(String, String)>,
}

impl Sdl {
    /// The schema of the code.
    pub fn of_the_code() -> Self {
        let document =
            async_graphql::parser::parse_schema(underlay_server::api::text()).expect("the schema can be parsed");
        let types = document.definitions.into_iter().filter_map(|definition| match definition {
            TypeSystemDefinition::Type(definition) => Some(definition.node),
            TypeSystemDefinition::Schema(_) | TypeSystemDefinition::Directive(_) => None,
        });
        Self(types.map(|definition| (definition.name.to_string(), definition)).collect())
    }

    pub fn types(&self) -> impl Iterator<Item = (&str, &TypeDefinition)> {
        self.0.iter().map(|(name, definition)| (name.as_str(), definition))
    }

    pub fn ty(&self, name: &str) -> &TypeDefinition {
        self.0.get(name).unwrap_or_else(|| panic!("there is no type {name}"))
    }

    /// The fields of an object or an interface.
    pub fn fields(&self, name: &str) -> BTreeMap<String, Field> {
        let fields = definitions(self.ty(name)).iter().map(|Positioned { node, .. }| {
            let field = Field { ty: node.ty.to_string(), arguments: values(&node.arguments) };
            (node.name.to_string(), field)
        });
        fields.collect()
    }

    /// The members of an input, with their types.
    pub fn members(&self, name: &str) -> BTreeMap<String, String> {
        match &self.ty(name).kind {
            TypeKind::InputObject(input) => values(&input.fields).into_iter().collect(),
            other => panic!("{name} is not an input: {other:?}"),
        }
    }

    /// Returns true if exactly one member of an input must be given.
    pub fn is_one_of(&self, name: &str) -> bool {
        self.ty(name).directives.iter().any(|directive| directive.node.name.node == "oneOf")
    }

    /// The interfaces of an object.
    pub fn interfaces(&self, name: &str) -> Vec<String> {
        match &self.ty(name).kind {
            TypeKind::Object(object) => object.implements.iter().map(ToString::to_string).collect(),
            other => panic!("{name} is not an object: {other:?}"),
        }
    }
}

/// The fields of an object or an interface; of anything else none.
pub fn definitions(definition: &TypeDefinition) -> &[Positioned<FieldDefinition>] {
    match &definition.kind {
        TypeKind::Object(object) => &object.fields,
        TypeKind::Interface(interface) => &interface.fields,
        TypeKind::Scalar | TypeKind::Union(_) | TypeKind::Enum(_) | TypeKind::InputObject(_) => &[],
    }
}

fn values(list: &[Positioned<InputValueDefinition>]) -> Vec<(String, String)> {
    list.iter().map(|value| (value.node.name.to_string(), value.node.ty.to_string())).collect()
}
