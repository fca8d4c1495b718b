//! The path of an object is taken wherever it is printed: in references of items, in filters and on the command line.

use serde_json::{Map, Value, json};

use super::apply::done;
use super::get::fleet_of_every_kind;
use crate::harness::{Client, Server};

/// An object with its path, as `get -o name` prints it.
struct Printed {
    kind: &'static str,
    list: String,
    id: String,
    /// The path with the kind: `rack/ams1/A14`.
    path: String,
    item: Value,
}

impl Printed {
    fn without_kind(&self) -> &str {
        self.path.split_once('/').expect("a kind").1
    }
}

/// All objects of a server. Both lists are in the order of the paths.
async fn printed(server: &Server) -> Vec<Printed> {
    let mut all = Vec::new();
    for kind in underlay_kinds::registry().kinds() {
        let list = kind.plural();
        let query = format!("{{ {list}(orderBy: {{by: PATH}}) {{ nodes {{ id item(references: ID) }} }} }}");
        let mut found = server.client().ok(&query, json!({})).await;
        let nodes = found[&list]["nodes"].take();
        let paths = server.cli(["get", kind.singular, "-o", "name"]).await;
        let objects = nodes.as_array().expect("nodes").iter().zip(done(&paths).lines());
        all.extend(objects.map(|(node, path)| Printed {
            kind: kind.singular,
            list: list.clone(),
            id: node["id"].as_str().expect("an id").to_owned(),
            path: path.to_owned(),
            item: node["item"].clone(),
        }));
    }
    all
}

/// Replaces each reference by an id with one by the path.
fn by_path(value: &Value, all: &[Printed]) -> Value {
    match value {
        Value::Array(list) => list.iter().map(|it| by_path(it, all)).collect(),
        Value::Object(members) => match (members.len(), members.get("id")) {
            (1, Some(id)) => {
                let target = all.iter().find(|it| id == it.id.as_str()).expect("a target");
                let kind = underlay_kinds::registry().named(target.kind).expect("a kind");
                if kind.key.name_member == "side" {
                    // The ends of a circuit are named by one of two words, so there is no room for a path.
                    return value.clone();
                }
                json!({ kind.key.name_member: target.without_kind() })
            }
            _ => {
                Value::Object(members.iter().map(|(name, it)| (name.clone(), by_path(it, all))).collect::<Map<_, _>>())
            }
        },
        plain => plain.clone(),
    }
}

async fn ids(client: &Client, list: &str, filter: Value) -> Vec<String> {
    let kind = underlay_kinds::registry().kinds().find(|kind| kind.plural() == list).expect("a kind").name;
    let query = format!("query($filter: {kind}Filter) {{ {list}(filter: $filter) {{ nodes {{ id }} }} }}");
    let found = client.ok(&query, json!({ "filter": filter })).await;
    let nodes = found[list]["nodes"].as_array().expect("nodes");
    nodes.iter().map(|node| node["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn references_of_every_kind_are_paths() {
    let server = fleet_of_every_kind().await;
    let all = printed(&server).await;
    let items: Vec<Value> = all.iter().map(|it| json!({ it.kind: by_path(&it.item, &all) })).collect();
    assert!(items.iter().any(|item| item.to_string().contains("/FRONT/")), "a port with its family");
    let payload = server.client().apply_input(json!({"items": items, "dryRun": true, "conflicts": "FAIL"})).await;
    for (item, result) in items.iter().zip(payload["results"].as_array().expect("results")) {
        assert_eq!(result["status"], "UNCHANGED", "{item:#}\n{result:#}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filters_of_every_kind_take_paths() {
    let server = fleet_of_every_kind().await;
    let client = server.client();
    let all = printed(&server).await;
    for object in &all {
        for path in [object.path.as_str(), object.without_kind()] {
            for filter in [json!({"path": {"eq": path}}), json!({"path": {"in": ["nowhere", path]}})] {
                let found = ids(&client, &object.list, filter).await;
                assert_eq!(found, [object.id.as_str()], "{path}");
            }
            // What is beneath the path is what is beneath the id.
            for list in ["racks", "devices", "ports", "cables"] {
                let beneath = ids(&client, list, json!({"within": path})).await;
                let mut expected = ids(&client, list, json!({"within": object.id})).await;
                if object.kind != "location" && path == object.without_kind() {
                    // Without its kind, the path can be that of another object, too.
                    expected.retain(|id| beneath.contains(id));
                }
                assert!(expected.iter().all(|id| beneath.contains(id)), "{list} within {path}");
                if path == object.path {
                    assert_eq!(beneath, expected, "{list} within {path}");
                }
            }
        }
    }
    let in_rack = ids(&client, "devices", json!({"rack": {"path": {"eq": "gent-1/r01"}}})).await;
    let beneath = ids(&client, "devices", json!({"within": "gent-1/r01"})).await;
    assert!(!in_rack.is_empty() && in_rack.iter().all(|id| beneath.contains(id)), "{in_rack:?} {beneath:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_that_take_ids_take_paths() {
    let server = fleet_of_every_kind().await;
    let client = server.client();
    let all = printed(&server).await;
    for place in all.iter().filter(|it| ["site", "rack", "device", "circuit"].contains(&it.kind)) {
        for query in [
            "query($place: ID!) { graph(within: $place, depth: 1) { nodes { id } edges { from to count } } }",
            "query($place: ID!) { impact(of: [$place]) { counts { kind } affected { totalCount } } }",
            "query($place: ID!) { singlePointsOfFailure(within: $place) { path count } }",
            "query($place: ID!) { changes(filter: {within: $place}, first: 1000) { nodes { revision position } } }",
        ] {
            let by_id = client.ok(query, json!({"place": place.id})).await;
            assert_eq!(client.ok(query, json!({"place": place.path})).await, by_id, "{query} of {}", place.path);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_of_commands_take_paths_without_kinds() {
    let server = fleet_of_every_kind().await;
    let all = printed(&server).await;
    for object in all.iter().filter(|it| it.without_kind().contains('/') && !it.without_kind().starts_with("site/")) {
        let same = all.iter().filter(|it| it.without_kind() == object.without_kind()).count();
        let found = server.cli(["get", object.without_kind(), "-o", "name"]).await;
        match same {
            1 => assert_eq!(done(&found), format!("{}\n", object.path)),
            _ => assert!(found.code == 1 && found.stderr.contains(&object.path), "{found:?}"),
        }
    }
    for arguments in
        [&["get", "devices", "--within"][..], &["graph", "--within"], &["spof", "--within"], &["impact"], &["describe"]]
    {
        let outcome = server.cli(arguments.iter().chain(&["gent-1/r01"])).await;
        assert_eq!(outcome.code, 0, "{arguments:?}: {outcome:?}");
    }
    let missing = server.cli(["describe", "rak/r01"]).await;
    let expected = "error: there is no object rak/r01 (NOT_FOUND), and there is no kind \"rak\"; did you mean rack?";
    assert!(missing.code == 1 && missing.stderr.starts_with(expected), "{missing:?}");
}
