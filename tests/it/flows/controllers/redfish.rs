//! A controller and a BMC that speaks Redfish: its machines are enlisted, switched and seen.

use serde_json::{Value, json};

use super::host;
use super::lives::until;
use crate::flows::secrets::{keep_keys, token};
use crate::harness::sushy::{Emulator, PASSWORD, USER};
use crate::harness::{self, Cli, Client, Database, Process, Server, scratch};

/// Waits until the enlistment of an appliance is done.
pub(super) async fn enlisted(client: &Client, name: &str, discover: bool) -> Value {
    let query = "query($name: String!) {
      appliance(name: $name) { id enlistment { doneAt found enlisted message } }
    }";
    let id = client.ok(query, json!({ "name": name })).await["appliance"]["id"].take();
    let order = "mutation($input: EnlistApplianceInput!) { enlistAppliance(input: $input) { appliance { name } } }";
    client.ok(order, json!({"input": {"appliance": id, "discover": discover, "adopt": discover}})).await;
    harness::until("the enlistment is done", async || {
        let mut found = client.ok(query, json!({ "name": name })).await;
        let enlistment = found["appliance"]["enlistment"].take();
        if enlistment["doneAt"].is_null() { Err(format!("{enlistment:#}")) } else { Ok(enlistment) }
    })
    .await
}

pub(super) async fn switch(client: &Client, name: &str, power: &str) {
    let id = host(client, name, "id").await["id"].take();
    let order = "mutation($input: SetHostPowerInput!) { setHostPower(input: $input) { hosts { name } } }";
    client.ok(order, json!({"input": {"ids": [id], "power": power}})).await;
}

/// Starts a controller that may reach this machine.
pub(super) async fn controller(server: &Server, folder: &std::path::Path) -> Process {
    controller_command(server, folder).await.start()
}

/// Returns the command of such a controller.
pub(super) async fn controller_command(server: &Server, folder: &std::path::Path) -> Cli {
    let token = token(server, &["--role", "reconciler,secrets-reader"]).await;
    let state = folder.join("hosts.json");
    let arguments = ["run", "hosts", "--allowed-addresses", "127.0.0.0/8", "--state"].map(std::ffi::OsString::from);
    server.cli(arguments.into_iter().chain([state.into_os_string()])).env("UNDERLAY_TOKEN", token)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs sushy-emulator"]
async fn the_machines_of_a_bmc_are_enlisted_switched_and_seen() {
    let (folder, emulator) = (scratch::folder("redfish"), Emulator::start(3).await);
    let keys = folder.path().join("keys");
    keep_keys(&keys, &[1]);
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_SECRETS_KEY_FILE", &keys);
    let server = server.env("UNDERLAY_HOSTS_ALLOWED_ADDRESSES", "127.0.0.0/8").await;
    let client = server.client().bearing(&token(&server, &["--role", "operator"]).await);
    let credential = |name: &str| json!({"credential": {"name": name, "type": "BASIC", "username": USER}});
    let appliance = |name: &str, credential: &str| {
        json!({"appliance": {"name": name, "type": "REDFISH", "url": format!("redfish+http://127.0.0.1:{}", emulator.port),
            "credential": {"credential": credential}, "namePattern": "fake-?", "prefix": "lab-"}})
    };
    client
        .apply_all(vec![credential("bmc"), credential("old"), appliance("lab", "bmc"), appliance("wrong", "old")])
        .await;
    let set = "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set } }";
    let secret = |credential: &str, value: &str| json!({"credential": {"credential": credential}, "field": "password", "value": value});
    client.ok(set, json!({"input": {"secrets": [secret("bmc", PASSWORD), secret("old", "guess-1234")]}})).await;
    let mut process = controller(&server, folder.path()).await;

    let refused = enlisted(&client, "wrong", false).await["message"].as_str().unwrap_or_default().to_owned();
    assert!(refused.contains("HTTP 401") && refused.contains("give bmcCredential the user name"), "{refused}");
    let done = enlisted(&client, "lab", false).await;
    assert_eq!((&done["found"], &done["enlisted"], &done["message"]), (&json!(3), &json!(3), &Value::Null));
    let found = host(&client, "lab-fake-1", "bmcUrl uid bootMac appliance { name } bmcCredential { name }").await;
    let uid = "18947555-7742-3448-3784-823347823834";
    let url = format!("redfish+http://127.0.0.1:{}/redfish/v1/Systems/{uid}", emulator.port);
    assert_eq!(
        (&found["bmcUrl"], &found["uid"], &found["bootMac"]),
        (&json!(url), &json!(uid), &json!("52:54:00:aa:bb:01"))
    );
    assert_eq!(found["bmcCredential"]["name"], "bmc");

    // A host without an order is polled soon after it was enlisted.
    until(&client, "lab-fake-2", |host| host["power"] == "OFF").await;
    for power in ["ON", "OFF"] {
        switch(&client, "lab-fake-1", power).await;
        until(&client, "lab-fake-1", |host| host["power"] == power && host["generation"] == host["generationDone"])
            .await;
    }
    assert_eq!(host(&client, "lab-fake-1", "lastOrder { outcome }").await["lastOrder"]["outcome"], "DONE");

    // Its hardware is read when somebody asks, and is kept as the word of the BMC.
    let id = host(&client, "lab-fake-1", "id").await["id"].take();
    let read = "mutation($input: ReadHardwareInput!) { readHardware(input: $input) { hosts { name } } }";
    client.ok(read, json!({"input": {"ids": [id]}})).await;
    let facts =
        "facts { origin stale system { uuid } sections { name complete } powerSupplies { place } fans { place } }";
    let read = harness::until("the BMC is read", async || {
        let facts = host(&client, "lab-fake-1", facts).await["facts"].take();
        if facts[0].is_null() { Err(process.stderr()) } else { Ok(facts[0].clone()) }
    })
    .await;
    assert_eq!((&read["origin"], &read["stale"], &read["system"]["uuid"]), (&json!("BMC"), &json!(false), &json!(uid)));
    assert!(read["sections"].as_array().is_some_and(|sections| sections.len() > 3), "{read:#}");
    assert_eq!(host(&client, "lab-fake-1", "power").await["power"], "OFF", "nothing was changed");

    // A host with the uid of another machine is left alone, and says so.
    let other = json!({"host": {"name": "lab-fake-0", "uid": "98947555-7742-3448-3784-823347823834"}});
    client.apply_all(vec![other]).await;
    switch(&client, "lab-fake-0", "ON").await;
    until(&client, "lab-fake-0", |host| host["generation"] == host["generationDone"]).await;
    let refused = host(&client, "lab-fake-0", "power lastOrder { reason message }").await;
    assert_eq!(refused["lastOrder"]["reason"], "WrongMachine", "{refused}");
    assert_ne!(refused["power"], "ON", "{refused}");

    process.signal(libc::SIGTERM);
    assert!(process.end().await.success(), "it ends well");
    for secret in [PASSWORD, "guess-1234"] {
        assert!(!process.stderr().contains(secret) && !server.log().contains(secret), "secrets are in no log");
    }
}
