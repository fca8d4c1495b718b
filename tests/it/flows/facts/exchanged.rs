//! Machines that were exchanged: the device and its host forget the old one, and the token of its agent is not accepted.

use serde_json::{Value, json};

use super::{REVOKE, outcome, report, send, token};
use crate::harness::{Client, Database, Server, on_both_databases};

const REPLACE: &str = "mutation($input: ReplaceDeviceInput!, $requestId: String) { \
    replaceDevice(input: $input, requestId: $requestId) { device { name serial } host { name state } hadAgent revision } }";
const DEVICE: &str = "query { device(site: \"s\", name: \"n1\") { version serial assetTag attributes placement { startUnit } \
    addresses { address } ports { nodes { name mac } } } }";
const HOST: &str = "query($name: String!) { host(name: $name) { version uid serial bootMac bootIp bmcUrl state wasInstalled \
    machine { ... on Device { name } } } }";

/// Makes a machine in a rack, and a host that it is.
async fn machine(client: &Client) {
    let device = json!({
        "site": {"site": "s"}, "name": "n1", "role": "SERVER", "serial": "S1", "assetTag": "T1",
        "attributes": {"uuid": "4c4c4544-0042-3510-8052-b4c04f4d3832", "owner": "lab"},
        "placement": {"rack": {"site": "s", "rack": "r"}, "startUnit": 3, "unitHeight": 1},
        "addresses": [{"type": "INTERNAL", "address": "10.0.0.7"}],
    });
    let host = json!({
        "name": "h1", "machine": {"device": {"site": "s", "device": "n1"}}, "bmcUrl": "simulated://h1",
        "uid": "4c4c4544-0042-3510-8052-b4c04f4d3832", "serial": "S1", "bootMac": "02:00:5e:00:00:01", "bootIp": "10.0.0.8",
    });
    let port =
        json!({"device": {"site": "s", "device": "n1"}, "name": "e1", "type": "ETHERNET", "mac": "02:00:5e:00:00:01"});
    client
        .apply_all(vec![
            json!({"site": {"name": "s", "type": "DATACENTER"}}),
            json!({"rack": {"site": {"site": "s"}, "name": "r", "heightU": 42}}),
            json!({ "device": device }),
            json!({ "port": port }),
            json!({ "host": host }),
            json!({"host": {"name": "other", "serial": "S9"}}),
        ])
        .await;
}

async fn device(client: &Client) -> Value {
    client.ok(DEVICE, json!({})).await["device"].take()
}

async fn host(client: &Client) -> Value {
    client.ok(HOST, json!({ "name": "h1" })).await["host"].take()
}

fn input(serial: &str) -> Value {
    json!({ "device": "device/s/n1", "serial": serial })
}

async fn adopt(client: &Client, state: &str) {
    let id = client.ok("{ host(name: \"h1\") { id } }", json!({})).await["host"]["id"].take();
    let adopt =
        "mutation($id: ID!, $as: HostAdoption!) { adoptHosts(input: {ids: [$id], as: $as, force: true}) { revision } }";
    client.ok(adopt, json!({ "id": id, "as": state })).await;
}

/// Gives an order that nobody works on.
async fn order(client: &Client) {
    let id = client.ok("{ host(name: \"h1\") { id } }", json!({})).await["host"]["id"].take();
    let power = "mutation($id: ID!) { setHostPower(input: {ids: [$id], power: ON}) { revision } }";
    client.ok(power, json!({ "id": id })).await;
}

async fn cancel(client: &Client) {
    let id = client.ok("{ host(name: \"h1\") { id } }", json!({})).await["host"]["id"].take();
    client.ok("mutation($id: ID!) { cancelHosts(input: {ids: [$id]}) { revision } }", json!({ "id": id })).await;
}

on_both_databases! {
    async fn the_old_machine_is_forgotten_and_its_place_stays(server: Server) {
        let client = server.client();
        machine(&client).await;
        let old = token(&client, "h1").await;
        outcome(&client, &old, &report("D1")).await;
        let (before, host_before) = (device(&client).await, host(&client).await);

        let mut dry = input("S2");
        dry["dryRun"] = json!(true);
        let seen = client.ok(REPLACE, json!({ "input": dry })).await["replaceDevice"].take();
        let found = json!({"name": "h1", "state": "REGISTERED"});
        let expected = json!({"device": {"name": "n1", "serial": "S2"}, "host": found, "hadAgent": true, "revision": null});
        assert_eq!(seen, expected);
        assert_eq!((device(&client).await, host(&client).await), (before.clone(), host_before), "a dry run writes nothing");
        assert_eq!(outcome(&client, &old, &report("D1")).await, "UNCHANGED", "and revokes nothing");

        let named = json!({ "input": input(" S2 "), "requestId": "exchange-1" });
        let first = client.ok(REPLACE, named.clone()).await["replaceDevice"].take();
        assert_eq!(first["device"], json!({"name": "n1", "serial": "S2"}));
        let refused = send(&client, &old, &report("D1")).await;
        assert!(refused.status == 401 && refused.text().contains("was revoked"), "{}", refused.text());
        let after = device(&client).await;
        let mut expected = before.clone();
        (expected["serial"], expected["version"]) = (json!("S2"), after["version"].clone());
        expected["attributes"] = json!({"owner": "lab"});
        assert_eq!(after, expected, "place, addresses, names and ports stay");
        let found = host(&client).await;
        let expected = json!({
            "version": found["version"], "uid": null, "serial": "S2", "bootMac": null, "bootIp": "10.0.0.8",
            "bmcUrl": "simulated://h1", "state": "REGISTERED", "wasInstalled": false, "machine": {"name": "n1"},
        });
        assert_eq!(found, expected);
        assert_eq!(after["version"], found["version"], "one batch");

        // The agent on the new machine gets a token, and a repeat of the request is the first one.
        let new = token(&client, "h1").await;
        assert_eq!(client.ok(REPLACE, named).await["replaceDevice"], first);
        let mut machine = report("D2");
        machine["memory"] = json!({"complete": true, "found": {"slots": 2, "modules": []}});
        assert_eq!(outcome(&client, &new, &machine).await, "STORED");
        machine["system"]["found"]["sensors"] = json!(8);
        assert_eq!(outcome(&client, &new, &machine).await, "STORED", "the second report without the old modules");
        let parts = client.ok("{ parts { nodes { serial host { name } } } }", json!({})).await["parts"]["nodes"].take();
        let is_there = |serial: &str| {
            let part = parts.as_array().expect("parts").iter().find(|part| part["serial"] == serial);
            part.map(|part| !part["host"].is_null())
        };
        let found = ["D1", "M1", "D2"].map(is_there);
        assert_eq!(found, [Some(false), Some(false), Some(true)], "the parts of the old machine are in no host: {parts}");
    }

    async fn what_is_refused_changes_nothing_and_revokes_nothing(server: Server) {
        let client = server.client();
        machine(&client).await;
        let token = token(&client, "h1").await;
        let before = device(&client).await;
        let long = "S".repeat(254);
        for (device, serial, code, field) in [
            ("device/s/n1", "", "INVALID", "serial"),
            ("device/s/n1", " \t", "INVALID", "serial"),
            ("device/s/n1", &long, "INVALID", "serial"),
            ("device/s/n1", "S\u{7}2", "INVALID", "serial"),
            ("device/s/n1", "To be filled by O.E.M.", "INVALID", "serial"),
            ("device/s/n1", "s1", "INVALID", "serial"),
            ("device/s/n1", "S9", "DUPLICATE", "serial"),
            ("device/s/nobody", "S2", "NOT_FOUND", "device"),
            ("host/h1", "S2", "NOT_FOUND", "device"),
        ] {
            let errors = client.refused(REPLACE, json!({ "input": {"device": device, "serial": serial} })).await;
            let (found, named) = (errors[0].code.as_str(), errors[0].field.as_deref());
            assert_eq!((found, named), (code, Some(field)), "{device} {serial}: {errors:?}");
        }
        order(&client).await;
        let mut forced = input("S2");
        forced["force"] = json!(true);
        let errors = client.refused(REPLACE, json!({ "input": forced })).await;
        assert!(errors[0].code == "IN_USE" && errors[0].message.contains("has an order at work"), "{errors:?}");
        cancel(&client).await;
        adopt(&client, "INSTALLED").await;
        let errors = client.refused(REPLACE, json!({ "input": input("S2") })).await;
        assert!(errors[0].code == "IN_USE" && errors[0].message.contains("replace it with force"), "{errors:?}");
        assert_eq!(errors[0].field.as_deref(), Some("device"));

        assert_eq!(device(&client).await, before);
        assert_eq!(outcome(&client, &token, &report("D1")).await, "STORED", "the token is accepted");
        // Nothing counts as installed on the new machine.
        client.ok(REPLACE, json!({ "input": forced })).await;
        let found = host(&client).await;
        assert_eq!((&found["state"], &found["wasInstalled"]), (&json!("ACQUIRED"), &json!(false)));
        assert_eq!(send(&client, &token, &report("D2")).await.status, 401);
    }

    async fn what_ended_after_the_token_was_revoked_is_done_again(mut server: Server) {
        let client = server.client();
        machine(&client).await;
        let token = token(&client, "h1").await;
        // A process that dies between the two steps leaves this.
        client.ok(REVOKE, json!({ "host": "host/h1" })).await;
        server.kill();
        server.restart().await;
        let client = server.client();
        let done = client.ok(REPLACE, json!({ "input": input("S2"), "requestId": "exchange-2" })).await["replaceDevice"].take();
        assert_eq!((&done["device"]["serial"], &done["hadAgent"]), (&json!("S2"), &json!(true)));
        assert_eq!(send(&client, &token, &report("D1")).await.status, 401);
    }
}

/// A device that is no host, and the command.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_says_what_it_did() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    machine(&client).await;
    client
        .apply_all(vec![json!({"device": {"site": {"site": "s"}, "name": "leaf", "role": "LEAF", "serial": "L1"}})])
        .await;
    let run = async |arguments: &[&str]| {
        let done = server.cli([&["replace"], arguments].concat()).await;
        (done.code, done.stdout, done.stderr)
    };
    let (code, said, _) = run(&["device/s/leaf", "--serial", "L2"]).await;
    assert_eq!((code, said.as_str()), (0, "leaf has the serial number L2\n"));
    let token = token(&client, "h1").await;
    let (code, said, _) = run(&["device/s/n1", "--serial", "S2", "--dry-run"]).await;
    assert!(code == 0 && said.contains("(dry run)") && device(&client).await["serial"] == "S1", "{said}");
    let (code, said, _) = run(&["device/s/n1", "--serial", "S2"]).await;
    assert!(code == 0 && said.contains("underlay agent token h1"), "{said}");
    assert_eq!(send(&client, &token, &report("D1")).await.status, 401);
    let (code, _, problem) = run(&["device/s/n1", "--serial", "S2"]).await;
    assert!(code == 1 && problem.contains("is the serial number that n1 has already"), "{problem}");
    adopt(&client, "INSTALLED").await;
    let (code, _, problem) = run(&["device/s/n1", "--serial", "S3"]).await;
    assert!(code == 1 && problem.contains("with force"), "{problem}");
    let (code, said, _) = run(&["device/s/n1", "--serial", "S3", "--force"]).await;
    assert!(code == 0 && said.contains("host h1 is ACQUIRED"), "{said}");
}
