//! This module measures a GraphQL document before it is executed: the depth of its fields, the number of its fields,
//! and the number of objects that its answer can have.
//!
//! Fragments count wherever they are used, but each is measured only once per page size. Fragments of a short text can
//! use each other so often that the expanded document could never be written out.

use std::sync::LazyLock;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    BaseType, ExecutableDocument, Field, FieldDefinition, OperationDefinition, OperationType, Selection, SelectionSet,
    Type, TypeKind, TypeSystemDefinition,
};
use async_graphql::{Name, Positioned, Value, Variables};
use foldhash::{HashMap, HashMapExt as _, HashSet};

use crate::read::MOST;

/// The number of objects on a page if the request does not give it.
const PAGE: u64 = 50;
/// The number of objects that a list without pages is assumed to have.
const FEW: u64 = 10;
/// The greatest depth to which fields and fragments are followed.
pub const DEEPEST: usize = 100;

/// The size of what a document asks for. The numbers saturate at `u64::MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The depth of nested fields.
    pub depth: u64,
    /// The number of fields. The fields of a fragment count wherever it is used.
    pub fields: u64,
    /// The number of objects that the answer can have. The length of a list is multiplied by the objects below each
    /// entry.
    pub objects: u64,
    /// The number of aliases in the operation.
    pub aliases: u64,
    /// The number of directives in the operation.
    pub directives: u64,
    /// True if the operation asks for the schema.
    pub introspects: bool,
}

impl Measured {
    fn and(self, other: Self) -> Self {
        Self {
            depth: self.depth.max(other.depth),
            fields: self.fields.saturating_add(other.fields),
            objects: self.objects.saturating_add(other.objects),
            aliases: self.aliases.saturating_add(other.aliases),
            directives: self.directives.saturating_add(other.directives),
            introspects: self.introspects || other.introspects,
        }
    }
}

/// The output types of the schema.
struct Types {
    /// The shape of each field, by type and by name.
    fields: HashMap<String, HashMap<String, Shape>>,
    /// The types of single answers that the argument `first` bounds: connections, and others with lists of such a
    /// length.
    bounded: HashSet<String>,
}

/// The result type of a field, as far as measuring needs it.
struct Shape {
    /// The name of the type, without lists.
    of: String,
    is_list: bool,
    /// True if the field has the argument `first`, and so can be read in pages.
    has_pages: bool,
}

static TYPES: LazyLock<Types> = LazyLock::new(|| Types::of(&super::text()));

/// Reads the schema now, so that the first request does not have to.
pub fn prepare() {
    LazyLock::force(&TYPES);
}

impl Types {
    /// Reads the types from the text of a schema. A text that is not a schema has no types, and every field then counts
    /// as a plain one.
    fn of(schema: &str) -> Self {
        let definitions = parse_schema(schema).map(|document| document.definitions).unwrap_or_default();
        let types = definitions.into_iter().filter_map(|definition| {
            let TypeSystemDefinition::Type(definition) = definition else { return None };
            let fields = match definition.node.kind {
                TypeKind::Object(object) => object.fields,
                TypeKind::Interface(interface) => interface.fields,
                TypeKind::Union(_) => Vec::new(),
                _ => return None,
            };
            let fields = fields.into_iter().map(|field| (field.node.name.node.to_string(), Shape::of(&field.node)));
            Some((definition.node.name.node.to_string(), fields.collect()))
        });
        let fields: HashMap<String, HashMap<String, Shape>> = types.collect();
        let shapes = fields.values().flat_map(HashMap::values);
        let bounded = shapes.filter(|shape| shape.has_pages && !shape.is_list).map(|shape| shape.of.clone()).collect();
        Self { fields, bounded }
    }

    fn field(&self, of: &str, name: &str) -> Option<&Shape> {
        self.fields.get(of)?.get(name)
    }
}

impl Shape {
    fn of(field: &FieldDefinition) -> Self {
        let (mut written, mut is_list): (&Type, bool) = (&field.ty.node, false);
        while let BaseType::List(inner) = &written.base {
            (written, is_list) = (inner, true);
        }
        let of = match &written.base {
            BaseType::Named(name) => name.to_string(),
            BaseType::List(_) => String::new(),
        };
        Self { of, is_list, has_pages: field.arguments.iter().any(|argument| argument.node.name.node == "first") }
    }
}

/// Measures the operation that would be executed. All numbers are zero if there is no such operation.
pub fn measure(document: &ExecutableDocument, operation: Option<&str>, variables: &Variables) -> Measured {
    let mut fitting =
        document.operations.iter().filter(|(name, _)| operation.is_none() || name.map(Name::as_str) == operation);
    let Some((_, operation)) = fitting.next() else { return Measured::default() };
    let operation = &operation.node;
    let root = match operation.ty {
        OperationType::Query => "Query",
        OperationType::Mutation => "Mutation",
        OperationType::Subscription => "Subscription",
    };
    let mut walk = Walk { document, operation, variables, fragments: HashMap::new() };
    let directives = operation.directives.len() as u64;
    let measured = walk.selection(&operation.selection_set.node, root, PAGE, 0);
    measured.and(Measured { directives, ..Measured::default() })
}

struct Walk<'a> {
    document: &'a ExecutableDocument,
    operation: &'a OperationDefinition,
    variables: &'a Variables,
    /// The measure of each fragment, by the page size above it. While a fragment is being measured, its numbers are
    /// zero.
    fragments: HashMap<(&'a Name, u64), Measured>,
}

impl<'a> Walk<'a> {
    /// Measures a selection on a type, in a page of `page` objects.
    fn selection(&mut self, set: &'a SelectionSet, of: &str, page: u64, deep: usize) -> Measured {
        if deep > DEEPEST {
            return Measured { depth: u64::MAX, ..Measured::default() };
        }
        set.items.iter().fold(Measured::default(), |sum, item| sum.and(self.item(item, of, page, deep)))
    }

    fn item(&mut self, item: &'a Positioned<Selection>, of: &str, page: u64, deep: usize) -> Measured {
        let directives = item.node.directives().len() as u64;
        let measured = match &item.node {
            Selection::Field(field) => self.field(&field.node, of, page, deep),
            Selection::InlineFragment(inline) => {
                let condition = inline.node.type_condition.as_ref();
                let of = condition.map_or(of, |condition| condition.node.on.node.as_str());
                self.selection(&inline.node.selection_set.node, of, page, deep + 1)
            }
            Selection::FragmentSpread(spread) => self.fragment(&spread.node.fragment_name.node, page, deep),
        };
        measured.and(Measured { directives, ..Measured::default() })
    }

    fn fragment(&mut self, name: &'a Name, page: u64, deep: usize) -> Measured {
        if let Some(known) = self.fragments.get(&(name, page)) {
            return *known;
        }
        let Some(fragment) = self.document.fragments.get(name) else { return Measured::default() };
        // This ends the recursion of a fragment that uses itself. Validation rejects such a document later.
        self.fragments.insert((name, page), Measured::default());
        let of = fragment.node.type_condition.node.on.node.as_str();
        let measured = self.selection(&fragment.node.selection_set.node, of, page, deep + 1);
        self.fragments.insert((name, page), measured);
        measured
    }

    fn field(&mut self, field: &'a Field, of: &str, page: u64, deep: usize) -> Measured {
        let name = field.name.node.as_str();
        let own = Measured {
            depth: 1,
            fields: 1,
            aliases: u64::from(field.alias.is_some()),
            introspects: matches!(name, "__schema" | "__type"),
            ..Measured::default()
        };
        // Validation rejects an unknown field later. The fields below it count nevertheless.
        let shape = TYPES.field(of, name);
        let below = shape.map_or("", |shape| &shape.of);
        let asked = if shape.is_some_and(|shape| shape.has_pages) { self.page(field) } else { page };
        let inner = self.selection(&field.selection_set.node, below, asked, deep + 1);
        let is_object = shape.is_some() && TYPES.fields.contains_key(below) && !is_around(below);
        let times = match shape {
            // A list inside a connection, or inside another bounded answer, has as many entries as the page has objects.
            Some(shape) if shape.is_list && (is_around(of) || TYPES.bounded.contains(of)) => page,
            Some(shape) if shape.is_list && shape.has_pages => asked,
            Some(shape) if shape.is_list => self.given(field).unwrap_or(FEW),
            _ => 1,
        };
        Measured {
            depth: inner.depth.saturating_add(1),
            objects: inner.objects.saturating_add(u64::from(is_object)).saturating_mul(times),
            ..own.and(inner)
        }
    }

    /// Returns the number of objects on the page that a field asks for.
    fn page(&self, field: &Field) -> u64 {
        let count = ["first", "last"].into_iter().filter_map(|name| match self.argument(field, name)? {
            Value::Number(number) => number.as_u64(),
            _ => None,
        });
        count.max().unwrap_or(PAGE).min(MOST as u64)
    }

    /// Returns the number of objects that a field names one by one.
    fn given(&self, field: &Field) -> Option<u64> {
        ["ids", "from"].into_iter().find_map(|name| match self.argument(field, name)? {
            Value::List(list) => Some(list.len() as u64),
            _ => None,
        })
    }

    /// Returns the value of an argument, with its variables resolved.
    fn argument(&self, field: &Field, name: &str) -> Option<Value> {
        let (_, value) = field.arguments.iter().find(|(argument, _)| argument.node == name)?;
        let variable = |name: Name| {
            let definitions = self.operation.variable_definitions.iter();
            let default = || definitions.clone().find(|it| it.node.name.node == name)?.node.default_value.clone();
            self.variables.get(&name).cloned().or_else(|| default().map(|value| value.node)).ok_or(())
        };
        value.node.clone().into_const_with(variable).ok()
    }
}

/// Returns true if a type only wraps a list of objects for pagination, and is not an object itself.
fn is_around(of: &str) -> bool {
    let is_of_a_list = || of.ends_with("Edge") && TYPES.field(of, "cursor").is_some();
    of.ends_with("Connection") || is_of_a_list() || of == "PageInfo"
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::json;

    use super::*;

    fn of(text: &str, variables: serde_json::Value) -> Measured {
        let document = parse_query(text).expect("a document");
        measure(&document, None, &Variables::from_json(variables))
    }

    fn objects(text: &str) -> u64 {
        of(text, json!({})).objects
    }

    #[test]
    fn objects_of_a_list_count_with_what_is_beneath_each() {
        assert_eq!(objects("{ revision }"), 0);
        assert_eq!(objects("{ sites { nodes { name } } }"), 50);
        assert_eq!(objects("{ sites(first: 7) { nodes { name } pageInfo { hasNextPage } totalCount } }"), 7);
        assert_eq!(objects("{ sites(first: 7) { edges { cursor node { name } } } }"), 7);
        assert_eq!(objects("{ sites(first: 10) { nodes { racks(first: 20) { nodes { name } } } } }"), 10 * 21);
        let deep = "{ sites(first: 1000) { nodes { racks(first: 1000) { nodes { name } } } } }";
        assert_eq!(objects(deep), 1000 * 1001);
        assert_eq!(objects("{ devices(last: 5) { nodes { site { name } a: site { name } } } }"), 15);
        assert_eq!(objects("{ nodes(ids: [\"a\", \"b\", \"c\"]) { id } }"), 3);
        assert_eq!(objects("{ traces(from: [\"a\", \"b\", \"c\"]) { complete } }"), 3);
        assert_eq!(objects("{ traces(from: [\"a\", \"b\"]) { branches { outcome } } }"), 2 * 11);
        assert_eq!(objects("{ graph(first: 7) { complete nodes { object { id } } edges { from } } }"), 1 + 7 * 2 + 7);
        assert_eq!(objects("{ sites(first: 99999999) { nodes { name } } }"), 1000, "more is refused anyway");
    }

    #[test]
    fn variables_and_their_defaults_say_how_many() {
        let text = "query($n: Int = 30) { sites(first: $n) { nodes { name } } }";
        assert_eq!(of(text, json!({"n": 3})).objects, 3);
        assert_eq!(of(text, json!({})).objects, 30);
        let ids = "query($ids: [ID!]!) { nodes(ids: $ids) { id } }";
        assert_eq!(of(ids, json!({"ids": ["a", "b"]})).objects, 2);
    }

    #[test]
    fn fragments_count_wherever_they_are_used() {
        let measured = of(
            "{ sites(first: 2) { nodes { ...S ... on Site { a: name } } } again: sites(first: 3) { nodes { ...S } } }
             fragment S on Site { name @include(if: true) racks(first: 5) { nodes { name } } }",
            json!({}),
        );
        assert_eq!(measured.objects, 2 * 6 + 3 * 6);
        assert_eq!((measured.depth, measured.aliases, measured.directives), (5, 2, 2));
        assert_eq!(measured.fields, 2 + 2 + 4 + 4 + 1);
    }

    #[test]
    fn a_text_that_doubles_itself_is_counted_and_not_written_out() {
        let mut text = "{ sites { nodes { ...F0 } } }".to_owned();
        for n in 0..60 {
            text += &format!(" fragment F{n} on Site {{ a{n}: name ...F{m} ...F{m} }}", m = n + 1);
        }
        text += " fragment F60 on Site { name }";
        let measured = of(&text, json!({}));
        assert!(measured.fields > 1 << 60, "{measured:?}");
        let circle = "{ sites { nodes { ...A } } } fragment A on Site { ...B } fragment B on Site { ...A name }";
        assert_eq!(of(circle, json!({})).fields, 3);
        let mut chain = "{ sites { nodes { ...F0 } } }".to_owned();
        (0..5000).for_each(|n| chain += &format!(" fragment F{n} on Site {{ ...F{} }}", n + 1));
        assert_eq!(of(&chain, json!({})).depth, u64::MAX, "fragments beneath each other are deep too");
    }

    #[test]
    fn asking_for_the_schema_is_seen() {
        assert!(of("{ __schema { types { name } } }", json!({})).introspects);
        assert!(of("query { ... { x: __type(name: \"A\") { name } } }", json!({})).introspects);
        assert!(!of("{ __typename }", json!({})).introspects);
    }
}
