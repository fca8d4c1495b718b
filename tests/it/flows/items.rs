//! Objects as items: applying an object's own item changes nothing.

use serde_json::{Value, json};
use underlay_inventory::Description;

use crate::harness::{Client, Database, Server};

/// The number of objects on a page.
const PAGE_OBJECTS: usize = 1_000;

/// Returns all objects of a kind as items in both forms: by key and by id.
async fn items(client: &Client, kind: &Description) -> Vec<[Value; 2]> {
    let list = kind.plural();
    let query = format!(
        "query($after: String) {{ {list}(first: {PAGE_OBJECTS}, after: $after) {{
            nodes {{ key: item id: item(references: ID) }} pageInfo {{ hasNextPage endCursor }} }} }}"
    );
    let (mut items, mut after) = (Vec::new(), Value::Null);
    loop {
        let mut page = client.ok(&query, json!({"after": after})).await[&list].take();
        let nodes = page["nodes"].as_array_mut().expect("nodes");
        items.extend(nodes.iter_mut().map(|node| [node["key"].take(), node["id"].take()]));
        if page["pageInfo"]["hasNextPage"] != true {
            return items;
        }
        after = page["pageInfo"]["endCursor"].take();
    }
}

/// Applies what objects say of themselves: nothing may change.
async fn assert_nothing_changes(client: &Client, kind: &str, items: Vec<Value>) {
    let items: Vec<Value> = items.into_iter().map(|item| json!({ kind: item })).collect();
    for batch in items.chunks(10 * PAGE_OBJECTS) {
        let payload = client.apply_input(json!({"items": batch, "dryRun": true, "conflicts": "FAIL"})).await;
        let results = payload["results"].as_array().expect("results");
        for (item, result) in batch.iter().zip(results) {
            assert_eq!(result["status"], "UNCHANGED", "{item:#}\n{result:#}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_object_of_the_demo_changes_nothing_when_it_is_applied() {
    let server = Server::start(Database::Sqlite).arg("--demo").await;
    let client = server.client();
    client.apply_all(awkward()).await;
    for kind in underlay_kinds::registry().kinds() {
        let both = items(&client, kind).await;
        assert!(!both.is_empty(), "there is a {}", kind.name);
        let (by_key, by_id): (Vec<_>, Vec<_>) = both.into_iter().map(|[key, id]| (key, id)).unzip();
        assert!(by_id.iter().all(|item| item["id"].is_string()), "by id: {}", kind.name);
        assert!(by_key.iter().all(|item| item["name"].is_string()), "by key: {}", kind.name);
        assert_nothing_changes(&client, kind.singular, by_key).await;
        assert_nothing_changes(&client, kind.singular, by_id).await;
    }
}

/// Writes objects that the demo does not have, with names that identify an object only with many parents, or not at
/// all.
fn awkward() -> Vec<Value> {
    let location = |name: &str, parent: Value| json!({"location": {"site": {"site": "x1"}, "name": name, "type": "ROOM", "parent": parent}});
    let floor = |floor: &str| json!({"parent": floor, "location": "hall"});
    vec![
        json!({"source": {"name": "bcm", "type": "bcm", "prune": "RETIRE", "limits": {"share": 0.2, "count": 3}}}),
        json!({"site": {"name": "x1", "type": "EDGE"}}),
        json!({"hostClass": {"name": "large", "match": {"cpuCores": 64, "disks": [{"count": 2}], "labels": {"a": "b"}}}}),
        json!({"credential": {"name": "bmc", "type": "BASIC", "username": "root", "allowedHosts": ["10.0.0.0/8"]}}),
        json!({"profile": {"name": "wipe", "purpose": "WIPE", "arguments": ["quiet"]}}),
        json!({"appliance": {"name": "rack-1", "type": "REDFISH", "url": "redfish://10.0.0.7", "credential": {"credential": "bmc"}}}),
        json!({"host": {"name": "brave-otter", "class": {"hostClass": "large"}, "appliance": {"appliance": "rack-1"}, "bmcUrl": "redfish://10.0.0.8",
            "bmcCredential": {"credential": "bmc"}, "bootMac": "00:00:5e:00:53:01", "rootDevice": {"rotational": false},
            "maintenance": {"ann": "a fan"}}}),
        location("east", Value::Null),
        location("west", Value::Null),
        location("hall", json!({"location": "east"})),
        location("hall", json!({"location": "west"})),
        location("row", floor("east")),
        location("row", floor("west")),
        json!({"rack": {"site": {"site": "x1"}, "name": "r", "heightU": 1, "labels": {"env": "prod"}, "description": "d",
            "attributes": {"a": [1, {"b": null}]},
            "externalRefs": [{"source": "bcm", "externalId": "7", "url": "https://bcm.example/7"}]}}),
        json!({"provider": {"name": "p1", "type": "CLOUD"}}),
        json!({"cluster": {"name": "c1"}}),
        json!({"virtualMachine": {"name": "twin", "provider": {"provider": "p1"}}}),
        json!({"virtualMachine": {"name": "twin", "cluster": {"cluster": "c1"}}}),
        json!({"circuit": {"name": "open", "provider": {"provider": "p1"}, "type": "PEERING", "aEnd": {}}}),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_are_written_as_people_write_them() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let item = |fields: Value| json!({"rack": fields});
    let site = client.apply_all(vec![json!({"site": {"name": "ams1", "type": "DATACENTER"}})]).await;
    let rack = json!({"name": "A14", "labels": {"env": "prod"}, "site": {"site": "ams1"}, "heightU": 47});
    let made = client.apply_all(vec![item(rack.clone())]).await;
    let port = json!({"port": {"name": "o1", "rack": {"rack": "A14"}, "type": "POWER_OUTLET"}});
    let feed = json!({"powerFeed": {"name": "f", "site": {"site": "ams1"}, "upstream": {"port": {"port": "o1"}}}});
    client.apply_all(vec![port, feed]).await;

    let query = "{ rack(name: \"A14\") { item byId: item(references: ID) } powerFeed(name: \"f\") { item } }";
    let found = client.ok(query, json!({})).await;
    assert_eq!(found["rack"]["item"].to_string(), rack.to_string(), "in the order of the description");
    let (id, site) = (&made["results"][0]["id"], &site["results"][0]["id"]);
    let by_id = json!({"id": id, "name": "A14", "labels": {"env": "prod"}, "site": {"id": site}, "heightU": 47});
    assert_eq!(found["rack"]["byId"].to_string(), by_id.to_string());
    let upstream = json!({"port": {"site": "ams1", "rack": "A14", "family": "OUTLET", "port": "o1"}});
    assert_eq!(found["powerFeed"]["item"]["upstream"].to_string(), upstream.to_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_releases_fields_and_reports_changes() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let site = json!({"site": {"name": "ams1", "type": "DATACENTER"}});
    client.apply_all(vec![site]).await;
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) {
        revision results { status error { code field message } } changes { operation kind path before after } } }";
    let rack = |height: u32| json!({"rack": {"name": "A14", "site": {"site": "ams1"}, "heightU": height}});
    let ask = async |input: Value| client.ok(apply, json!({"input": input})).await["apply"].take();

    // Created and released in one batch, first as a dry run and then for good.
    let release =
        |field: &str| json!({"release": {"ref": {"rack": {"site": "ams1", "rack": "A14"}}, "fields": [field]}});
    let made = json!({"operation": "CREATED", "kind": "Rack", "path": "rack/ams1/A14", "before": null, "after": rack(42)["rack"]});
    for (dry_run, revision) in [(true, json!(null)), (false, json!(2))] {
        let payload = ask(json!({"source": "bcm", "items": [rack(42), release("heightU")], "dryRun": dry_run})).await;
        assert_eq!((&payload["revision"], &payload["changes"]), (&revision, &json!([made])), "{payload:#}");
    }
    let changed = ask(json!({"items": [rack(47)]})).await;
    let expected = json!([{"operation": "UPDATED", "kind": "Rack", "path": "rack/ams1/A14",
        "before": {"heightU": 42}, "after": {"heightU": 47}}]);
    assert_eq!(changed["changes"], expected, "the field was free: {changed:#}");
    let only_managers = ask(json!({"items": [release("heightU")]})).await;
    assert_eq!(only_managers["changes"][0]["after"], json!({}));
    assert_eq!(ask(json!({"items": [release("heightU")]})).await["results"][0]["status"], "UNCHANGED");

    let everything =
        json!({"items": [{"delete": {"ref": {"site": {"site": "ams1"}}, "cascade": true}}], "dryRun": true});
    let paths = ask(everything).await["changes"].as_array().expect("changes").len();
    assert_eq!(paths, 2, "objects that are deleted along are reported too");
    for (item, code, says) in [
        (release("size"), "INVALID", "Rack has no field size"),
        (json!({"release": {"ref": {"rack": {"rack": "B"}}, "fields": []}}), "NOT_FOUND", "Rack B does not exist"),
    ] {
        let payload = ask(json!({"items": [item]})).await;
        let error = &payload["results"][0]["error"];
        assert_eq!(error["code"], code, "{payload:#}");
        assert!(error["message"].as_str().is_some_and(|it| it.starts_with(says)), "{payload:#}");
    }
}
