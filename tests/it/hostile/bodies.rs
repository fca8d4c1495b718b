//! Bodies of requests: every body gets an answer of GraphQL, and the connection stays usable.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use super::{Served, always, mutation};

fn good() -> Vec<String> {
    let query = "query Q($input: ApplyInput!) { revision }";
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) { revision results { status error { code } } } }";
    let item =
        json!({"device": {"name": "new", "site": {"site": "ams1"}, "role": "SERVER", "attributes": {"x": [1.5]}}});
    let bodies = [
        json!({"query": "{ revision }"}),
        json!({"query": query, "operationName": "Q", "variables": {"input": {"items": []}}, "extensions": {}}),
        json!({"query": apply, "variables": {"input": {"items": [item], "mode": "PER_ITEM"}}}),
        json!({"query": apply, "variables": {"input": {"items": [item], "dryRun": true}}, "extensions": {"minRevision": 1}}),
        json!({"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "ab"}}}),
        json!({"query": "query($x: [Int!]) { revision nodes(ids: $x) { id } }", "variables": {"x": vec![0; 300], "y": [[[]]]}}),
        json!([{"query": "{ revision }"}, {"query": "{ revision }"}]),
    ];
    bodies.map(|body| body.to_string()).to_vec()
}

#[test]
fn every_body_is_answered() {
    let served = Served::start();
    always(prop_oneof![3 => mutation::bytes(good()), 1 => vec(any::<u8>(), 0..400)], |body| {
        served.answer(body)?;
        Ok(())
    });
}
