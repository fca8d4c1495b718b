//! The schema that this program was built with, as the command line needs it: what can be shown of a kind, and what can
//! be written.
//!
//! The schema is the contract with every client, so a new kind or field needs no change in the commands.

use std::collections::HashMap;
use std::sync::LazyLock;

use async_graphql::Positioned;
use async_graphql::parser::types::{
    BaseType, FieldDefinition, InputValueDefinition, Type, TypeDefinition, TypeKind, TypeSystemDefinition,
};

static SDL: LazyLock<Sdl> = LazyLock::new(|| Sdl::read(include_str!("../../../schema.graphql")));

/// Returns the types of the schema by name.
pub(super) fn sdl() -> &'static Sdl {
    &SDL
}

/// The parsed types of a schema, by name.
#[derive(Debug)]
pub(super) struct Sdl(HashMap<String, TypeDefinition>);

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
    pub(super) fn fields(&self, name: &str) -> impl Iterator<Item = &FieldDefinition> {
        let fields: &[Positioned<FieldDefinition>] = match self.0.get(name).map(|definition| &definition.kind) {
            Some(TypeKind::Object(object)) => &object.fields,
            _ => &[],
        };
        fields.iter().map(|field| &field.node)
    }

    /// Returns a field of an object type.
    pub(super) fn field(&self, owner: &str, name: &str) -> Option<&FieldDefinition> {
        self.fields(owner).find(|field| field.name.node == name)
    }

    /// Returns the members of a union. Other types have none.
    pub(super) fn members(&self, name: &str) -> impl Iterator<Item = &str> {
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

    /// Returns an input type.
    pub(super) fn input(&self, name: &str) -> Option<InputType<'_>> {
        let definition = self.0.get(name)?;
        let TypeKind::InputObject(input) = &definition.kind else { return None };
        let one_of = definition.directives.iter().any(|directive| directive.node.name.node == "oneOf");
        Some(InputType { fields: &input.fields, one_of })
    }

    /// Returns the values of an enum, or `None` for another type.
    pub(super) fn values(&self, name: &str) -> Option<impl Iterator<Item = &str>> {
        let TypeKind::Enum(choice) = &self.0.get(name)?.kind else { return None };
        Some(choice.values.iter().map(|value| value.node.value.node.as_str()))
    }
}

/// An input type.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputType<'a> {
    fields: &'a [Positioned<InputValueDefinition>],
    /// True if a value has exactly one of the fields.
    pub(super) one_of: bool,
}

impl<'a> InputType<'a> {
    /// Returns the names of the fields in their order.
    pub(super) fn names(self) -> impl Iterator<Item = &'a str> {
        self.fields.iter().map(|field| field.node.name.node.as_str())
    }

    /// Returns the type of a field.
    pub(super) fn field(self, name: &str) -> Option<&'a Type> {
        self.fields.iter().find(|field| field.node.name.node == name).map(|field| &field.node.ty.node)
    }
}

/// Returns true if a type is a list.
pub(super) fn is_list(ty: &Type) -> bool {
    matches!(ty.base, BaseType::List(_))
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
        let input = sdl().input("RackInput").expect("an input type");
        assert_eq!(input.field("site").map(named), Some("SiteRef"));
        assert!(!input.one_of && input.names().any(|name| name == "heightU"));
        assert!(sdl().input("Rack").is_none());
        assert!(sdl().values("Status").is_some_and(|mut values| values.any(|value| value == "ACTIVE")));
        assert!(sdl().values("Rack").is_none());
    }
}
