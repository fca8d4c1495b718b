//! `POST /apply` reads an item in the same way in batches of any size, and GraphQL's `apply` reads the same item
//! equally.

mod made;

use serde_json::{Value, json};

use self::made::{items, named};
use crate::harness::{Client, Database, Server, lines};

/// The number of items in a large body.
const LARGE_BODY_ITEMS: usize = 1_000;
/// The number of generated items.
const ITEMS: usize = 50;
/// The members of a result that do not depend on where the item stood.
const COMPARED_MEMBERS: [&str; 7] = ["status", "kind", "name", "by", "externalId", "skipped", "error"];

/// The mutation that asks for these members.
const APPLY: &str = "mutation($input: ApplyInput!) { apply(input: $input) {
    results { status kind name by externalId skipped { field manager } error { code field message } } } }";

/// A result with what does not depend on where the item stood, and nothing where there is nothing.
fn plain(mut result: Value) -> Value {
    let members = result.as_object_mut().expect("a result");
    members.retain(|name, value| COMPARED_MEMBERS.contains(&name.as_str()) && !value.is_null() && *value != json!([]));
    if let Some(error) = members.get_mut("error").and_then(Value::as_object_mut) {
        error.retain(|_, value| !value.is_null());
    }
    result
}

/// The results of items that are tried together.
async fn tried(client: &Client, items: &[Value], mode: &str) -> Vec<Value> {
    let (results, _) = client.apply_lines(&format!("dryRun=true&conflicts=FAIL&mode={mode}"), items).await;
    results.into_iter().map(plain).collect()
}

async fn fleet(client: &Client) {
    let port = |name: &str| json!({"port": {"device": {"device": "leaf-1"}, "name": name, "type": "ETHERNET"}});
    client
        .apply_all(vec![
            json!({"region": {"name": "eu"}}),
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "A14", "heightU": 42}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "leaf-1", "role": "LEAF"}}),
            port("e1"),
            port("e2"),
            json!({"provider": {"name": "carrier", "type": "TRANSIT"}}),
        ])
        .await;
    let each = (0..ITEMS).map(named).flat_map(|name| {
        let rack = json!({"rack": {"site": {"site": "ams1"}, "name": format!("{name}v"), "heightU": 42}});
        [rack, port(&format!("{name}a")), port(&format!("{name}b"))]
    });
    client.apply_all(each.collect()).await;
}

async fn server() -> Server {
    let server = Server::start(Database::Sqlite).await;
    fleet(&server.client()).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_means_the_same_alone_among_others_and_in_graphql() {
    let server = server().await;
    let client = server.client();
    let items = items(ITEMS, 7);
    let (mut alone, mut compared) = (Vec::new(), 0);
    for item in &items {
        let mut each = tried(&client, std::slice::from_ref(item), "PER_ITEM").await;
        assert_eq!(tried(&client, std::slice::from_ref(item), "ATOMIC").await, each, "in both modes: {item:#}");
        let result = each.remove(0);
        let input = json!({"items": [item], "mode": "PER_ITEM", "dryRun": true, "conflicts": "FAIL"});
        let mut answer = client.execute(APPLY, json!({"input": input})).await;
        if answer.errors.is_empty() {
            assert_eq!(plain(answer.data["apply"]["results"][0].take()), result, "in GraphQL: {item:#}");
            compared += 1;
        } else {
            // The library refuses the whole request, in its own words, and does not take 42.0 for 42.
            assert_eq!(answer.errors[0].code, "INVALID", "{item:#}: {:?}", answer.errors);
        }
        alone.push(result);
    }
    assert!((10..ITEMS).contains(&compared), "{compared} compared");
    let mut among = Vec::new();
    for few in items.chunks(10) {
        among.extend(tried(&client, few, "PER_ITEM").await);
    }
    let padding = (items.len()..LARGE_BODY_ITEMS).map(|at| json!({"region": {"name": format!("p{at}")}}));
    let large: Vec<Value> = items.iter().cloned().chain(padding).collect();
    let large = tried(&client, &large, "PER_ITEM").await;
    for (at, item) in items.iter().enumerate() {
        assert_eq!(among[at], alone[at], "among ten: {item:#}");
        assert_eq!(large[at], alone[at], "among a thousand: {item:#}");
    }
    let failed = alone.iter().filter(|result| result["status"] == "FAILED").count();
    let written = alone.len() - failed;
    assert!(failed >= 5 && written >= 5, "{failed} failed, {written} did not: there is nothing to compare");
}

/// The result of an item that is tried alone and among others: the same in both.
async fn result(client: &Client, item: &Value) -> Value {
    let padding = (0..100).map(|at| json!({"region": {"name": format!("p{at}"), "description": "x".repeat(500)}}));
    let many: Vec<Value> = std::iter::once(item.clone()).chain(padding).collect();
    let alone = tried(client, std::slice::from_ref(item), "PER_ITEM").await;
    let many = tried(client, &many, "PER_ITEM").await;
    assert_eq!(many[0], alone[0], "{item}");
    assert!(many[1..].iter().all(|result| result["status"] == "CREATED"));
    alone[0].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_item_fails_alone_and_lists_what_is_allowed() {
    let server = server().await;
    let client = server.client();
    let site = |field: &str, value: Value| json!({"site": {"name": "s", "type": "EDGE", field: value}});
    let rack = |field: &str, value: Value| json!({"rack": {"name": "r", "site": {"site": "ams1"}, "heightU": 1, field: value}});
    let table = [
        (
            site("type", json!("CAVE")),
            "site.type",
            "type must be one of DATACENTER, AVAILABILITY_ZONE, EDGE, VIRTUAL, OTHER, not \"CAVE\"",
        ),
        (
            site("tipe", json!("EDGE")),
            "site.tipe",
            "tipe is no field of SiteInput; its fields are id, externalId, ifVersion, name, ",
        ),
        (
            rack("heightU", json!("42")),
            "rack.heightU",
            "heightU must be a whole number from -2147483648 to 2147483647 (Int), not \"42\"",
        ),
        (rack("heightU", json!(42.5)), "rack.heightU", "(Int), not 42.5"),
        (
            rack("site", json!({"sight": "ams1"})),
            "rack.site.sight",
            "site.sight is no field of SiteRef; its fields are id, source, externalId, site",
        ),
        (rack("labels", json!({"env": 1})), "rack.labels.env", "labels.env must be text or null, not 1"),
        (
            json!({"cable": {"name": "c", "aEnds": [{"prt": {}}]}}),
            "cable.aEnds[0].prt",
            "its fields are port, powerFeed, circuitTermination",
        ),
        (json!({"delete": {"cascade": true}}), "delete.ref", "ref is required"),
        (json!({"rak": {}}), "", "must have exactly one field, of region, site, "),
    ];
    for (item, path, says) in table {
        let failed = result(&client, &item).await;
        assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("FAILED"), &json!("INVALID")), "{item}");
        let message = failed["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(says), "{item}: {message}");
        let field = if path.is_empty() { "item" } else { path.split_once('.').map_or(path, |(_, field)| field) };
        assert_eq!(failed["error"]["field"], field, "{item}");
        // GraphQL's library checks all values first, and refuses the request.
        let good = json!({"region": {"name": "good"}});
        let input = json!({"items": [good, item], "mode": "PER_ITEM"});
        let errors = client.refused(crate::harness::APPLY, json!({"input": input})).await;
        assert!(errors.iter().all(|error| error.code == "INVALID"), "{errors:?}");
        // In the mode ATOMIC nothing is written.
        let good = json!({"region": {"name": "good"}});
        let (results, end) = client.apply_lines("mode=ATOMIC", &[good, item.clone()]).await;
        assert_eq!((&results[1]["status"], end.get("lastRevision")), (&json!("FAILED"), Some(&Value::Null)), "{end}");
    }
    assert_eq!(client.ok("{ revision }", json!({})).await["revision"], 2, "nothing was written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_are_coerced_as_in_graphql() {
    let server = server().await;
    let client = server.client();
    let rack = json!({"rack": {"name": "r", "site": {"site": "ams1"}, "heightU": 42.0}});
    assert_eq!(result(&client, &rack).await["status"], "CREATED");
    client.apply_lines("", std::slice::from_ref(&rack)).await;
    let cable = json!({"cable": {"name": "c", "riskGroups": "duct-1", "aEnds": {"port": {"device": "leaf-1", "port": "e1"}},
        "bEnds": {"port": {"device": "leaf-1", "port": "e2"}}}});
    client.apply_all(vec![cable]).await;
    let found = client.ok(r#"{ rack(name: "r") { heightU } cables { nodes { riskGroups } } }"#, json!({})).await;
    assert_eq!(found, json!({"rack": {"heightU": 42}, "cables": {"nodes": [{"riskGroups": ["duct-1"]}]}}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_external_reference_is_removed_only_explicitly() {
    let server = server().await;
    let client = server.client();
    let named = |reference: Value| json!({"region": {"name": "eu", "externalRefs": [reference]}});
    client.apply_all(vec![named(json!({"source": "dcim", "externalId": "7"}))]).await;
    let failed = result(&client, &named(json!({"source": "dcim", "url": "https://dcim/7"}))).await;
    assert_eq!(failed["error"]["message"], "externalRefs[0] must have an externalId: text, or null to remove it");
    let region = r#"{ region(name: "eu") { id externalRefs { source externalId } } }"#;
    let before = client.ok(region, json!({})).await;
    let update = "mutation($id: ID!, $refs: [ExternalRefInput!]) { updateRegion(id: $id, patch: {externalRefs: $refs}) { revision } }";
    let id = before["region"]["id"].clone();
    let errors = client.refused(update, json!({"id": id, "refs": [{"source": "dcim"}]})).await;
    assert!(errors[0].message.contains("must have an externalId: text, or null to remove it"), "{errors:?}");
    assert_eq!(client.ok(region, json!({})).await, before, "it is still there");
    client.ok(update, json!({"id": id, "refs": [{"source": "dcim", "externalId": null}]})).await;
    assert_eq!(client.ok(region, json!({})).await["region"]["externalRefs"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn duplicate_and_deep_members_are_read_consistently() {
    let server = server().await;
    let client = server.client();
    let padding: Vec<String> = (0..LARGE_BODY_ITEMS).map(|at| format!(r#"{{"region":{{"name":"p{at}"}}}}"#)).collect();
    let nested = |depth: usize| format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    let deep = |depth: usize| format!(r#"{{"region":{{"name":"a","attributes":{}}}}}"#, nested(depth));
    let twice = r#"{"region":{"name":7,"name":"b"}}"#.to_owned();
    for item in [twice, deep(33), deep(100), deep(124), deep(125), deep(130), deep(100_000)] {
        let mut answers = Vec::new();
        for rest in [&padding[..0], &padding] {
            let items = [std::slice::from_ref(&item), rest].concat();
            let body: String = items.iter().map(|item| format!("{{\"item\":{item}}}\n")).collect();
            let answer = client.post_lines("dryRun=true", body).await;
            let (results, end) = lines(&answer);
            assert_eq!((results.len(), &end["end"]), (items.len(), &json!(true)), "{end}");
            assert!(results[1..].iter().all(|result| result["status"] == "CREATED"), "the others are not affected");
            answers.push(plain(results[0].clone()));
        }
        assert_eq!(answers[0], answers[1], "{}", item.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mutation_that_fragments_repeat_is_executed_once() {
    let server = server().await;
    let client = server.client();
    let apply = "mutation($input: ApplyInput!) { ...F ...F ...G }
        fragment F on Mutation { apply(input: $input) { revision results { status } } }
        fragment G on Mutation { apply(input: $input) { results { name } } }";
    for count in [1, LARGE_BODY_ITEMS] {
        let items: Vec<Value> = (0..count).map(|at| json!({"region": {"name": format!("r{count}-{at}")}})).collect();
        let answer = client.ok(apply, json!({"input": {"items": items}})).await["apply"].take();
        assert!(answer["revision"].is_i64(), "{}", answer["revision"]);
        assert_eq!(answer["results"][0], json!({"status": "CREATED", "name": format!("r{count}-0")}));
    }
    let create =
        r#"mutation { ...F ...F } fragment F on Mutation { createRegion(input: {name: "once"}) { revision } }"#;
    assert_eq!(client.ok(create, json!({})).await, json!({"createRegion": {"revision": 5}}));
    let id = client.ok(r#"{ region(name: "once") { id } }"#, json!({})).await["region"]["id"].take();
    let delete = "mutation($id: ID!) { ...F ...F other: deleteRegion(id: $id) { revision } }
        fragment F on Mutation { deleteRegion(id: $id) { revision } }";
    let answer = client.execute(delete, json!({"id": id})).await;
    assert_eq!(answer.data, json!({"deleteRegion": {"revision": 6}, "other": null}));
    assert_eq!(answer.errors.len(), 1, "another name is another field: {:?}", answer.errors);
}
