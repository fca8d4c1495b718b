//! Facets of lists: the numbers of objects by value, compared with a plain model on random devices.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};

use crate::harness::{Client, Database, Server, on_both_databases};

/// The facets that the random test asks for, each with the path of its value in a node.
const BY: [(&str, &str); 8] = [
    ("role", "/role"),
    ("status", "/status"),
    ("site", "/site/id"),
    ("serial", "/serial"),
    ("tenant", "/tenant"),
    ("inletsRequired", "/inletsRequired"),
    ("labels.env", "/labels/env"),
    ("labels.a.b/c", "/labels/a.b~1c"),
];
const LIST: &str = "query($filter: DeviceFilter, $by: [String!]!) {
  devices(filter: $filter, first: 1000) {
    totalCount facets(by: $by) { by counts { value count } more }
    nodes { role status site { id } serial tenant inletsRequired labels }
  }
}";

/// The most values that a facet returns.
const MAX_FACET_VALUES: usize = 50;

async fn write_devices(client: &Client, random: &mut StdRng, count: usize) {
    let mut items = vec![
        json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
        json!({"site": {"name": "nyc1", "type": "EDGE"}}),
    ];
    let mut one_of = |choices: &[Value]| choices[random.random_range(0..choices.len())].clone();
    for number in 0..count {
        let mut labels = json!({});
        for (key, values) in
            [("env", [json!("prod"), json!("test"), json!(null)]), ("a.b/c", [json!("1"), json!(null), json!(null)])]
        {
            let value = one_of(&values);
            if !value.is_null() {
                labels[key] = value;
            }
        }
        items.push(json!({"device": {
            "name": format!("d{number}"),
            "site": {"site": one_of(&[json!("ams1"), json!("nyc1")])},
            "role": one_of(&[json!("SERVER"), json!("LEAF"), json!("SPINE")]),
            "status": one_of(&[json!("ACTIVE"), json!("PLANNED"), json!("FAILED")]),
            "serial": one_of(&[json!(null), json!(format!("SN-{number}"))]),
            "tenant": one_of(&[json!(null), json!("blue"), json!("red")]),
            "inletsRequired": one_of(&[json!(1), json!(2), json!(10)]),
            "labels": labels,
        }}));
    }
    client.apply_all(items).await;
}

/// The value at a path of a node, as facets write it.
fn value(node: &Value, path: &str) -> Option<String> {
    match node.pointer(path) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(other) => Some(other.to_string()),
    }
}

/// Compares the facets of a list with its nodes.
fn check(list: &Value, what: &str) {
    let nodes = list["nodes"].as_array().expect("nodes");
    assert_eq!(list["totalCount"], nodes.len(), "{what}");
    for ((by, path), facet) in BY.iter().zip(list["facets"].as_array().expect("facets")) {
        assert_eq!(facet["by"], *by, "{what}");
        let mut model: BTreeMap<Option<String>, usize> = BTreeMap::new();
        nodes.iter().for_each(|node| *model.entry(value(node, path)).or_default() += 1);
        let counts = facet["counts"].as_array().expect("counts");
        let left_off = model.len().saturating_sub(MAX_FACET_VALUES);
        assert_eq!((counts.len(), &facet["more"]), (model.len() - left_off, &json!(left_off)), "{what}: {facet}");
        let mut expected: Vec<usize> = model.values().copied().collect();
        expected.sort_by_key(|count| Reverse(*count));
        let found: Vec<usize> = counts.iter().map(|one| one["count"].as_u64().expect("a number") as usize).collect();
        assert_eq!(found, expected[..found.len()], "{what}: the most frequent come first");
        for one in counts {
            let value = one["value"].as_str().map(str::to_owned);
            assert_eq!(one["count"], json!(model.get(&value)), "{what}: {by} {value:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn facets_count_what_the_list_holds() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let mut random = StdRng::seed_from_u64(7);
    write_devices(&client, &mut random, 300).await;
    let by: Vec<&str> = BY.iter().map(|(by, _)| *by).collect();
    let mut filters = vec![json!(null), json!({"name": {"eq": "d7"}}), json!({"name": {"eq": "nothing"}})];
    for _ in 0..30 {
        let mut filter = json!({});
        for condition in [
            json!({"role": {"in": ["SERVER", "LEAF"]}}),
            json!({"site": {"name": {"eq": "ams1"}}}),
            json!({"labels": "env=prod"}),
            json!({"status": {"notIn": ["FAILED"]}}),
            json!({"serial": {"isNull": false}}),
        ] {
            if random.random_bool(0.4) {
                let members = condition.as_object().expect("an object").clone();
                filter.as_object_mut().expect("an object").extend(members);
            }
        }
        filters.push(if random.random_bool(0.2) { json!({"not": filter}) } else { filter });
    }
    for filter in filters {
        let list = client.ok(LIST, json!({"filter": filter, "by": by})).await["devices"].take();
        check(&list, &filter.to_string());
    }
    // A list beneath an object counts its own objects alone.
    let beneath =
        "query($by: [String!]!) { sites(first: 2) { nodes { id devices(first: 1000) { totalCount facets(by: $by) {
        by counts { value count } more } nodes { role status site { id } serial tenant inletsRequired labels } } } } }";
    let sites = client.ok(beneath, json!({"by": by})).await["sites"]["nodes"].take();
    for site in sites.as_array().expect("sites") {
        check(&site["devices"], "beneath a site");
        assert_eq!(site["devices"]["facets"][2]["counts"].as_array().map(Vec::len), Some(1), "{site}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_field_that_cannot_be_counted_is_refused_with_those_that_can() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let refused = async |by: Value| {
        let answer = client
            .execute("query($by: [String!]!) { racks { totalCount facets(by: $by) { more } } }", json!({"by": by}));
        let answer = answer.await;
        assert_eq!(answer.data["racks"], json!({"totalCount": 0, "facets": null}), "its siblings are answered");
        let error = answer.errors.into_iter().next().expect("an error");
        assert_eq!((error.code.as_str(), error.field.as_deref()), ("INVALID", Some("by")), "{error:?}");
        error.message
    };
    for by in ["colour", "labels", "labels.", "attributes", "description", "externalRefs", "devices", ""] {
        let message = refused(json!([by])).await;
        assert!(
            message.contains(&format!("not {by:?}; allowed for Rack: name, tenant, site, location, cage, row")),
            "{message}"
        );
        assert!(message.ends_with("and labels.KEY for the label KEY"), "{message}");
    }
    let many: Vec<String> = (0..11).map(|number| format!("labels.{number}")).collect();
    assert!(refused(json!(many)).await.contains("has 11 entries; at most 10 are allowed"));
    let none = client.ok("{ racks { facets(by: []) { more } } }", json!({})).await;
    assert_eq!(none["racks"]["facets"], json!([]));
}

on_both_databases! {
    async fn a_pinned_list_keeps_its_facets(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"region": {"name": "eu", "labels": {"tier": "1"}}})]).await;
        let list = "query($at: Revision, $pin: Boolean) { regions(pin: $pin, atRevision: $at) {
            facets(by: [\"labels.tier\"]) { counts { value count } } } }";
        let pinned = client.execute(list, json!({"pin": true})).await;
        let at = pinned.extensions["revision"].clone();
        client.apply_all(vec![json!({"region": {"name": "us", "labels": {"tier": "1"}}})]).await;
        let counts = |data: &Value| data["regions"]["facets"][0]["counts"][0]["count"].clone();
        let again = client.ok(list, json!({"at": at})).await;
        assert_eq!((counts(&pinned.data), counts(&again)), (json!(1), json!(1)));
        assert_eq!(counts(&client.ok(list, json!({})).await), json!(2));
    }
}
