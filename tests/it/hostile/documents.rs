//! GraphQL documents: each is measured before it is executed, and answered with data or with readable errors.

use async_graphql::parser::parse_query;
use async_graphql::{Name, Variables};
use proptest::prelude::*;
use serde_json::{Value, json};
use underlay_server::api::{self, Bounds};

use super::{Served, always, mutation};

/// The maximum nesting that is generated. The server rejects deeper documents before parsing, because the parser
/// recurses for each bracket.
const MAX_NESTING: usize = 128;

/// The examples of the page for browsers, and what these do not use of the language.
fn good() -> Vec<String> {
    let examples = [
        include_str!("../../../console/examples/change.graphql"),
        include_str!("../../../console/examples/dashboard.graphql"),
        include_str!("../../../console/examples/find.graphql"),
        include_str!("../../../console/examples/history.graphql"),
        include_str!("../../../console/examples/outside.graphql"),
        include_str!("../../../console/examples/plan.graphql"),
        include_str!("../../../console/examples/server.graphql"),
        "query A($n: Int = 3) { sites(first: $n) @include(if: true) { nodes { ...S } } } fragment S on Site { a: name }",
        "{ __schema { types { name fields { name args { name type { ofType { ofType { name } } } } } } } }",
        "{ nodes(ids: [\"x\"]) { ... on Site { name racks { nodes { devices { nodes { ports { totalCount } } } } } } } }",
        "query A { revision } query B { __typename } subscription C { changes { cursor } }",
        "mutation { createSite(input: {name: \"\"\"a\\nb\"\"\", type: EDGE, attributes: {x: [1, {y: null}]}}) { site { id } } }",
    ];
    examples.map(str::to_owned).to_vec()
}

#[test]
fn the_cost_covers_the_whole_document() {
    let nests = |text: &String| text.bytes().filter(|byte| b"{[(".contains(byte)).count();
    let documents = mutation::text(good()).prop_filter("it is refused before", move |text| nests(text) <= MAX_NESTING);
    always((documents, any::<Option<u32>>()), |(text, n)| {
        let Ok(document) = parse_query(&text) else { return Ok(()) };
        for (name, _) in document.operations.iter() {
            let operation = api::operation(&document, name.map(Name::as_str)).expect("an operation of the document");
            let variables = Variables::from_json(json!({"n": n}));
            let measure = || api::measure(operation, &variables, Bounds { fields: u64::MAX, objects: 100_000 });
            let measured = measure();
            prop_assert_eq!(&measured, &measure(), "the same each time");
            let Ok(measured) = measured else { continue };
            prop_assert!(measured.depth == u64::MAX || measured.depth <= measured.fields, "{:?}", measured);
            prop_assert!(measured.aliases <= measured.fields, "{:?}", measured);
            prop_assert!(measured.objects == 0 || measured.fields > 0, "{:?}", measured);
        }
        Ok(())
    });
}

#[test]
fn every_document_is_answered() {
    let served = Served::start();
    let device = served.runtime.block_on(served.client.ok("{ devices(first: 1) { nodes { id } } }", Value::Null));
    let id = device["devices"]["nodes"][0]["id"].clone();
    always(mutation::text(good()), |text| {
        let body = json!({"query": text, "variables": {"server": id, "metro": id, "n": 2}});
        served.answer(body.to_string())?;
        Ok(())
    });
}
