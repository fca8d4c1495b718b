//! `underlay sync ironic` as a program, against a server that answers as Ironic does: nodes come, stay, go and fail.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Client, Database, Outcome, Server, scratch};

#[path = "../../../adapters/ironic/tests/it/replay.rs"]
#[expect(dead_code, reason = "the tests of the adapter use the rest of it")]
pub mod replay;

use replay::{Fault, Replay};

/// A server that has the site of the nodes.
pub async fn server() -> Server {
    let server = Server::start(Database::Sqlite).await;
    server.client().apply_all(vec![json!({"site": {"name": "ams1", "type": "DATACENTER"}})]).await;
    server
}

/// Adds a node with a port, a cable and an inventory, and returns its id.
pub fn node(replay: &Replay, name: &str, number: usize, serial: &str) -> String {
    let members = json!({
        "driver": "redfish", "resource_class": "gpu.large", "provision_state": "available", "power_state": "power off",
        "driver_info": {"redfish_address": format!("https://10.0.0.{number}"), "redfish_username": "root",
            "redfish_password": "******"},
    });
    let node = replay.node(name, members);
    let mac = format!("52:54:00:00:00:{number:02x}");
    let link = json!({"switch_id": "52:54:00:aa:00:01", "port_id": format!("Eth{number}"), "switch_info": "leaf-1"});
    replay.port(&node, &mac, json!({"local_link_connection": link, "pxe_enabled": true}));
    let interface = json!({"name": "eno1", "mac_address": mac});
    let inventory = json!({"inventory": {"interfaces": [interface], "cpu": {"count": 64, "architecture": "x86_64"},
        "system_vendor": {"manufacturer": "ACME", "product_name": "R1", "serial_number": serial}}});
    replay.inventory(&node, inventory);
    node
}

/// Reads Ironic once.
pub async fn sync(server: &Server, replay: &Replay, folder: &TempDir) -> Outcome {
    let state = folder.path().join("ironic").display().to_string();
    let arguments = [["sync", "ironic"], ["--url", &replay.url], ["--site", "ams1"], ["--state", &state]];
    server.cli([&arguments.concat()[..], &["--once", "--report"]].concat()).await
}

async fn last_run(client: &Client) -> Value {
    let query = "{ source(name: \"ironic\") { prune runs(first: 1) { nodes {
        state created updated unchanged retired deleted released failed errors { externalId message } } } } }";
    client.ok(query, json!({})).await["source"]["runs"]["nodes"][0].take()
}

async fn machine(client: &Client, name: &str) -> Value {
    let query = "query($name: String!) {
      device(name: $name) { status serial ports { nodes { name mac cable { name } } } }
      host(name: $name) { state bmcUrl bootMac class { name } bmcCredential { username } machine { ... on Device { name } } }
    }";
    client.ok(query, json!({ "name": name })).await
}

/// Returns the number of changes of all objects but the source, whose health is written beside its runs.
async fn changes(client: &Client) -> usize {
    let query = "query($first: Int!) { changes(first: $first) { nodes { kind } } }";
    let found = client.ok(query, json!({"first": 1000})).await;
    let nodes = found["changes"]["nodes"].as_array().expect("changes").clone();
    assert!(nodes.len() < 1000, "there are more changes than are read");
    nodes.iter().filter(|change| change["kind"] != "Source").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_come_stay_go_and_a_fault_removes_nothing() {
    let (server, replay, folder) = (server().await, Replay::start().await, scratch::folder("sync-ironic"));
    let client = server.client();
    let nodes: Vec<String> =
        (1..=12).map(|number| node(&replay, &format!("gpu-{number}"), number, &format!("SN-{number}"))).collect();

    let first = sync(&server, &replay, &folder).await;
    assert_eq!(first.code, 0, "{first:?}");
    let run = last_run(&client).await;
    assert_eq!((&run["state"], &run["failed"]), (&json!("SUCCEEDED"), &json!(0)), "{run}");
    let created = run["created"].as_u64().expect("a number");
    // A class, and for each node a credential, a device, a host, a port, the port of the switch and a cable; and the switch.
    assert_eq!(created, 1 + 12 * 6 + 1, "{run}");
    let found = machine(&client, "gpu-3").await;
    assert_eq!((&found["device"]["serial"], &found["device"]["status"]), (&json!("SN-3"), &json!("ACTIVE")), "{found}");
    let host = &found["host"];
    let expected = json!({"state": "REGISTERED", "bmcUrl": "redfish://10.0.0.3", "bootMac": "52:54:00:00:00:03",
        "class": {"name": "gpu.large"}, "bmcCredential": {"username": "root"}, "machine": {"name": "gpu-3"}});
    assert_eq!(*host, expected);

    // The second run finds all as it is.
    let before = changes(&client).await;
    let again = sync(&server, &replay, &folder).await;
    assert_eq!(again.code, 0, "{again:?}");
    let run = last_run(&client).await;
    let counts = ["created", "updated", "retired", "deleted", "released", "failed"].map(|count| run[count].clone());
    assert_eq!(counts, [0, 0, 0, 0, 0, 0].map(Value::from), "{run}");
    let output = format!("{}{}", again.stdout, again.stderr);
    assert!(output.contains(&format!("{created} unchanged")), "{again:?}");
    assert_eq!(changes(&client).await, before, "nothing is written");

    // A node that is deleted there is retired here, with its host.
    replay.delete("nodes", &nodes[4]);
    let third = sync(&server, &replay, &folder).await;
    assert_eq!(third.code, 0, "{third:?}");
    let run = last_run(&client).await;
    assert_eq!((&run["state"], &run["retired"]), (&json!("SUCCEEDED"), &json!(1)), "{run}");
    assert_eq!(machine(&client, "gpu-5").await, json!({"device": null, "host": null}));
    assert_ne!(machine(&client, "gpu-6").await["host"], Value::Null);

    // A list that breaks off fails the scan, and nothing goes.
    let before = changes(&client).await;
    replay.fail("nodes", Fault::Truncated);
    let broken = sync(&server, &replay, &folder).await;
    assert_ne!(broken.code, 0, "{broken:?}");
    assert!(broken.stderr.contains("/v1/nodes"), "the sentence names the call: {broken:?}");
    assert_eq!(changes(&client).await, before);
}
