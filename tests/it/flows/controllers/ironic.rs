//! A controller and Ironic: a host lives from its adoption to its deletion, over a database of Ironic that is lost.

use serde_json::{Value, json};

use super::host;
use super::lives::command;
use crate::harness::ironic::Ironic;
use crate::harness::{Client, Database, Server};

const FIELDS: &str = "state power generation generationDone failure { reason message } lastOrder { outcome message } conditions { type message }";

/// Waits until the host is as it should be and has no order.
async fn until(client: &Client, fits: impl Fn(&Value) -> bool) {
    crate::harness::until("m1 is as it should be", async || {
        let now = host(client, "m1", FIELDS).await;
        if now["generation"] != now["generationDone"] || !fits(&now) {
            return Err(format!("{now:#}"));
        }
        assert_eq!(now["failure"], Value::Null, "{now:#}");
        assert!(now["lastOrder"].is_null() || now["lastOrder"]["outcome"] == "DONE", "{now:#}");
        Ok(())
    })
    .await;
}

/// Waits until Ironic has the node of the host in a provision state, or does not have it.
async fn until_at(ironic: &Ironic, id: &str, state: Option<&str>) {
    crate::harness::until(format!("the node is {state:?}"), async || {
        let node = ironic.node(id).await;
        let found = node.and_then(|node| node.states.provision).map(|state| state.to_string());
        if found.as_deref() == state { Ok(()) } else { Err(format!("{found:?}")) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs ironic"]
async fn a_host_of_ironic_lives_over_a_database_that_is_lost() {
    let (server, mut ironic) = (Server::start(Database::Sqlite).await, Ironic::start().await);
    let client = server.client();
    let image = json!({"url": "https://images.example/rhel.qcow2", "checksum": format!("sha256:{}", "0".repeat(64)),
        "format": "QCOW2"});
    client
        .apply_all(vec![
            json!({"profile": {"name": "rhel", "purpose": "INSTALL", "method": "DISK_IMAGE", "image": image}}),
            json!({"appliance": {"name": "lab", "type": "SIMULATED", "url": "simulated://lab", "interval": 10}}),
            json!({"host": {"name": "m1", "bmcUrl": "simulated://m1", "appliance": {"appliance": "lab"},
                "provisioner": "simulated", "bootMac": "52:54:00:aa:bb:01", "bootMode": "UEFI"}}),
        ])
        .await;
    let id = host(&client, "m1", "id").await["id"].take();
    let (ids, node) = ([id.clone()], id.as_str().expect("an id").to_owned());
    let state = server.folder().join("hosts.json");
    let arguments = ["run", "hosts", "--ironic-url", &ironic.url, "--state"].map(std::ffi::OsString::from);
    let mut controller = server.cli(arguments.into_iter().chain([state.into_os_string()])).start();

    // A free host gets another provisioner. There it is registered, and not provided.
    command(&client, "adoptHosts", &ids, json!({"as": "AVAILABLE"})).await;
    until(&client, |host| host["state"] == "AVAILABLE").await;
    assert!(ironic.node(&node).await.is_none(), "Ironic does not know it yet");
    client.apply_all(vec![json!({"host": {"name": "m1", "provisioner": "ironic"}})]).await;
    until_at(&ironic, &node, Some("manageable")).await;
    for power in ["ON", "OFF"] {
        command(&client, "setHostPower", &ids, json!({ "power": power })).await;
        until(&client, |host| host["power"] == power).await;
    }
    command(&client, "acquireHosts", &ids, json!({"for": "tests"})).await;
    let variables = json!({"profile": {"profile": "rhel"}, "variables": {"role": "gpu"}});
    command(&client, "installHosts", &ids, variables).await;
    until(&client, |host| host["state"] == "INSTALLED").await;
    until_at(&ironic, &node, Some("active")).await;

    // One in use keeps the provisioner that it has.
    let other = json!({"items": [{"host": {"name": "m1", "provisioner": "simulated"}}]});
    let refused = client.apply_input(other).await["results"][0]["error"].take();
    let message = refused["message"].as_str().unwrap_or_default();
    assert!(refused["code"] == "INCOMPATIBLE" && message.contains("is INSTALLED, so it stays"), "{refused}");

    // The host stays in use, and Ironic gets to know it again as it is.
    ironic.forget().await;
    assert!(ironic.node(&node).await.is_none_or(|node| node.instance_info.is_empty()));
    until_at(&ironic, &node, Some("active")).await;
    until(&client, |host| host["state"] == "INSTALLED" && host["conditions"] == json!([])).await;
    let adopted = ironic.node(&node).await.expect("a node");
    assert!(adopted.instance_info.is_empty(), "it was not deployed: {:?}", adopted.instance_info);

    command(&client, "setHostPower", &ids, json!({"power": "ON"})).await;
    until(&client, |host| host["power"] == "ON").await;
    command(&client, "releaseHosts", &ids, json!({"wipe": true})).await;
    until(&client, |host| host["state"] == "AVAILABLE").await;
    until_at(&ironic, &node, Some("available")).await;
    let delete = "mutation($id: ID!) { deleteHost(id: $id) { revision } }";
    client.ok(delete, json!({ "id": id })).await;
    until_at(&ironic, &node, None).await;
    assert!(controller.ended().is_none(), "{}", controller.stderr());
    controller.signal(libc::SIGTERM);
    assert!(controller.end().await.success(), "it ends well");
}
