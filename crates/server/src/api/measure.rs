//! This module measures a GraphQL document before it is executed: the depth of its fields, the number of its selections
//! and values, and the number of objects that its answer can have.
//!
//! The library looks at the whole document before it knows which operation runs, so the selections and values of all
//! operations and fragments count (`expansion`). The rest is of the operation that runs. Fragments count wherever they
//! are used. Each is measured only once per page size, because fragments of a short text can use each other so often
//! that the expanded document could never be written out.

use std::sync::LazyLock;

use async_graphql::parser::types::{Field, OperationType, Selection, SelectionSet};
use async_graphql::registry::{MetaField, MetaType, MetaTypeName};
use async_graphql::{Name, Number, Positioned, Value, Variables};
use async_graphql_value::Value as Argument;
use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::expansion::{Expansion, ExpansionError, MAX_DEPTH};
use super::introspection::{self, TYPES};
use super::operation::Operation;
use super::variables::Sizes;
use underlay_read::MAX_PAGE_OBJECTS;

/// The number of objects on a page if the request does not give it.
const DEFAULT_PAGE_OBJECTS: u64 = 50;
/// The number of objects that a list without pages is assumed to have.
const ASSUMED_LIST_OBJECTS: u64 = 10;

/// The size of what a document asks for. The numbers saturate at `u64::MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryCost {
    /// The depth of nested fields.
    pub depth: u64,
    /// The number of fields, uses of fragments, and inline fragments, in all operations and fragments. Those of a
    /// fragment count wherever it is used.
    pub fields: u64,
    /// The number of uses of variables in all operations.
    pub variables: u64,
    /// The number of values in arguments, with those of the variables. Arguments count for each object that they are
    /// read for.
    pub values: u64,
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

impl QueryCost {
    fn and(self, other: Self) -> Self {
        Self {
            depth: self.depth.max(other.depth),
            fields: self.fields.saturating_add(other.fields),
            variables: self.variables.saturating_add(other.variables),
            values: self.values.saturating_add(other.values),
            objects: self.objects.saturating_add(other.objects),
            aliases: self.aliases.saturating_add(other.aliases),
            directives: self.directives.saturating_add(other.directives),
            introspects: self.introspects || other.introspects,
        }
    }
}

/// The numbers from which on a document is refused. Nothing is measured beyond them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The greatest number of fields.
    pub fields: u64,
    /// The greatest number of objects.
    pub objects: u64,
}

/// The names of the types of single answers that the argument `first` bounds: connections, and others with lists of
/// such a length.
static BOUNDED: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let fields = TYPES.types.values().filter_map(MetaType::fields).flat_map(|fields| fields.values());
    let bounded = fields.filter(|field| has_pages(field) && !is_list(field));
    bounded.map(|field| MetaTypeName::concrete_typename(&field.ty).to_owned()).collect()
});

/// Makes the description of the types now, so that the first request does not have to wait for it.
pub fn prepare() {
    LazyLock::force(&BOUNDED);
}

/// Returns the names of the fields of the type `Mutation`.
pub fn mutations() -> impl Iterator<Item = &'static str> {
    TYPES
        .types
        .get("Mutation")
        .and_then(MetaType::fields)
        .into_iter()
        .flat_map(|fields| fields.keys().map(String::as_str))
}

/// Measures an operation with the variables of a request. Of an operation with more fields than are allowed, only what
/// the whole document determines is measured.
///
/// # Errors
/// Returns an error if the document has no finite size.
pub fn measure(operation: Operation<'_>, variables: &Variables, bounds: Bounds) -> Result<QueryCost, ExpansionError> {
    let sizes = Sizes::new(operation.variables(), variables);
    let expansion = Expansion::of(operation.document(), &sizes)?;
    let whole = QueryCost {
        fields: expansion.selections.max(expansion.merged),
        variables: expansion.variables,
        directives: operation.directives().len() as u64,
        ..QueryCost::default()
    };
    if whole.fields > bounds.fields {
        return Ok(QueryCost { values: expansion.values, ..whole });
    }
    let root = match operation.ty() {
        OperationType::Query => "Query",
        OperationType::Mutation => "Mutation",
        OperationType::Subscription => "Subscription",
    };
    let mut walk = Walk { operation, sizes: &sizes, most: bounds.objects, fragments: HashMap::new() };
    let measured = walk.selection(operation.selections(), TYPES.types.get(root), DEFAULT_PAGE_OBJECTS, 0);
    let values = measured.values.max(expansion.values);
    Ok(QueryCost { values, ..measured.and(whole) })
}

struct Walk<'a> {
    operation: Operation<'a>,
    sizes: &'a Sizes<'a>,
    /// The greatest number of objects.
    most: u64,
    /// The measure of each fragment, by the page size above it. No fragment contains itself.
    fragments: HashMap<(&'a Name, u64), QueryCost>,
}

/// The type on which a selection stands. `None` if the schema does not have the type; validation rejects the document
/// later.
type On = Option<&'static MetaType>;

impl<'a> Walk<'a> {
    /// Measures a selection on a type, in a page of `page` objects.
    fn selection(&mut self, set: &'a SelectionSet, of: On, page: u64, deep: usize) -> QueryCost {
        if deep > MAX_DEPTH {
            return QueryCost { depth: u64::MAX, ..QueryCost::default() };
        }
        set.items.iter().fold(QueryCost::default(), |sum, item| sum.and(self.item(item, of, page, deep)))
    }

    fn item(&mut self, item: &'a Positioned<Selection>, of: On, page: u64, deep: usize) -> QueryCost {
        let directives = item.node.directives().len() as u64;
        let measured = match &item.node {
            Selection::Field(field) => self.field(&field.node, of, page, deep),
            Selection::InlineFragment(inline) => {
                let condition = inline.node.type_condition.as_ref();
                let of = condition.map_or(of, |condition| TYPES.types.get(condition.node.on.node.as_str()));
                self.selection(&inline.node.selection_set.node, of, page, deep + 1)
            }
            Selection::FragmentSpread(spread) => self.fragment(&spread.node.fragment_name.node, page, deep),
        };
        measured.and(QueryCost { directives, ..QueryCost::default() })
    }

    fn fragment(&mut self, name: &'a Name, page: u64, deep: usize) -> QueryCost {
        if let Some(known) = self.fragments.get(&(name, page)) {
            return *known;
        }
        let Some(fragment) = self.operation.fragment(name) else { return QueryCost::default() };
        let of = TYPES.types.get(fragment.type_condition.node.on.node.as_str());
        let measured = self.selection(&fragment.selection_set.node, of, page, deep + 1);
        self.fragments.insert((name, page), measured);
        measured
    }

    fn field(&mut self, field: &'a Field, of: On, page: u64, deep: usize) -> QueryCost {
        let name = field.name.node.as_str();
        let own = QueryCost {
            depth: 1,
            aliases: u64::from(field.alias.is_some()),
            introspects: matches!(name, "__schema" | "__type"),
            ..QueryCost::default()
        };
        if own.introspects {
            return self.introspection(field, own, deep);
        }
        // Validation rejects an unknown field later. The fields below it count nevertheless.
        let described = of.and_then(|of| of.field_by_name(name));
        let below = described.and_then(|described| TYPES.types.get(MetaTypeName::concrete_typename(&described.ty)));
        let has_pages = described.is_some_and(has_pages);
        let asked = if has_pages { self.page(field) } else { page };
        let inner = self.selection(&field.selection_set.node, below, asked, deep + 1);
        let is_object = below.is_some_and(|below| below.is_composite() && !is_around(below));
        let in_page = |of: &MetaType| is_around(of) || BOUNDED.contains(of.name());
        let named = || self.number_argument(field);
        let times = match described.is_some_and(is_list) {
            true if described.is_some_and(is_by_name) => named().unwrap_or(ASSUMED_LIST_OBJECTS),
            // A list inside a connection, or inside another bounded answer, has as many entries as the page has
            // objects.
            true if of.is_some_and(in_page) => page,
            true if has_pages => asked,
            true => named().unwrap_or(ASSUMED_LIST_OBJECTS),
            false => 1,
        };
        let arguments = field.arguments.iter().map(|(_, value)| self.sizes.of(&value.node, &mut 0));
        QueryCost {
            depth: inner.depth.saturating_add(1),
            objects: inner.objects.saturating_add(u64::from(is_object)).saturating_mul(times),
            values: arguments.fold(inner.values.saturating_mul(times), u64::saturating_add),
            ..own.and(inner)
        }
    }

    /// Measures a field that asks for the schema.
    fn introspection(&mut self, field: &'a Field, own: QueryCost, deep: usize) -> QueryCost {
        let inner = self.selection(&field.selection_set.node, None, DEFAULT_PAGE_OBJECTS, deep + 1);
        let named = match self.argument(field, "name") {
            Some(Known::Text(name)) => Some(name),
            _ => None,
        };
        let objects = introspection::objects(self.operation.document(), field, named, self.most);
        QueryCost { depth: inner.depth.saturating_add(1), objects, ..own.and(inner) }
    }

    /// Returns the number of objects on the page that a field asks for.
    fn page(&self, field: &Field) -> u64 {
        let count = ["first", "last"].into_iter().filter_map(|name| match self.argument(field, name)? {
            Known::Number(number) => Some(number),
            Known::List(_) | Known::Text(_) => None,
        });
        count.max().unwrap_or(DEFAULT_PAGE_OBJECTS).min(MAX_PAGE_OBJECTS as u64)
    }

    /// Returns the number of entries that a field names one by one.
    fn number_argument(&self, field: &Field) -> Option<u64> {
        ["ids", "from", "by"].into_iter().find_map(|name| match self.argument(field, name)? {
            Known::List(length) => Some(length),
            Known::Number(_) | Known::Text(_) => None,
        })
    }

    /// Returns what is known of the value of an argument, with its variable resolved.
    fn argument<'v>(&self, field: &'v Field, name: &str) -> Option<Known<'v>>
    where
        'a: 'v,
    {
        match &field.get_argument(name)?.node {
            Argument::Number(number) => Number::as_u64(number).map(Known::Number),
            Argument::List(list) => Some(Known::List(list.len() as u64)),
            Argument::String(text) => Some(Known::Text(text)),
            Argument::Variable(name) => match self.sizes.value(name)? {
                Value::Number(number) => Number::as_u64(number).map(Known::Number),
                Value::List(list) => Some(Known::List(list.len() as u64)),
                Value::String(text) => Some(Known::Text(text)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The knowledge of the value of an argument. The value may be large, so it is not copied.
#[derive(Clone, Copy, Debug)]
enum Known<'a> {
    Number(u64),
    /// A list of this length.
    List(u64),
    Text(&'a str),
}

/// Returns true if a field has the argument `first`, and so can be read in pages.
fn has_pages(field: &MetaField) -> bool {
    field.args.contains_key("first")
}

/// Returns true if the entries of a list are named one by one, and so do not depend on the page around it.
fn is_by_name(field: &MetaField) -> bool {
    field.args.get("by").is_some_and(|by| MetaTypeName::create(&by.ty).is_list())
}

fn is_list(field: &MetaField) -> bool {
    MetaTypeName::create(&field.ty).is_list()
}

/// Returns true if a type only wraps a list of objects for pagination, and is not an object itself.
fn is_around(of: &MetaType) -> bool {
    let name = of.name();
    let is_of_a_list = || name.ends_with("Edge") && of.field_by_name("cursor").is_some();
    name.ends_with("Connection") || is_of_a_list() || name == "PageInfo"
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::json;

    use super::*;
    use crate::api::operation;

    const BOUNDS: Bounds = Bounds { fields: u64::MAX, objects: 100_000 };

    fn of(text: &str, variables: serde_json::Value) -> QueryCost {
        let document = parse_query(text).expect("a document");
        let operation = operation(&document, None).expect("an operation");
        measure(operation, &Variables::from_json(variables), BOUNDS).expect("a finite size")
    }

    fn objects(text: &str) -> u64 {
        of(text, json!({})).objects
    }

    #[test]
    fn objects_of_a_list_count_with_what_is_beneath_each() {
        assert_eq!(objects("{ revision }"), 0);
        assert_eq!(objects("{ sites { nodes { name } } }"), 50);
        assert_eq!(objects("{ sites(first: 7) { nodes { name } pageInfo { hasNextPage } totalCount } }"), 7);
        assert_eq!(
            objects("{ sites(first: 7) { facets(by: [\"type\", \"labels.a\"]) { by counts { count } more } } }"),
            2 * 11
        );
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
        assert_eq!(measured.fields, 17, "with the uses of fragments, in each object that they add fields to");
    }

    #[test]
    fn values_count_for_each_object_that_they_are_read_for() {
        let text = "query($f: PortFilter) { devices(first: 7) { nodes { ports(filter: $f) { totalCount } } } }";
        let filter = json!({"f": {"name": {"in": ["a", "b", "c"]}}});
        assert_eq!(of(text, filter.clone()).values, 1 + 7 * 6);
        let unused = "query A($f: PortFilter) { revision } fragment F on Query { ports(filter: $f) { totalCount } }";
        assert_eq!(of(unused, filter).values, 6, "the library checks fragments that nobody uses too");
    }

    #[test]
    fn nothing_is_measured_beyond_the_number_of_fields() {
        let document = parse_query("{ sites { nodes { name } } }").expect("a document");
        let operation = operation(&document, None).expect("an operation");
        let measured = measure(operation, &Variables::default(), Bounds { fields: 2, ..BOUNDS }).expect("a size");
        assert_eq!((measured.fields, measured.depth), (3, 0));
    }

    #[test]
    fn asking_for_the_schema_is_seen() {
        assert!(of("{ __schema { types { name } } }", json!({})).introspects);
        assert!(of("query { ... { x: __type(name: \"A\") { name } } }", json!({})).introspects);
        assert!(!of("{ __typename }", json!({})).introspects);
    }
}
