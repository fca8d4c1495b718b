//! Devices that go with their ports and cables, that come back with other ids, and what a source has deleted for certain.

use std::ops::Range;

use serde_json::{Value, json};

use super::sources::{Synchronizer, call, names, refused, regions, source};
use crate::harness::{Client, Server, on_both_databases};

fn site() -> Value {
    json!({"site": {"name": "ams1", "type": "EDGE", "externalId": "site"}})
}

/// A device and so many ports, whose external ids begin with a prefix.
fn device(name: &str, prefix: &str, ports: Range<usize>) -> Vec<Value> {
    let id = format!("{prefix}{name}");
    let mut items =
        vec![json!({"device": {"site": {"externalId": "site"}, "name": name, "role": "LEAF", "externalId": id}})];
    items.extend(ports.map(|port| {
        json!({"port": {"device": {"externalId": id}, "name": format!("e{port}"), "type": "ETHERNET", "externalId": format!("{id}-{port}")}})
    }));
    items
}

fn cable(number: usize, a: &str, b: &str) -> Value {
    let end = |id: &str| json!([{"port": {"externalId": id}}]);
    json!({"cable": {"name": format!("#{number}"), "aEnds": end(a), "bEnds": end(b), "externalId": format!("c{number}")}})
}

/// A spine with so many ports, of which each has a cable to a leaf of its own.
fn fabric(cables: usize) -> Vec<Value> {
    let mut items = [vec![site()], device("spine", "", 0..cables)].concat();
    (0..cables).for_each(|leaf| items.extend(device(&format!("leaf{leaf}"), "", 0..2)));
    items.extend((0..cables).map(|number| cable(number, &format!("spine-{number}"), &format!("leaf{number}-0"))));
    items
}

/// Returns the external id of an item.
fn id_of(item: &Value) -> &str {
    item.as_object().and_then(|item| item.values().next()?["externalId"].as_str()).expect("an external id")
}

/// Returns the items without those of some devices, and without the cables that end at them.
fn without(items: &[Value], devices: &[&str]) -> Vec<Value> {
    let is_of = |id: &str| devices.iter().any(|device| id == *device || id.starts_with(&format!("{device}-")));
    let ends_there = |item: &Value| {
        ["aEnds", "bEnds"].iter().any(|side| item["cable"][side][0]["port"]["externalId"].as_str().is_some_and(is_of))
    };
    items.iter().filter(|item| !is_of(id_of(item)) && !ends_there(item)).cloned().collect()
}

async fn count(client: &Client) -> [i64; 3] {
    let data = client.ok("{ devices { totalCount } ports { totalCount } cables { totalCount } }", json!({})).await;
    ["devices", "ports", "cables"].map(|root| data[root]["totalCount"].as_i64().expect("a number"))
}

/// Returns the id of an object by its external id.
async fn object(client: &Client, root: &str, external_id: &str) -> Option<String> {
    let query = format!(
        "query($id: String!) {{ {root}(filter: {{externalRef: {{source: \"nb\", externalId: $id}}}}) {{ nodes {{ id }} }} }}"
    );
    let data = client.ok(&query, json!({ "id": external_id })).await;
    data[root]["nodes"][0]["id"].as_str().map(str::to_owned)
}

fn deleted(items: &[Value]) -> Vec<Value> {
    let kind = |item: &Value| match item.as_object().and_then(|item| item.keys().next()).map(String::as_str) {
        Some("device") => "Device",
        Some("port") => "Port",
        Some("cable") => "Cable",
        other => panic!("{other:?}"),
    };
    items.iter().map(|item| json!({"kind": kind(item), "externalId": id_of(item)})).collect()
}

async fn settle(it: &Synchronizer, deleted: &[Value]) -> Value {
    let input = json!({"run": it.run, "complete": false, "deleted": deleted});
    call(&it.client, "settleRun", input).await["run"].take()
}

on_both_databases! {
    async fn a_device_is_one_deletion_with_all_its_cables(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"share": 0, "count": 10}})).await;
        let all = fabric(59);
        assert_eq!(Synchronizer::full(&client, all.clone()).await["failed"], 0);
        let run = Synchronizer::full(&client, without(&all, &["spine"])).await;
        assert_eq!((&run["state"], &run["deleted"], &run["heldCount"]), (&json!("SUCCEEDED"), &json!(119), &json!(0)), "{run:#}");
        assert_eq!(count(&client).await, [59, 118, 0]);
        // Nine more make ten. Devices always count, with or without ports.
        let leaves: Vec<String> = (0..10).map(|leaf| format!("leaf{leaf}")).collect();
        let mut gone: Vec<&str> = leaves.iter().map(String::as_str).collect();
        gone.push("spine");
        let run = Synchronizer::full(&client, without(&all, &gone)).await;
        assert_eq!((&run["state"], &run["heldCount"]), (&json!("HELD"), &json!(30)), "{run:#}");
        assert_eq!(count(&client).await, [59, 118, 0]);
        call(&client, "rejectRun", json!({"run": run["id"]})).await;
        gone.remove(0);
        assert_eq!(Synchronizer::full(&client, without(&all, &gone)).await["state"], "SUCCEEDED");
        assert_eq!(count(&client).await, [50, 100, 0]);
    }

    async fn ports_and_cables_that_go_alone_count(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        let all = fabric(20);
        assert_eq!(Synchronizer::full(&client, all.clone()).await["failed"], 0);
        let no_cables: Vec<Value> = all.iter().filter(|item| item["cable"].is_null()).cloned().collect();
        let run = Synchronizer::full(&client, no_cables.clone()).await;
        assert_eq!((&run["state"], &run["heldCount"]), (&json!("HELD"), &json!(20)), "{run:#}");
        Synchronizer::full(&client, all.clone()).await;
        let no_ports: Vec<Value> = all.iter().filter(|item| !id_of(item).starts_with("leaf") || item["port"].is_null())
            .filter(|item| item["cable"].is_null()).cloned().collect();
        assert_eq!(Synchronizer::full(&client, no_ports).await["state"], "HELD");
        assert_eq!(count(&client).await, [21, 60, 20]);
    }

    /// A source cannot bring cables to a device to lose them with it.
    async fn a_cable_that_was_plugged_to_a_device_today_counts(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        let mut all = fabric(30);
        all.extend(device("heap", "", 0..30));
        assert_eq!(Synchronizer::full(&client, all.clone()).await["failed"], 0);
        for item in all.iter_mut().filter(|item| !item["cable"].is_null()) {
            let number = id_of(item)[1..].parse::<usize>().expect("a number");
            *item = cable(number, &format!("heap-{number}"), &format!("leaf{number}-0"));
        }
        let run = Synchronizer::full(&client, all.clone()).await;
        assert_eq!((&run["state"], &run["updated"]), (&json!("SUCCEEDED"), &json!(30)), "{run:#}");
        let run = Synchronizer::full(&client, without(&all, &["heap"])).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("HELD"), &json!(0)), "{run:#}");
        assert_eq!(count(&client).await, [32, 120, 30]);
    }

    async fn an_exchanged_device_with_one_port_is_approved_in_one_step(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        let others = [vec![site()], device("other", "", 0..3)].concat();
        Synchronizer::full(&client, [others.clone(), device("leaf", "old", 0..1)].concat()).await;
        let before = [object(&client, "devices", "oldleaf").await, object(&client, "ports", "oldleaf-0").await];
        let exchanged = [others, device("leaf", "new", 0..1)].concat();
        let run = Synchronizer::full(&client, exchanged.clone()).await;
        assert_eq!((&run["state"], &run["renumbered"]), (&json!("HELD"), &json!(true)), "{run:#}");
        let approved = call(&client, "approveRun", json!({"run": run["id"], "adopt": true})).await;
        assert_eq!((&approved["run"]["state"], &approved["run"]["heldCount"]), (&json!("SUCCEEDED"), &json!(0)), "{approved:#}");
        let after = [object(&client, "devices", "newleaf").await, object(&client, "ports", "newleaf-0").await];
        assert!(before == after && before.iter().all(Option::is_some), "{before:?} {after:?}");
        let run = Synchronizer::full(&client, exchanged).await;
        assert_eq!((&run["state"], &run["failed"], &run["created"]), (&json!("SUCCEEDED"), &json!(0), &json!(0)), "{run:#}");
    }

    async fn a_renumbered_fleet_is_adopted_with_ports_and_without_its_old_cables(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        let fleet = |prefix: &str| {
            let devices = (0..20).flat_map(|id| device(&format!("d{id}"), prefix, 0..4));
            let cables = (0..19).map(|id| {
                let number = if prefix == "old" { id } else { id + 100 };
                cable(number, &format!("{prefix}d{id}-0"), &format!("{prefix}d{}-1", id + 1))
            });
            [site()].into_iter().chain(devices).chain(cables).collect::<Vec<Value>>()
        };
        assert_eq!(Synchronizer::full(&client, fleet("old")).await["failed"], 0);
        let before = object(&client, "ports", "oldd3-2").await;
        let run = Synchronizer::full(&client, fleet("new")).await;
        assert_eq!((&run["state"], &run["renumbered"]), (&json!("HELD"), &json!(true)), "{run:#}");
        let approved = call(&client, "approveRun", json!({"run": run["id"], "adopt": true})).await;
        assert_eq!((&approved["run"]["state"], &approved["run"]["heldCount"]), (&json!("SUCCEEDED"), &json!(0)), "{approved:#}");
        assert_eq!((object(&client, "ports", "newd3-2").await, before.is_some()), (before, true));
        assert_eq!(count(&client).await, [20, 80, 0]);
        let run = Synchronizer::full(&client, fleet("new")).await;
        assert_eq!((&run["state"], &run["failed"], &run["created"]), (&json!("SUCCEEDED"), &json!(0), &json!(19)), "{run:#}");
    }

    /// A device that was exchanged has new ports, too. That is no renumbered source.
    async fn an_exchanged_device_with_cables_holds_nothing(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        let all = fabric(12);
        Synchronizer::full(&client, all.clone()).await;
        let mut exchanged = without(&all, &["spine"]);
        exchanged.extend(device("spine", "new", 0..12));
        exchanged.extend((0..12).map(|number| cable(number + 100, &format!("newspine-{number}"), &format!("leaf{number}-0"))));
        let run = Synchronizer::full(&client, exchanged.clone()).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(25)), "{run:#}");
        let run = Synchronizer::full(&client, exchanged).await;
        assert_eq!((&run["state"], &run["failed"], &run["created"]), (&json!("SUCCEEDED"), &json!(0), &json!(25)), "{run:#}");
    }

    async fn what_a_source_has_deleted_is_judged_in_a_partial_run(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"share": 0, "count": 2}})).await;
        let all = fabric(12);
        Synchronizer::full(&client, all.clone()).await;
        let of = |name: &str| -> Vec<Value> {
            let left = without(&all, &[name]);
            deleted(&all.iter().filter(|item| !left.contains(item)).cloned().collect::<Vec<_>>())
        };
        // What is named and seen in the run is there, and what the server does not know does no harm.
        let it = Synchronizer::start(&client, "PARTIAL").await;
        it.report(json!({"gone": of("spine")})).await;
        it.report(json!({"seenIds": [{"kind": "Device", "ids": ["leaf3"]}]})).await;
        let mut named = of("spine");
        named.extend([json!({"kind": "Device", "externalId": "leaf3"}), json!({"kind": "Rack", "externalId": "never"})]);
        let run = settle(&it, &named).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("RUNNING"), &json!(25)), "{run:#}");
        assert_eq!(settle(&it, &named).await["deleted"], 25, "a repeat changes nothing");
        assert_eq!(count(&client).await, [12, 24, 0]);
        let suspects = client.ok("{ source(name: \"nb\") { suspectCount } }", json!({})).await;
        assert_eq!(suspects["source"]["suspectCount"], 0, "nothing is suspected any more");
        // Another device takes the place in the same run.
        let results = it.apply(device("spine", "new", 0..1)).await;
        assert!(results.iter().all(|result| result["status"] == "CREATED"), "{results:?}");
        assert_eq!(it.finish().await["state"], "SUCCEEDED");

        // The limits hold over all runs: one more may go, and no two.
        let it = Synchronizer::start(&client, "PARTIAL").await;
        let run = settle(&it, &[of("leaf0"), of("leaf1")].concat()).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("HELD"), &json!(0)), "{run:#}");
        let held = it.finish().await;
        // What is held is decided about before anything else goes.
        let it = Synchronizer::start(&client, "PARTIAL").await;
        let run = settle(&it, &of("leaf2")).await;
        assert_eq!((&run["state"], &run["deleted"]), (&json!("RUNNING"), &json!(0)), "{run:#}");
        it.finish().await;
        let approved = call(&client, "approveRun", json!({"run": held["id"]})).await;
        assert_eq!((&approved["run"]["state"], &approved["run"]["deleted"]), (&json!("SUCCEEDED"), &json!(6)), "{approved:#}");
        let it = Synchronizer::start(&client, "PARTIAL").await;
        assert_eq!(settle(&it, &of("leaf2")).await["deleted"], 3);
        assert_eq!(it.finish().await["state"], "SUCCEEDED");
    }

    async fn only_a_partial_run_names_what_is_deleted(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..3)).await;
        let named = json!([{"kind": "Region", "externalId": "1"}]);
        let full = Synchronizer::start(&client, "FULL").await;
        let partial = Synchronizer::start(&client, "PARTIAL").await;
        let many: Vec<Value> = (0..1_001).map(|id| json!({"kind": "Region", "externalId": format!("x{id}")})).collect();
        for (run, complete, named) in [
            (&full, false, &named),
            (&full, true, &named),
            (&partial, true, &named),
            (&partial, false, &json!(many)),
            (&partial, false, &json!([{"kind": "Nothing", "externalId": "1"}])),
        ] {
            let input = json!({"run": run.run, "complete": complete, "deleted": named});
            let (code, message) = refused(&client, "settleRun", input).await;
            assert_eq!(code, "INVALID", "{message}");
        }
        assert_eq!(names(&client).await.len(), 3);
        // Of several, the last one is not deleted either.
        let all: Vec<Value> = (0..3).map(|id| json!({"kind": "Region", "externalId": id.to_string()})).collect();
        assert_eq!(settle(&partial, &all).await["state"], "HELD");
        assert_eq!(names(&client).await.len(), 3);
    }
}
