//! The documents, and where our answers differ from those of the library.

use serde_json::{Value, json};

use super::answers::Transport::{self, Get, Post, Socket};

/// A request, and how our answer to it differs on purpose.
pub struct Case {
    pub name: &'static str,
    /// The body of the request.
    pub request: Value,
    pub differences: Vec<(Transport, Difference)>,
}

/// Something that we do otherwise than the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    NothingSelected,
    Defaults,
    MissingVariable,
    OperationName,
    MutationByGet,
    Batching,
    NoDocument,
    ClosingCode,
}

impl Difference {
    pub const ALL: [Self; 8] = [
        Self::NothingSelected,
        Self::Defaults,
        Self::MissingVariable,
        Self::OperationName,
        Self::MutationByGet,
        Self::Batching,
        Self::NoDocument,
        Self::ClosingCode,
    ];

    /// Returns the words under which the page about libraries gives the reason.
    pub const fn title(self) -> &'static str {
        match self {
            Self::NothingSelected => "Nothing is selected",
            Self::Defaults => "Defaults of variables",
            Self::MissingVariable => "A missing variable",
            Self::OperationName => "The name of the operation in an address",
            Self::MutationByGet => "Mutations by GET",
            Self::Batching => "Several requests in one body",
            Self::NoDocument => "An address without a document",
            Self::ClosingCode => "Codes of closed connections",
        }
    }
}

/// The objects that both servers have.
pub fn inventory() -> Vec<Value> {
    let rack = |name: &str| json!({"rack": {"site": {"site": "ams1"}, "name": name, "heightU": 42}});
    let device = |name: &str, unit: u32| {
        json!({"device": {
            "site": {"site": "ams1"}, "name": name, "role": "SERVER",
            "placement": {"rack": {"site": "ams1", "rack": "A1"}, "startUnit": unit, "unitHeight": 1},
            "labels": {"env": "prod"},
        }})
    };
    vec![
        json!({"region": {"name": "emea"}}),
        json!({"site": {"name": "ams1", "type": "DATACENTER", "region": {"region": "emea"}}}),
        rack("A1"),
        rack("A2"),
        device("one", 1),
        device("two", 2),
    ]
}

pub fn all() -> Vec<Case> {
    [answered(), refused(), transports()].into_iter().flatten().collect()
}

impl Case {
    /// Declares that our answer differs when it comes by some transports.
    fn differs(mut self, transports: &[Transport], difference: Difference) -> Self {
        self.differences.extend(transports.iter().map(|transport| (*transport, difference)));
        self
    }
}

fn case(name: &'static str, request: Value) -> Case {
    Case { name, request, differences: Vec::new() }
}

fn query(name: &'static str, query: &str, variables: Value) -> Case {
    case(name, json!({"query": query, "variables": variables}))
}

/// What is answered in full.
fn answered() -> Vec<Case> {
    vec![
        query("one field", "{ site(name: \"ams1\") { name type } }", json!({})),
        query(
            "an alias and a fragment",
            "{ first: rack(site: \"ams1\", name: \"A1\") { ...F } } fragment F on Rack { name site { name } }",
            json!({}),
        ),
        query(
            "nested lists",
            "{ racks(orderBy: {by: NAME}) { totalCount nodes { name devices(orderBy: {by: NAME}) { nodes { name labels placement { startUnit } } } } } }",
            json!({}),
        ),
        query(
            "variables",
            "query($filter: DeviceFilter) { devices(filter: $filter) { nodes { name } } }",
            json!({"filter": {"name": {"eq": "two"}}}),
        ),
        query(
            "an absent variable",
            "query($filter: DeviceFilter) { devices(filter: $filter) { totalCount } }",
            json!({}),
        ),
        query(
            "a directive",
            "query($no: Boolean!) { site(name: \"ams1\") { name type @skip(if: $no) } }",
            json!({"no": true}),
        ),
        query(
            "the schema",
            "{ __schema { queryType { name } mutationType { name } } __type(name: \"Rack\") { kind name } }",
            json!({}),
        ),
        query("the name of a type", "{ __typename site(name: \"ams1\") { __typename } }", json!({})),
        query("nothing is found", "{ site(name: \"nowhere\") { name } }", json!({})),
        query(
            "a list of a page",
            "{ devices(first: 1, orderBy: {by: NAME}) { nodes { name } pageInfo { hasNextPage } } }",
            json!({}),
        ),
    ]
}

/// What is refused, or answered in part.
fn refused() -> Vec<Case> {
    vec![
        query("no document", "", json!({})).differs(&[Get], Difference::NoDocument),
        query("a syntax error", "{ site(name: \"ams1\" { name }", json!({})),
        query("an unknown field", "{ site(name: \"ams1\") { colour } }", json!({})),
        query("a wrong argument", "{ site(name: 1) { name } }", json!({})),
        query("a variable of another type", "query($name: Int!) { site(name: $name) { name } }", json!({"name": 1})),
        query("a missing variable", "query($name: String!) { site(name: $name) { name } }", json!({}))
            .differs(&Transport::ALL, Difference::MissingVariable),
        query("a field that fails", "{ revision site(id: \"nonsense\") { name } }", json!({})),
    ]
}

/// What depends on the way.
fn transports() -> Vec<Case> {
    vec![
        query("everything is skipped", "{ site(name: \"ams1\") @skip(if: true) { name } }", json!({})).differs(&Transport::ALL, Difference::NothingSelected),
        query("a default of a directive", "query($no: Boolean = true) { site(name: \"ams1\") { name type @skip(if: $no) } }", json!({})).differs(&Transport::ALL, Difference::Defaults),
        case("one of two operations", json!({"query": "query A { site(name: \"ams1\") { name } } query B { racks { totalCount } }", "operationName": "B"})).differs(&[Get], Difference::OperationName),
        case("none of two operations", json!({"query": "query A { site(name: \"ams1\") { name } } query B { racks { totalCount } }"})),
        query("a mutation that changes nothing", "mutation { apply(input: {items: [], dryRun: true}) { revision } }", json!({})).differs(&[Get], Difference::MutationByGet),
        case("two requests", json!([{"query": "{ __typename }"}, {"query": "{ revision }"}])).differs(&[Post], Difference::Batching).differs(&[Get], Difference::NoDocument).differs(&[Socket], Difference::ClosingCode),
        case("a body that is no request", json!({"document": "{ __typename }"})).differs(&[Get], Difference::NoDocument),
    ]
}
