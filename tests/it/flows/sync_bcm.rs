//! `underlay sync bcm` against the simulator: nodes come, stay, go and fail.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use tempfile::TempDir;
use underlay_bcm::simulator::{Fault, Fleet, Simulator};

use super::secrets;
use crate::harness::{Cli, Client, Database, Outcome, Server, exit_code, scratch, until};

/// The number of nodes of the simulator.
const NODES: usize = 20;

/// A server that has the site of the nodes, and a key for secrets.
pub async fn server() -> Server {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_SECRETS_KEYS", secrets::key(1)).await;
    server.client().apply_all(vec![json!({"site": {"name": "ams1", "type": "DATACENTER"}})]).await;
    server
}

pub async fn simulator(folder: &TempDir) -> Simulator {
    let at = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    Simulator::start(at, folder.path(), Fleet::of(NODES)).await.expect("a simulator")
}

/// Reads a simulator once.
pub async fn sync(server: &Server, simulator: &Simulator, folder: &TempDir) -> Outcome {
    let files = simulator.files();
    let path = |path: &std::path::Path| path.display().to_string();
    let (certificate, key, authority) = (path(&files.certificate), path(&files.key), path(&files.authority));
    let state = path(&folder.path().join("state"));
    let arguments = [
        ["sync", "bcm"],
        ["--url", simulator.url()],
        ["--cert-file", &certificate],
        ["--key-file", &key],
        ["--ca-file", &authority],
        ["--site", "ams1"],
        ["--state", &state],
        ["--once", "--report"],
    ];
    server.cli(arguments.concat()).await
}

/// Returns the fields of the device and of the host of a node; null for what is not there.
async fn node(client: &Client, name: &str) -> Value {
    let query = "query($name: String!) {
      device(name: $name) { status serial placement { startUnit unitHeight rack { name } } externalRefs { url } }
      host(name: $name) {
        state class { name } title labels bmcUrl bmcCredential { name username } bootMac bootIp
        machine { ... on Device { name } }
      }
    }";
    client.ok(query, json!({ "name": name })).await
}

/// Returns the password of a credential, as a controller reads it.
async fn password(server: &Server, credential: &str) -> String {
    let reader = secrets::token(server, &["--role", "reconciler", "--role", "secrets-reader"]).await;
    let reader = server.client().bearing(&reader);
    let id = reader.ok("query($name: String!) { credential(name: $name) { id } }", json!({"name": credential})).await;
    let query = "query($id: ID!) { secret(credential: $id) { password } }";
    let read = reader.ok(query, json!({"id": id["credential"]["id"]})).await;
    read["secret"]["password"].as_str().unwrap_or_default().to_owned()
}

/// Returns the last run of the source.
async fn last_run(client: &Client) -> Value {
    let query =
        "{ source(name: \"bcm\") { prune runs(first: 1) { nodes { state created updated unchanged retired deleted
      released failed errors { externalId message } } } } }";
    client.ok(query, json!({})).await["source"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_come_stay_go_and_a_fault_removes_nothing() {
    let (server, folder) = (server().await, scratch::folder("sync-bcm"));
    let simulator = simulator(&folder).await;
    let client = server.client();
    let first = sync(&server, &simulator, &folder).await;
    assert_eq!(first.code, 0, "{first:?}");
    let source = last_run(&client).await;
    let run = &source["runs"]["nodes"][0];
    // Two categories, two racks; a credential, a device and a host for each node.
    assert_eq!((&run["state"], &run["created"], &run["failed"]), (&json!("SUCCEEDED"), &json!(64), &json!(0)), "{run}");
    assert_eq!(source["prune"], "RETIRE");
    let found = node(&client, "gpu-002").await;
    let (device, host) = (&found["device"], &found["host"]);
    assert_eq!(device["placement"], json!({"startUnit": 3.0, "unitHeight": 2.0, "rack": {"name": "A01"}}), "{found}");
    let url = format!("{}/base-view/device/00000003-0000-4000-8000-000000000001", simulator.url());
    assert_eq!((&device["serial"], &device["externalRefs"]), (&json!("SN000001"), &json!([{ "url": url }])));
    assert_eq!((&host["state"], &host["machine"]["name"]), (&json!("REGISTERED"), &json!("gpu-002")), "{found}");
    assert_eq!(host["bmcUrl"], "redfish-virtualmedia://10.142.0.2");
    assert_eq!(host["bmcCredential"], json!({"name": "bmc-gpu-002", "username": "admin"}));
    assert_eq!((&host["bootMac"], &host["bootIp"]), (&json!("52:54:00:ab:00:02"), &json!("10.141.0.2")));
    assert_eq!(host["labels"], json!({"notes.bcm/owner": "team-1", "extra.bcm/zone": "z1"}));
    assert_eq!(node(&client, "gpu-001").await["host"]["class"]["name"], "gpu-large");
    assert_eq!(password(&server, "bmc-gpu-002").await, "simulated-1");
    // The class that the notes of this node name is the other category.
    assert_eq!(host["class"]["name"], "cpu");

    let again = sync(&server, &simulator, &folder).await;
    let output = format!("{}{}", again.stdout, again.stderr);
    assert!(again.code == 0 && output.contains("64 items") && output.contains("64 unchanged"), "{again:?}");

    simulator.change(|fleet| {
        fleet.remove("gpu-001");
        fleet.device("gpu-002").expect("a node")["bmcSettings"]["password"] = json!("simulated-new");
    });
    let third = sync(&server, &simulator, &folder).await;
    assert_eq!(third.code, 0, "{third:?}");
    let run = last_run(&client).await["runs"]["nodes"][0].take();
    assert_eq!((&run["state"], &run["retired"]), (&json!("SUCCEEDED"), &json!(1)), "{run}");
    assert_eq!(password(&server, "bmc-gpu-002").await, "simulated-new");
    let gone = node(&client, "gpu-001").await;
    assert_eq!(gone, json!({"device": null, "host": null}));
    let query = "{ devices(first: 100, filter: {status: {eq: RETIRED}}) { nodes { name } } }";
    let retired = client.ok(query, json!({})).await;
    let name = retired["devices"]["nodes"][0]["name"].as_str().unwrap_or_default();
    assert!(name.starts_with("gpu-001 (retired "), "{retired}");

    let counts = "{ devices(first: 0) { totalCount } hosts(first: 0) { totalCount } }";
    let before = client.ok(counts, json!({})).await;
    for fault in [Fault::forbidden("getDevices"), Fault::Instead(Value::Null), Fault::Truncated] {
        simulator.fail("getDevices", fault.clone());
        let failed = sync(&server, &simulator, &folder).await;
        assert_eq!(failed.code, 1, "{fault:?}: {failed:?}");
        assert_eq!(client.ok(counts, json!({})).await, before, "{fault:?}");
    }
    // A list that is suddenly empty is held by the server.
    simulator.fail("getDevices", Fault::Instead(json!([])));
    let held = sync(&server, &simulator, &folder).await;
    assert_eq!(held.code, 1, "{held:?}");
    assert_eq!(last_run(&client).await["runs"]["nodes"][0]["state"], "HELD");
    assert_eq!(client.ok(counts, json!({})).await, before);
    let all = format!("{first:?}{again:?}{third:?}{held:?}{}", server.log());
    assert!(!all.contains("simulated-"), "no password of a BMC is printed or logged");
}

#[tokio::test]
async fn a_dangerous_address_is_refused_by_the_server_and_the_rest_is_written() {
    let (server, folder) = (server().await, scratch::folder("sync-bcm"));
    let simulator = simulator(&folder).await;
    simulator.change(|fleet| {
        fleet.device("gpu-001").expect("a node")["interfaces"][1]["ip"] = json!("169.254.169.254");
        fleet.device("gpu-002").expect("a node")["hostname"] = json!("gpu/002");
    });
    let first = sync(&server, &simulator, &folder).await;
    assert_eq!(first.code, 0, "{first:?}");
    let client = server.client();
    let run = last_run(&client).await["runs"]["nodes"][0].take();
    let errors = run["errors"].to_string();
    assert!(errors.contains("bmcUrl") && errors.contains("hostname must be"), "{run}");
    let found = node(&client, "gpu-001").await;
    assert!(found["host"].is_null() && found["device"].is_object(), "{found}");
    assert!(node(&client, "gpu-003").await["host"].is_object());
}

#[tokio::test]
async fn a_server_without_a_key_takes_everything_but_the_secrets() {
    let folder = scratch::folder("sync-bcm");
    let server = Server::start(Database::Sqlite).await;
    server.client().apply_all(vec![json!({"site": {"name": "ams1", "type": "DATACENTER"}})]).await;
    let simulator = simulator(&folder).await;
    let first = sync(&server, &simulator, &folder).await;
    assert_eq!(first.code, 0, "{first:?}");
    let run = last_run(&server.client()).await["runs"]["nodes"][0].take();
    let errors = run["errors"].as_array().expect("errors");
    assert_eq!((&run["state"], &run["created"], errors.len()), (&json!("SUCCEEDED"), &json!(64), 1), "{run}");
    let text = errors[0]["message"].as_str().unwrap_or_default();
    assert!(text.contains("so 20 secrets are not set") && !text.contains("simulated-"), "{run}");
}

#[tokio::test]
async fn settings_that_do_not_fit_get_one_sentence() {
    let folder = scratch::folder("sync-bcm");
    let simulator = simulator(&folder).await;
    let files = simulator.files();
    let key = files.key.display().to_string();
    let certificate = files.certificate.display().to_string();
    let with = |certificate: &str, more: &[&str]| {
        let plain =
            ["sync", "bcm", "--dry-run", "--url", simulator.url(), "--cert-file", certificate, "--key-file", &key];
        let arguments = plain.iter().chain(more).map(|it| (*it).to_owned()).collect::<Vec<_>>();
        Cli::new(arguments)
    };
    for (outcome, code, expected) in [
        (with(&certificate, &[]).await, 2, "--site"),
        (with("/nowhere/x.pem", &["--site", "ams1"]).await, 2, "/nowhere/x.pem cannot be used"),
        (with(&certificate, &["--site", "ams1"]).await, 3, "give the certificate of the authority"),
    ] {
        assert_eq!(outcome.code, code, "{outcome:?}");
        assert!(outcome.stderr.contains(expected), "{expected}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_newcomer_needs_two_commands() {
    let server = server().await;
    let folder = scratch::folder("sync-bcm");
    let mut process = Cli::new(["simulate", "bcm", "--nodes", "3"]).start();
    let line = until("it prints the command", async || {
        let printed = process.stdout();
        let line = printed.lines().find(|line| line.trim_start().starts_with("underlay sync bcm"))?;
        Some(line.trim().to_owned())
    });
    let line = line.await;
    let mut words: Vec<String> = line.split_whitespace().skip(1).map(str::to_owned).collect();
    words.extend(["--once", "--state"].map(str::to_owned));
    words.push(folder.path().join("state").display().to_string());
    let outcome = server.cli(&words).await;
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let counts =
        server.client().ok("{ hosts(first: 0) { totalCount } racks(first: 0) { totalCount } }", json!({})).await;
    assert_eq!(counts, json!({"hosts": {"totalCount": 3}, "racks": {"totalCount": 1}}));
    let at = words.iter().position(|word| word == "--cert-file").expect("a flag");
    let certificate = std::path::PathBuf::from(&words[at + 1]);
    assert!(certificate.exists());
    process.signal(libc::SIGTERM);
    let ended = process.end().await;
    assert_eq!(exit_code(ended), Ok(0), "{}", process.stderr());
    assert!(!certificate.exists(), "the temporary folder goes with the simulator");
}
