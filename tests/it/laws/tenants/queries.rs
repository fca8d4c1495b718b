//! Queries that read every field of objects in the schema.

use std::fmt::Write as _;

use async_graphql::parser::types::{BaseType, Type, TypeKind};

use crate::laws::sdl::{Field, Sdl};

/// Fields that differ between two databases with the same objects, or that other queries cover.
const LEFT_OUT: [&str; 9] =
    ["version", "observedVersion", "revision", "createdAt", "updatedAt", "managers", "changes", "history", "svg"];
/// The depth to which values without an id are read.
const MAX_VALUE_DEPTH: usize = 3;

/// For each list on the root its name and all that is to be read of its objects; with the name of their filter.
pub fn lists(sdl: &Sdl) -> Vec<(String, String, String)> {
    let lists = sdl.fields("Query").into_iter().filter_map(|(name, field)| {
        let kind = base(&field.ty).strip_suffix("Connection")?.to_owned();
        let is_object = sdl.ty(&kind).directives.is_empty() && sdl.fields(&kind).contains_key("tenant");
        is_object.then(|| (name, everything(sdl, &kind, 0), format!("{kind}Filter")))
    });
    lists.collect()
}

/// The name of a type without what is around it.
fn base(ty: &str) -> String {
    fn name(ty: &Type) -> String {
        match &ty.base {
            BaseType::Named(name) => name.to_string(),
            BaseType::List(inner) => name(inner),
        }
    }
    name(&Type::new(ty).expect("a type"))
}

/// Everything that can be read of a type without arguments.
pub fn everything(sdl: &Sdl, ty: &str, depth: usize) -> String {
    let mut text = String::from("__typename");
    for (name, field) in sdl.fields(ty) {
        let is_free = name == "item" || field.arguments.iter().all(|(_, ty)| !ty.ends_with('!'));
        if is_free && !LEFT_OUT.contains(&name.as_str()) {
            let selection = selection(sdl, &field, depth);
            if let Some(selection) = selection {
                write!(text, " {name}{selection}").expect("a string");
            }
        }
    }
    text
}

fn selection(sdl: &Sdl, field: &Field, depth: usize) -> Option<String> {
    let name = base(&field.ty);
    let known = sdl.types().any(|(other, _)| other == name);
    if !known {
        return Some(String::new());
    }
    match &sdl.ty(&name).kind {
        TypeKind::Scalar | TypeKind::Enum(_) => Some(String::new()),
        TypeKind::Union(_) | TypeKind::Interface(_) => Some("{ __typename ...on Node { id } }".to_owned()),
        TypeKind::Object(_) if sdl.fields(&name).contains_key("tenant") => Some("{ id name }".to_owned()),
        TypeKind::Object(_) if name.ends_with("Connection") => Some("{ totalCount nodes { id name } }".to_owned()),
        TypeKind::Object(_) if depth < MAX_VALUE_DEPTH => Some(format!("{{ {} }}", everything(sdl, &name, depth + 1))),
        TypeKind::Object(_) | TypeKind::InputObject(_) => None,
    }
}
