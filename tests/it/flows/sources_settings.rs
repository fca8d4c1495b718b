//! The settings of a source: what a synchronizer sets of its own source, and that it cannot loosen the guard of any.

use serde_json::{Value, json};

use super::sources::{Synchronizer, call, names, refused, region, regions, token};
use crate::harness::{Client, Database, Server, on_both_databases};

const SETTINGS: &str = "{ source(name: \"nb\") { type url interval prune paused limits { share count } } }";

async fn settings(client: &Client) -> Value {
    client.ok(SETTINGS, json!({})).await["source"].take()
}

fn start(mode: &str, new: Value) -> Value {
    json!({"source": "nb", "mode": mode, "newSource": new})
}

on_both_databases! {
    async fn a_run_creates_its_source_with_settings_and_changes_none(server: Server) {
        let client = server.client();
        let new = json!({"type": "netbox", "url": "https://netbox", "interval": 900, "prune": "DELETE"});
        for (bad, field) in [(json!({"type": " "}), "newSource.type"), (json!({"type": "x", "interval": 1}), "newSource.interval")] {
            let query = "mutation($input: StartRunInput!) { startRun(input: $input) { run { id } } }";
            let error = client.refused(query, json!({"input": start("FULL", bad)})).await.remove(0);
            assert_eq!((error.code.as_str(), error.field.as_deref()), ("INVALID", Some(field)), "{error:?}");
        }
        let run = call(&client, "startRun", start("FULL", new.clone())).await["run"].take();
        let expected = json!({"type": "netbox", "url": "https://netbox", "interval": 900, "prune": "DELETE",
            "paused": false, "limits": {"share": 0.1, "count": 10}});
        assert_eq!(settings(&client).await, expected);
        call(&client, "cancelRun", json!({"run": run["id"]})).await;

        // A source that exists keeps its settings, whoever starts a run.
        let other = json!({"type": "other", "url": "https://other", "interval": 60, "prune": "KEEP"});
        call(&client, "startRun", start("PARTIAL", other)).await;
        assert_eq!(settings(&client).await, expected);
        // And users change them without taking anything over.
        let found = client.ok("{ source(name: \"nb\") { id } }", json!({})).await;
        let update = "mutation($id: ID!) { updateSource(id: $id, patch: {prune: RELEASE}) { source { prune } } }";
        assert_eq!(client.ok(update, json!({"id": found["source"]["id"]})).await["updateSource"]["source"]["prune"], "RELEASE");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronizer_loosens_the_guard_of_no_source() {
    let server = Server::start(Database::Sqlite).asking().await;
    let mine = token(&server, &["--role", "synchronizer", "--source", "nb"]).await;
    let operator = token(&server, &["--role", "operator"]).await;
    let create = "mutation { createSource(input: {name: \"racks\", type: \"exec\"}) { revision } }";
    operator.ok(create, json!({})).await;
    let own = json!({"source": {"name": "nb", "type": "netbox", "externalId": "s"}});
    let guards = |name: &str| {
        [json!({"limits": {"share": 1, "count": 1_000_000}}), json!({"prune": "DELETE"}), json!({"paused": false})].map(
            |setting| {
                let mut item = json!({"source": {"name": name, "type": "x", "externalId": "s"}});
                let fields = item["source"].as_object_mut().expect("fields");
                fields.extend(setting.as_object().expect("a setting").clone());
                item
            },
        )
    };
    let results = |answer: Value| answer["apply"]["results"].clone();
    let apply = "mutation($items: [ApplyItem!]!) { apply(input: {mode: PER_ITEM, items: $items}) { results { \
        status error { code field } } } }";

    // Before a run of it was started: it creates its own source without them, and no other one.
    let mut items = guards("nb").to_vec();
    items.extend(guards("racks"));
    items.push(json!({"source": {"name": "ipam", "type": "x"}}));
    let answer = results(mine.ok(apply, json!({ "items": items })).await);
    for (item, result) in items.iter().zip(answer.as_array().expect("results")) {
        assert_eq!(result["error"]["code"], "FORBIDDEN", "{item} {result}");
    }
    assert_eq!(settings(&operator).await, Value::Null, "nothing was written");
    let new = json!({"type": "netbox", "interval": 600, "prune": "DELETE"});
    let run = call(&mine, "startRun", start("FULL", new)).await["run"]["id"].as_str().expect("an id").to_owned();
    let it = Synchronizer { client: mine.clone(), run };
    it.apply(regions(0..100)).await;
    let written = it.apply(vec![own.clone()]).await;
    assert_eq!(written[0]["status"], "UPDATED", "{written:?}");
    it.settle(true).await;
    it.finish().await;
    let expected = settings(&operator).await;
    assert_eq!((&expected["prune"], &expected["limits"]), (&json!("DELETE"), &json!({"share": 0.1, "count": 10})));

    // In the run that removes: the guard is that of the operator.
    let it = Synchronizer::start(&mine, "FULL").await;
    let mut items = guards("nb").to_vec();
    items.extend(guards("racks"));
    // What is not of the guard it changes, but not of another source, and it gives its source no other name.
    items.push(json!({"source": {"name": "racks", "url": "https://x"}}));
    for item in items {
        let results = it.apply(vec![item.clone()]).await;
        assert_eq!(results[0]["error"]["code"], "FORBIDDEN", "{item} {results:?}");
    }
    let renamed = it.apply(vec![json!({"source": {"name": "other", "externalId": "s"}})]).await;
    assert_eq!((&renamed[0]["status"], &renamed[0]["skipped"][0]["field"]), (&json!("UNCHANGED"), &json!("name")));
    let own = json!({"source": {"name": "nb", "url": "https://nb", "labels": {"team": "net"}}});
    let written = it.apply(vec![own]).await;
    assert_eq!(written[0]["status"], "UPDATED", "{written:?}");
    it.apply(vec![region(0)]).await;
    it.settle(true).await;
    let run = it.finish().await;
    assert_eq!((&run["state"], &run["deleted"]), (&json!("HELD"), &json!(0)), "{run:#}");
    assert_eq!(names(&operator).await.len(), 100);
    let now = settings(&operator).await;
    assert_eq!((&now["limits"], &now["url"]), (&expected["limits"], &json!("https://nb")));
    call(&operator, "rejectRun", json!({"run": run["id"]})).await;

    // A source that was brought as an item does not go with it: its limits and what counts against them would too.
    let it = Synchronizer::start(&mine, "FULL").await;
    it.apply(regions(0..100)).await;
    it.settle(true).await;
    let run = it.finish().await;
    assert_eq!((&run["state"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(0)), "{run:#}");
    assert_eq!(settings(&operator).await["prune"], "DELETE");
    let pause = json!({"items": [{"source": {"name": "nb", "paused": true}}]});
    operator.apply_input(pause).await;
    assert_eq!(refused(&mine, "startRun", json!({"source": "nb", "mode": "FULL"})).await.0, "INCOMPATIBLE");
}
