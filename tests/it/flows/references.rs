//! Objects by references in questions about topology, and the path of every object.

use std::collections::BTreeSet;

use serde_json::json;

use super::apply::done;
use super::get;
use crate::harness::{Database, Server};

const PATHS: &str = "query($from: ID, $to: ID, $a: AnyRef, $b: AnyRef, $avoid: [ID!], $avoidObjects: [AnyRef!]) {
    paths(from: $from, fromObject: $a, to: $to, toObject: $b, avoid: $avoid, avoidObjects: $avoidObjects, limit: 9) {
        paths { nodes { ... on Device { name } } } }
    diversity(from: $from, fromObject: $a, to: $to, toObject: $b, avoid: $avoid, avoidObjects: $avoidObjects) {
        paths { nodes { ... on Device { name } } } } }";
const IMPACT: &str = "query($of: [ID!], $objects: [AnyRef!], $anchors: [ID!], $anchorObjects: [AnyRef!], $within: ID,
        $withinObject: AnyRef) {
    impact(of: $of, objects: $objects, anchors: $anchors, anchorObjects: $anchorObjects, within: $within,
           withinObject: $withinObject) { counts { kind effect count } affected { nodes { path } } }
    singlePointsOfFailure(within: $within, withinObject: $withinObject) { path count } }";

/// Two servers on two leaves, in two racks.
async fn fleet() -> Server {
    let server = Server::start(Database::Sqlite).await;
    let device = |name: &str, role: &str, rack: &str| {
        let refs = json!([{"source": "nb", "externalId": name}]);
        json!({"device": {"site": {"site": "s"}, "name": name, "role": role, "placement": {"rack": {"rack": rack}},
                          "externalRefs": refs}})
    };
    let mut items = vec![json!({"site": {"name": "s", "type": "EDGE"}})];
    items.extend(["A", "B"].map(|rack| json!({"rack": {"site": {"site": "s"}, "name": rack, "heightU": 42}})));
    items.extend([device("n1", "SERVER", "A"), device("n2", "SERVER", "B")]);
    for leaf in ["l1", "l2"] {
        items.push(device(leaf, "LEAF", if leaf == "l1" { "A" } else { "B" }));
        for server in ["n1", "n2"] {
            let ends = [(server, leaf), (leaf, server)].map(|(device, name)| {
                items.push(json!({"port": {"device": {"device": device}, "name": name, "type": "ETHERNET"}}));
                json!([{"port": {"device": device, "port": name}}])
            });
            items.push(json!({"cable": {"name": format!("{server}-{leaf}"), "aEnds": ends[0], "bEnds": ends[1]}}));
        }
    }
    server.client().apply_all(items).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_take_references_as_they_take_ids() {
    let server = fleet().await;
    let client = server.client();
    let ids = client.ok("{ devices { nodes { name id } } racks { nodes { name id } } }", json!({})).await;
    let id = |list: &str, name: &str| {
        let nodes = ids[list]["nodes"].as_array().expect("nodes").iter();
        nodes.clone().find(|node| node["name"] == name).expect("the object")["id"].clone()
    };
    let device = |name: &str| json!({"device": {"site": "s", "device": name}});
    let external = |name: &str| json!({"device": {"source": "nb", "externalId": name}});

    let by_ids = json!({"from": id("devices", "n1"), "to": id("devices", "n2"), "avoid": [id("devices", "l1")]});
    let expected = client.ok(PATHS, by_ids).await;
    assert_eq!(expected["paths"]["paths"].as_array().map(Vec::len), Some(1));
    for variables in [
        json!({"a": device("n1"), "b": device("n2"), "avoidObjects": [device("l1")]}),
        json!({"a": external("n1"), "to": id("devices", "n2"), "avoid": [], "avoidObjects": [external("l1")]}),
        json!({"a": {"id": id("devices", "n1")}, "b": external("n2"), "avoid": [id("devices", "l1")]}),
    ] {
        assert_eq!(client.ok(PATHS, variables.clone()).await, expected, "{variables}");
    }

    let by_ids = json!({"of": [id("racks", "A")], "anchors": [id("devices", "l2")], "within": id("racks", "A")});
    let expected = client.ok(IMPACT, by_ids).await;
    assert!(expected["impact"]["affected"]["nodes"].as_array().is_some_and(|nodes| !nodes.is_empty()), "{expected}");
    for variables in [
        json!({"objects": [{"rack": {"rack": "A"}}], "anchorObjects": [device("l2")], "withinObject": {"rack": {"site": "s", "rack": "A"}}}),
        json!({"of": [], "objects": [{"rack": {"rack": "A"}}], "anchors": [id("devices", "l2")], "withinObject": {"rack": {"rack": "A"}}}),
        json!({"of": [id("racks", "A")], "objects": [{"rack": {"rack": "A"}}], "anchorObjects": [external("l2")], "within": id("racks", "A")}),
    ] {
        assert_eq!(client.ok(IMPACT, variables.clone()).await, expected, "{variables}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn references_that_name_no_object_are_refused() {
    let server = fleet().await;
    let client = server.client();
    let n1 = client.ok(r#"{ device(name: "n1") { id } }"#, json!({})).await["device"]["id"].take();
    let device = |name: &str| json!({"device": {"device": name}});
    for (query, variables, code, field) in [
        (PATHS, json!({"to": n1}), "INVALID", "from"),
        (PATHS, json!({"from": n1, "a": device("n1"), "to": n1}), "INVALID", "from"),
        (PATHS, json!({"from": n1}), "INVALID", "to"),
        (PATHS, json!({"a": device("n9"), "b": device("n2")}), "NOT_FOUND", "fromObject.device"),
        (
            PATHS,
            json!({"a": device("n1"), "b": device("n2"), "avoidObjects": [device("l1"), device("l9")]}),
            "NOT_FOUND",
            "avoidObjects.1.device",
        ),
        (IMPACT, json!({}), "INVALID", "of"),
        (IMPACT, json!({"objects": [device("n9")]}), "NOT_FOUND", "objects.0.device"),
        (IMPACT, json!({"of": [n1], "within": n1, "withinObject": device("n1")}), "INVALID", "within"),
    ] {
        let errors = client.execute(query, variables.clone()).await.errors;
        let found: BTreeSet<_> =
            errors.iter().map(|it| (it.code.as_str(), it.field.as_deref().unwrap_or_default())).collect();
        assert!(found.contains(&(code, field)), "{variables}: {errors:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_object_has_a_path_that_can_be_typed() {
    let server = get::fleet().await;
    let client = server.client();
    let (mut paths, mut kinds) = (BTreeSet::new(), 0);
    for kind in underlay_kinds::registry().kinds() {
        let list = kind.plural();
        let query = format!("{{ {list}(first: 1000) {{ nodes {{ id name path ... on Object {{ again: path }} }} }} }}");
        let found = client.ok(&query, json!({})).await;
        let nodes = found[&list]["nodes"].as_array().expect("nodes").clone();
        if nodes.is_empty() {
            continue;
        }
        kinds += 1;
        for node in &nodes {
            let [path, again, name] = ["path", "again", "name"].map(|field| node[field].as_str().expect("a text"));
            assert_eq!(path, again);
            assert!(path.starts_with(&format!("{}/", kind.singular)) && path.ends_with(&format!("/{name}")), "{path}");
            assert!(paths.insert(path.to_owned()), "{path} is the path of two objects");
        }
        let typed = nodes[0]["path"].as_str().expect("a text");
        let outcome = server.cli(["get", typed, "-o", "name"]).await;
        assert_eq!(done(&outcome).trim_end(), typed, "{outcome:?}");
    }
    assert!(kinds >= 14, "only {kinds} kinds have objects");
    let rear = paths.iter().find(|path| path.contains("/REAR/"));
    assert!(rear.is_some(), "the family of a port is in its path: {paths:?}");
}
