//! Dry runs of single mutations, and items that require a version of an object.

use serde_json::{Value, json};

use super::apply::{apply, apply_with, done, manifest, revision};
use crate::harness::{Server, on_both_databases};

const UPDATE: &str = "mutation($id: ID!, $patch: RackPatch!, $version: Revision, $dry: Boolean) {
    updateRack(id: $id, patch: $patch, ifVersion: $version, dryRun: $dry) { revision rack { heightU site { name } } } }";

/// A site with a rack; the id of the rack.
async fn furnish(server: &Server) -> Value {
    let place = manifest("Site", "ams1", &json!({"type": "OTHER"}))
        + &manifest("Rack", "A14", &json!({"site": "ams1", "heightU": 42}));
    done(&apply(server, place).await);
    server.client().ok(r#"{ rack(name: "A14") { id } }"#, json!({})).await["rack"]["id"].clone()
}

on_both_databases! {
    async fn a_dry_run_returns_the_result_and_writes_nothing(server: Server) {
        let rack = furnish(&server).await;
        let client = server.client();
        let patch = |height: i32, dry: Value| json!({"id": rack, "patch": {"heightU": height}, "dry": dry});
        let would = client.ok(UPDATE, patch(47, json!(true))).await;
        assert_eq!(would["updateRack"], json!({"revision": null, "rack": {"heightU": 47, "site": {"name": "ams1"}}}));
        let errors = client.refused(UPDATE, patch(0, json!(true))).await;
        assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some("heightU")));
        let stale = json!({"id": rack, "patch": {"heightU": 1}, "version": 99, "dry": true});
        assert_eq!(client.refused(UPDATE, stale).await[0].code, "STALE_VERSION");

        let create = "mutation($input: RackInput!, $dry: Boolean) {
            createRack(input: $input, dryRun: $dry) { revision rack { name } } }";
        let input = |name: &str, dry: bool| json!({"input": {"site": {"site": "ams1"}, "name": name, "heightU": 1}, "dry": dry});
        let would = client.ok(create, input("B1", true)).await;
        assert_eq!(would["createRack"], json!({"revision": null, "rack": {"name": "B1"}}));
        assert_eq!(client.refused(create, input("A14", true)).await[0].code, "DUPLICATE");
        let found = client.ok("{ revision racks { nodes { name heightU } } }", json!({})).await;
        assert_eq!(found, json!({"revision": 1, "racks": {"nodes": [{"name": "A14", "heightU": 42}]}}));

        let done = client.ok(UPDATE, patch(47, Value::Null)).await;
        assert_eq!(done["updateRack"]["revision"], 2);
    }

    async fn an_item_can_require_a_version(server: Server) {
        let rack = furnish(&server).await;
        let client = server.client();
        let item = |version: Value, height: i32| json!({"rack": {"id": rack, "ifVersion": version, "heightU": height}});
        let says = async |items: Value| -> Vec<(Value, Value)> {
            let answer = client.apply_input(json!({"items": items, "mode": "PER_ITEM"})).await;
            let results = answer["results"].as_array().expect("results");
            results.iter().map(|it| (it["status"].clone(), it["error"]["code"].clone())).collect()
        };
        let fits = |status: &str| (json!(status), Value::Null);
        let stale = (json!("FAILED"), json!("STALE_VERSION"));
        assert_eq!(says(json!([item(json!(1), 43)])).await, [fits("UPDATED")]);
        assert_eq!(says(json!([item(json!(1), 44)])).await, std::slice::from_ref(&stale), "it is at version 2 by now");
        assert_eq!(says(json!([item(Value::Null, 44)])).await, [fits("UPDATED")]);
        let new = |name: &str, version: i64| json!({"rack": {"site": {"site": "ams1"}, "name": name, "ifVersion": version, "heightU": 1}});
        assert_eq!(says(json!([new("B1", 1), new("B1", 0), new("A14", 0)])).await, [stale.clone(), fits("CREATED"), stale.clone()]);
        // As the library reads it, in the document itself.
        let inline = "mutation { apply(input: {items: [{rack: {name: \"B1\", ifVersion: 1, heightU: 2}}]}) { results { error { code } } } }";
        let answer = client.ok(inline, json!({})).await;
        assert_eq!(answer["apply"]["results"][0]["error"]["code"], "STALE_VERSION");
        let create = "mutation { createRack(input: {site: {site: \"ams1\"}, name: \"C1\", heightU: 2, ifVersion: 7}) { revision } }";
        assert_eq!(client.refused(create, json!({})).await[0].code, "STALE_VERSION");

        // Of tables and manifests.
        let before = revision(&server).await;
        let outcome = apply_with(&server, &["--kind", "rack"], "name,ifVersion,heightU\nB1,1,9\n").await;
        assert!(outcome.code == 1 && outcome.stderr.contains("STALE_VERSION"), "{outcome:?}");
        let outcome = apply(&server, manifest("Rack", "B1", &json!({"ifVersion": 1, "heightU": 9}))).await;
        assert!(outcome.code == 1 && outcome.stderr.contains("STALE_VERSION"), "{outcome:?}");
        let table = format!("name,ifVersion,heightU\nB1,{before},9\n");
        assert_eq!(done(&apply_with(&server, &["--kind", "rack"], table).await), "updated rack/B1\n1 updated\n");
    }
}
