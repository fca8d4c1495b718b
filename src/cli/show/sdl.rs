//! Reads the schema that this program was built with.

use std::collections::HashMap;
use std::sync::LazyLock;

use async_graphql::Positioned;
use async_graphql::parser::types::{BaseType, FieldDefinition, Type, TypeDefinition, TypeKind, TypeSystemDefinition};

static SDL: LazyLock<Sdl> = LazyLock::new(|| Sdl::read(include_str!("../../../schema.graphql")));

/// Returns the types of the schema by name.
pub(in crate::cli) fn sdl() -> &'static Sdl {
    &SDL
}

/// The parsed types of a schema, by name.
#[derive(Debug)]
pub(in crate::cli) struct Sdl(HashMap<String, TypeDefinition>);

impl Sdl {
    fn read(text: &str) -> Self {
        // The compiled-in schema was written by this program, and a test parses it.
        let definitions = async_graphql::parser::parse_schema(text).map(|document| document.definitions);
        let types = definitions.into_iter().flatten().filter_map(|definition| match definition {
            TypeSystemDefinition::Type(definition) => Some((definition.node.name.to_string(), definition.node)),
            TypeSystemDefinition::Schema(_) | TypeSystemDefinition::Directive(_) => None,
        });
        Self(types.collect())
    }

    /// Returns the fields of an object type in the order in which they are shown. Other types have none.
    pub(in crate::cli) fn fields(&self, name: &str) -> impl Iterator<Item = &FieldDefinition> {
        let fields: &[Positioned<FieldDefinition>] = match self.0.get(name).map(|definition| &definition.kind) {
            Some(TypeKind::Object(object)) => &object.fields,
            _ => &[],
        };
        fields.iter().map(|field| &field.node)
    }

    /// Returns a field of an object type.
    pub(in crate::cli) fn field(&self, owner: &str, name: &str) -> Option<&FieldDefinition> {
        self.fields(owner).find(|field| field.name.node == name)
    }

    /// Returns the members of a union. Other types have none.
    pub(in crate::cli) fn members(&self, name: &str) -> impl Iterator<Item = &str> {
        let members: &[Positioned<_>] = match self.0.get(name).map(|definition| &definition.kind) {
            Some(TypeKind::Union(union)) => &union.members,
            _ => &[],
        };
        members.iter().map(|member| member.node.as_str())
    }

    /// Returns true if the type is an object type with fields.
    pub(super) fn is_object(&self, name: &str) -> bool {
        self.fields(name).next().is_some()
    }
}

/// Returns the name of a type without lists and exclamation marks.
pub(super) fn named(ty: &Type) -> &str {
    match &ty.base {
        BaseType::Named(name) => name,
        BaseType::List(inner) => named(inner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_that_is_built_in_can_be_read() {
        assert_eq!(sdl().field("Rack", "site").map(|field| named(&field.ty.node)), Some("Site"));
        assert_eq!(sdl().members("CableEnd").collect::<Vec<_>>(), ["Port", "PowerFeed", "CircuitTermination"]);
        assert!(sdl().is_object("Placement") && !sdl().is_object("Status"));
    }
}
