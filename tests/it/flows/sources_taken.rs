//! The guard bounds what a source takes away from objects that stay. It counts each object of which a run empties a
//! field, or an entry of its labels and attributes, or replaces many different values by one.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::apply::done;
use super::sources::{Synchronizer, call, source};
use crate::harness::{Cli, Client, Server, Sql, on_both_databases};
use underlay_kinds::registry;

/// The number of devices of the source. Ten of them may be emptied on a day, because a tenth are only six.
const DEVICES: usize = 60;
const MAY: usize = 10;

/// A device of the source with these members besides.
fn device(id: usize, more: &Value) -> Value {
    let mut device =
        json!({"name": format!("d{id}"), "site": {"site": "s"}, "role": "SERVER", "externalId": id.to_string()});
    device.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    json!({ "device": device })
}

/// Returns what the source says of a device at first. Everything differs from device to device, but for a version.
fn full(id: usize) -> Value {
    let version = ["1.0", "1.1", "1.2"][id % 3];
    json!({
        "serial": format!("S{id}"),
        "description": format!("The device {id}"),
        "status": "PLANNED",
        "hardware": {"cpuCores": id + 1, "disks": [{"name": "a", "sizeBytes": id + 1, "type": "SSD"}]},
        "labels": {"env": "prod", "number": id.to_string()},
        "attributes": {"asset": format!("A{id}"), "version": version, "more": {"x": {"y": id, "z": 1}}},
        "placement": {"rack": {"rack": "r"}, "startUnit": id + 1, "unitHeight": 1},
    })
}

/// Writes the devices in a partial run, in batches of some size.
async fn say(client: &Client, batch: usize, more: impl Fn(usize) -> Value) -> Value {
    let run = Synchronizer::start(client, "PARTIAL").await;
    let items: Vec<Value> = (0..DEVICES).map(|id| device(id, &more(id))).collect();
    for items in items.chunks(batch) {
        let results = run.apply(items.to_vec()).await;
        assert!(results.iter().all(|result| result["status"] != "FAILED"), "{results:#?}");
    }
    run.finish().await
}

async fn prepare(client: &Client) {
    source(client, json!({})).await;
    let rack = json!({"rack": {"site": {"site": "s"}, "name": "r", "heightU": 100}});
    client.apply_all(vec![json!({"site": {"name": "s", "type": "EDGE"}}), rack]).await;
    assert_eq!(say(client, DEVICES, full).await["heldCount"], 0);
}

/// The devices by number, as the source could say them.
async fn devices(client: &Client) -> BTreeMap<usize, Value> {
    let query = "{ devices(first: 1000) { nodes { name serial description status hardware { cpuCores disks { name sizeBytes type } } \
        labels attributes placement { rack { name } startUnit unitHeight } } } }";
    let found = client.ok(query, json!({})).await;
    let nodes = found["devices"]["nodes"].as_array().expect("nodes").clone();
    let number = |it: &Value| it["name"].as_str().expect("a name")[1..].parse().expect("a number");
    nodes.iter().map(|it| (number(it), it.clone())).collect()
}

/// The number of devices that have something else than at first.
async fn changed(client: &Client, member: &str) -> usize {
    let devices = devices(client).await;
    let as_said = |id: usize, it: &Value| match member {
        "placement" => it[member]["startUnit"].as_f64() == Some(id as f64 + 1.0),
        _ => it[member] == full(id)[member],
    };
    devices.iter().filter(|(id, it)| !as_said(**id, it)).count()
}

on_both_databases! {
    async fn whatever_a_source_takes_from_all_it_gets_of_ten(server: Server) {
        let client = server.client();
        prepare(&client).await;
        let sql = Sql::connect(&server.database_url()).await;
        let table = [
            ("serial", json!(null)),
            ("description", json!("")),
            ("status", json!(null)),
            ("hardware", json!({})),
            ("hardware", json!({"cpuCores": 1, "disks": []})),
            ("labels", json!({})),
            ("labels", json!({"env": "prod"})),
            ("attributes", json!(null)),
            ("attributes", json!({"asset": null})),
            ("attributes", json!({"asset": ""})),
            ("attributes", json!({"more": {"x": {"y": null}}})),
            ("placement", json!({"rack": {"rack": "r"}})),
        ];
        for (member, value) in table {
            for batch in [1, 25, DEVICES] {
                // The day is over.
                sql.run("DELETE FROM source_emptied").await;
                say(&client, DEVICES, full).await;
                assert_eq!(changed(&client, member).await, 0, "{member}");

                let run = say(&client, batch, |_| json!({member: value})).await;
                assert_eq!(changed(&client, member).await, MAY, "{member} becomes {value}, in batches of {batch}");
                let held = run["held"].as_array().expect("a list");
                assert!(held.len() >= DEVICES - MAY && held.iter().all(|it| it["reason"] == "EMPTIED"), "{held:#?}");
            }
        }
        sql.close().await;
    }

    async fn one_value_for_all_is_a_loss(server: Server) {
        let client = server.client();
        prepare(&client).await;
        let entry = |value: Value| json!({"attributes": {"asset": value}});
        for (name, batch) in [("serial", DEVICES), ("description", 1), ("asset", 7)] {
            let junk = |_| if name == "asset" { entry(json!("none")) } else { json!({name: "none"}) };
            let run = say(&client, batch, junk).await;
            let held = run["held"].as_array().expect("a list");
            // The first one counts as soon as another one follows, and not before. What was counted counts once a day.
            assert_eq!(held.len(), DEVICES - MAY - 1, "{name}: {held:#?}");
            assert!(held.iter().all(|it| it["reason"] == "REPLACED" && it["value"] == "none"), "{held:#?}");
            let approved = call(&client, "approveRun", json!({"run": run["id"]})).await;
            assert_eq!((&approved["run"]["heldCount"], &approved["run"]["errors"]), (&json!(0), &json!([])));
        }
        for (id, device) in devices(&client).await {
            let mut said = full(id);
            said["attributes"]["asset"] = json!("none");
            assert_eq!((&device["serial"], &device["description"]), (&json!("none"), &json!("none")), "it was approved");
            assert_eq!((&device["attributes"], &device["labels"]), (&said["attributes"], &said["labels"]), "and nothing else");
        }
    }

    async fn other_values_are_no_loss(server: Server) {
        let client = server.client();
        prepare(&client).await;
        for (what, more) in [
            ("other values", &(|id: usize| json!({"serial": format!("T{id}")})) as &dyn Fn(usize) -> Value),
            ("a version", &|_| json!({"attributes": {"version": "2.0"}})),
            ("a state", &|_| json!({"status": "ACTIVE"})),
            ("numbers that come and go", &|id| json!({"attributes": {"version": "2.0", "vms": (id * 7 + 3) % 11}})),
            ("and others of them", &|id| json!({"attributes": {"version": "2.0", "vms": (id * 5 + 1) % 11}})),
            ("renamed entries", &|id| json!({"attributes": {"version": null, "firmware": "2.0"}, "labels": {"stage": "prod", "id": id.to_string()}})),
        ] {
            assert_eq!(say(&client, DEVICES, more).await["heldCount"], 0, "{what}");
        }
    }

    async fn an_object_counts_once_a_day(server: Server) {
        let client = server.client();
        prepare(&client).await;
        let some = |id: usize, more: Value| if id < MAY { more } else { json!({}) };
        for more in [json!({"serial": null}), json!({"labels": {}}), json!({"description": null, "attributes": null})] {
            assert_eq!(say(&client, 3, |id| some(id, more.clone())).await["heldCount"], 0, "the same ten lose {more}");
        }
        let run = say(&client, 3, |id| if id == MAY { json!({"serial": null}) } else { json!({}) }).await;
        assert_eq!(run["heldCount"], 1, "the eleventh object");
        // What was emptied and goes counts once too: the ten may go, and nothing else.
        client.apply_all(vec![json!({"source": {"name": "nb", "prune": "DELETE"}})]).await;
        let gone = |first: usize| Synchronizer::full(&client, (first..DEVICES).map(|id| device(id, &full(id))).collect());
        let held = gone(MAY + 1).await;
        assert_eq!(held["state"], "HELD");
        call(&client, "rejectRun", json!({"run": held["id"]})).await;
        assert_eq!((&gone(MAY).await["state"], devices(&client).await.len()), (&json!("SUCCEEDED"), DEVICES - MAY));
    }

    /// An approval writes what was held. It touches neither the other labels nor what others have set meanwhile.
    async fn an_approval_writes_what_was_held_and_nothing_else(server: Server) {
        let client = server.client();
        prepare(&client).await;
        let run = say(&client, DEVICES, |_| json!({"serial": null, "labels": {"env": "prod"}})).await;
        let held = run["heldCount"].as_i64().expect("a number");
        assert_eq!(held, 2 * (DEVICES - MAY) as i64, "{run:#}");
        client.apply_input(json!({"conflicts": "FORCE", "items": [{"device": {"name": "d30", "site": {"site": "s"}, "serial": "of a user"}}]})).await;
        // The source sets one of them again, in an item without an external id.
        let again = Synchronizer::start(&client, "PARTIAL").await;
        let results = again.apply(vec![json!({"device": {"name": "d31", "site": {"site": "s"}, "serial": "S31 again"}})]).await;
        assert_eq!(results[0]["status"], "UPDATED", "{results:#?}");
        // A batch that is not written settles nothing.
        let refused = json!({"run": again.run, "mode": "ATOMIC", "items": [device(32, &json!({"serial": "other"})), {"device": {"name": ""}}]});
        client.apply_input(refused).await;
        again.finish().await;
        let of = |left: &Value, id: usize| left["held"].as_array().expect("a list").iter().any(|it| it["externalId"] == json!(id.to_string()) && it["field"] == "serial");
        let left = client.ok("query($id: ID!) { source(name: \"nb\") { holdingRuns(first: 1) { id held(first: 1000) { externalId field } } } node(id: $id) { id } }",
            json!({"id": run["id"]})).await;
        let left = &left["source"]["holdingRuns"][0];
        assert!(!of(left, 31) && of(left, 32) && of(left, 33), "{left:#}");

        let approved = call(&client, "approveRun", json!({"run": run["id"]})).await;
        assert_eq!((&approved["run"]["heldCount"], &approved["run"]["errors"]), (&json!(0), &json!([])));
        for (id, device) in devices(&client).await {
            let serial = match id {
                30 => json!("of a user"),
                31 => json!("S31 again"),
                _ => Value::Null,
            };
            assert_eq!((&device["serial"], &device["labels"]), (&serial, &json!({"env": "prod"})), "{device}");
        }
    }

    async fn ends_of_circuits_are_parts_that_are_kept(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        client.apply_all(vec![json!({"site": {"name": "s", "type": "EDGE"}}), json!({"provider": {"name": "p", "type": "TRANSIT"}})]).await;
        let circuits = async |end: Value| {
            let run = Synchronizer::start(&client, "PARTIAL").await;
            let items = (0..DEVICES).map(|id| json!({"circuit": {"provider": {"provider": "p"}, "name": format!("c{id}"),
                "circuitId": id.to_string(), "type": "PROVIDER_CIRCUIT", "externalId": id.to_string(), "aEnd": end}}));
            run.apply(items.collect()).await;
            run.finish().await
        };
        circuits(json!({"site": {"site": "s"}})).await;
        let standing = "{ circuitTerminations(filter: {site: {name: {eq: \"s\"}}}) { totalCount } }";
        for end in [json!({"site": null}), json!({}), Value::Null] {
            let run = circuits(end.clone()).await;
            let left = client.ok(standing, json!({})).await["circuitTerminations"]["totalCount"].clone();
            assert_eq!((&left, &run["heldCount"]), (&json!(DEVICES - MAY), &json!(DEVICES - MAY)), "{end}: {run:#}");
        }
    }

    async fn every_field_of_every_kind_is_kept(server: Server) {
        let client = server.client();
        source(&client, json!({"limits": {"share": 0, "count": 0}})).await;
        let dumped = Cli::new(["demo", "--racks", "1", "--dump", "-"]).await;
        let lines = done(&dumped).lines().map(|line| serde_json::from_str(line).expect("an item"));
        let items: Vec<Map<String, Value>> = lines.collect();
        let of_source = |empty: bool| {
            let item = |(id, item): (usize, &Map<String, Value>)| {
                let (kind, fields) = item.iter().next().expect("a kind");
                let mut fields = fields.as_object().expect("fields").clone();
                if empty {
                    empty_all(kind, &mut fields);
                }
                fields.insert("externalId".to_owned(), json!(id.to_string()));
                json!({kind: fields})
            };
            items.iter().enumerate().map(item).collect::<Vec<_>>()
        };
        let run = Synchronizer::full(&client, of_source(false)).await;
        assert_eq!((&run["failed"], &run["created"]), (&json!(0), &json!(items.len())), "{}", run["errors"]);

        let run = Synchronizer::start(&client, "PARTIAL").await;
        let (mut kept, mut held) = (BTreeMap::<String, usize>::new(), 0);
        for (items, all) in of_source(true).chunks(1_000).zip(items.chunks(1_000)) {
            for ((result, item), before) in run.apply(items.to_vec()).await.iter().zip(items).zip(all) {
                assert!(["UNCHANGED", "FAILED"].contains(&result["status"].as_str().expect("a status")), "{before:?}: {result:#}");
                held += result["skipped"].as_array().map_or(0, Vec::len);
                *kept.entry(item.as_object().expect("an item").keys().next().expect("a kind").clone()).or_default() +=
                    usize::from(result["status"] == "UNCHANGED");
            }
        }
        run.finish().await;
        // A virtual machine without a place is refused as a whole.
        let refused = kept.iter().filter(|(_, count)| **count == 0).map(|(kind, _)| kind.as_str());
        let refused: Vec<&str> = refused.collect();
        assert_eq!((held > items.len(), refused), (true, vec!["virtualMachine"]), "{held} fields: {kept:#?}");
    }
}

/// Empties all fields of an item that can be emptied.
fn empty_all(kind: &str, fields: &mut Map<String, Value>) {
    let registry = registry();
    let kind = registry.kinds().find(|it| it.singular == kind).expect("a kind");
    for (name, value) in fields.iter_mut() {
        let Some(field) = kind.field(name).map(|index| &kind.fields[index]) else { continue };
        if !field.required && !field.immutable && !["name", "externalRefs"].contains(&name.as_str()) {
            *value = if name == "labels" { json!({}) } else { Value::Null };
        }
    }
}
