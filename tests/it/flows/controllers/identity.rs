//! Machines that are others than those of their hosts: cables, boards and addresses get mixed up. Acts are counted at the
//! machines.

use serde_json::{Value, json};

use super::lives::{Scene, command, simulated, switch_on, until};
use super::redfish::{controller, switch};
use super::{host, write_as_server};
use crate::flows::secrets::{keep_keys, token};
use crate::harness::ironic::Ironic;
use crate::harness::sushy::{Emulator, PASSWORD, USER};
use crate::harness::{self, Client, Database, Server, on_both_databases, scratch};

const PROFILE_IMAGE: &str = "https://images.example/rhel.qcow2";

/// Returns true if the last order of a host was refused for a reason.
fn refused(host: &Value, reason: &str) -> bool {
    host["generation"] == host["generationDone"]
        && host["lastOrder"]["outcome"] == "REFUSED"
        && host["lastOrder"]["reason"] == reason
}

async fn id_of(client: &Client, name: &str) -> Value {
    host(client, name, "id").await["id"].take()
}

fn profile() -> Value {
    let image = json!({"url": PROFILE_IMAGE, "checksum": format!("sha256:{}", "0".repeat(64)), "format": "QCOW2"});
    json!({"profile": {"name": "rhel", "purpose": "INSTALL", "method": "DISK_IMAGE", "image": image}})
}

/// Waits until a look has found another machine in the place of that of a host.
async fn until_other(client: &Client, name: &str) {
    until(client, name, |host| host["conditions"].to_string().contains("\"WrongMachine\"")).await;
}

on_both_databases! {
    /// Every order, in every state, with force, for a host whose address leads to a machine in use.
    async fn an_address_that_leads_to_a_machine_in_use_gets_nothing(mut server: Server) {
        let scene = Scene::new();
        let states = [
            ("registered", json!({"state": "REGISTERED"})),
            ("available", json!({"state": "AVAILABLE"})),
            ("acquired", json!({"state": "ACQUIRED", "acquiredFor": "tests"})),
            ("installed", json!({"state": "INSTALLED", "acquiredFor": "tests"})),
        ];
        let mut items = vec![profile(), simulated("used", "")];
        items.extend(states.iter().map(|(name, _)| simulated(name, "")));
        server.client().apply_all(items).await;
        let controller = scene.start(server.url(), 1);
        for (name, _) in &states {
            until(&server.client(), name, |host| host["power"] == "OFF").await;
        }
        controller.stop().await;
        let set: Vec<Value> = states.iter().map(|(name, fields)| {
            let mut fields = fields.clone();
            fields["name"] = json!(name);
            json!({ "host": fields })
        }).collect();
        write_as_server(&mut server, set).await;
        switch_on(&scene.world, "used").await;
        let counts = scene.counts("used");
        for (name, _) in &states {
            scene.world.lead(name, "used");
        }

        let _controller = scene.start(server.url(), 1);
        let client = server.client();
        let force = json!({"force": true});
        for (name, mutation, more) in [
            ("registered", "discoverHosts", force.clone()),
            ("registered", "setHostPower", json!({"power": "CYCLE", "force": true})),
            ("available", "discoverHosts", force.clone()),
            ("available", "setHostPower", json!({"power": "OFF", "force": true})),
            ("acquired", "installHosts", json!({"profile": {"profile": "rhel"}, "force": true})),
            ("acquired", "releaseHosts", json!({"wipe": true, "force": true})),
            ("installed", "setHostPower", json!({"power": "CYCLE"})),
            ("installed", "releaseHosts", json!({"wipe": true, "force": true})),
        ] {
            let before = host(&client, name, "state generation").await;
            command(&client, mutation, &[id_of(&client, name).await], more).await;
            let after = until(&client, name, |host| {
                refused(host, "WrongMachine") && host["generation"] != before["generation"]
            }).await;
            assert_eq!(after["state"], before["state"], "{mutation}: {after:#}");
            until_other(&client, name).await;
            assert_eq!(scene.counts("used"), counts, "{mutation}: it is in use");
        }
    }

    /// A machine that tells nothing is named by the people who want it.
    async fn a_machine_that_tells_nothing_is_ordered_by_its_name_alone(server: Server) {
        // The look that would recognise them by the name in their address is that of a program here.
        let scene = Scene::new();
        let client = server.client();
        client.apply_all(vec![
            json!({"hostClass": {"name": "large"}}),
            profile(),
            simulated("silent", "?fault=tells-nothing"),
            simulated("other", "?fault=tells-nothing"),
        ]).await;
        let _controller = scene.start(server.url(), 1);
        let mut ids = Vec::new();
        for name in ["silent", "other"] {
            client.apply_all(vec![json!({"host": {"name": name, "class": {"hostClass": "large"}}})]).await;
            ids.push(id_of(&client, name).await);
            crate::harness::until("a look was reported", async || {
                let seen = host(&client, name, "seenIdentity { uuid serial macs }").await["seenIdentity"].take();
                seen == json!({"uuid": null, "serial": null, "macs": []})
            }).await;
        }
        command(&client, "adoptHosts", &ids, json!({"as": "AVAILABLE"})).await;

        let claim = "mutation($input: AcquireHostsInput!) { acquireHosts(input: $input) { hosts { name } } }";
        let by_class = json!({"input": {"class": {"hostClass": "large"}, "count": 1, "for": "tests"}});
        let short = &client.refused(claim, by_class).await[0];
        assert!(short.message.contains("acquired by their names alone"), "{}", short.message);
        command(&client, "acquireHosts", &ids, json!({"for": "tests"})).await;

        let install = "mutation($input: InstallHostsInput!) { installHosts(input: $input) { hosts { name } } }";
        let order = |ids: &[Value]| json!({"input": {"ids": ids, "profile": {"profile": "rhel"}, "force": true}});
        let several = &client.refused(install, order(&ids)).await[0];
        assert!(several.message.contains("tells nothing of itself"), "{}", several.message);
        client.ok(install, order(&ids[..1])).await;
        until(&client, "silent", |host| host["state"] == "INSTALLED").await;
        assert_eq!((scene.counts("silent").installs, scene.counts("other").network_boots), (1, 0));
    }
}

/// A BMC with an account, and a host for one of its systems by the path alone.
struct Bmc {
    emulator: Emulator,
}

impl Bmc {
    async fn start(client: &Client, systems: usize) -> Self {
        let emulator = Emulator::start(systems).await;
        client.apply_all(vec![json!({"credential": {"name": "bmc", "type": "BASIC", "username": USER}})]).await;
        let set = "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set } }";
        let secret = json!({"credential": {"credential": "bmc"}, "field": "password", "value": PASSWORD});
        client.ok(set, json!({"input": {"secrets": [secret]}})).await;
        Self { emulator }
    }

    fn url(&self, system: usize) -> String {
        let port = self.emulator.port;
        format!("redfish+http://127.0.0.1:{port}/redfish/v1/Systems/{system}8947555-7742-3448-3784-823347823834")
    }

    /// Returns a host at the path of a system.
    fn host(&self, name: &str, system: usize, more: &Value) -> Value {
        let mut fields = json!({"name": name, "bmcUrl": self.url(system), "bmcCredential": {"credential": "bmc"}});
        for (field, value) in more.as_object().expect("fields") {
            fields[field] = value.clone();
        }
        json!({ "host": fields })
    }

    /// Switches a system on, as somebody does who uses it, and waits until it runs. It answers before that.
    async fn switch_on(&self, system: usize) {
        let url = self.url(system).replace("redfish+http", "http");
        let client = reqwest::Client::new();
        let call = client.post(format!("{url}/Actions/ComputerSystem.Reset"));
        let call = call.basic_auth(USER, Some(PASSWORD)).json(&json!({"ResetType": "On"}));
        assert!(call.send().await.expect("an answer").status().is_success());
        harness::until("the system runs", async || {
            let answer = client.get(&url).basic_auth(USER, Some(PASSWORD)).send().await.expect("an answer");
            let system: Value = answer.json().await.expect("JSON");
            if system["PowerState"] == "On" { Ok(()) } else { Err(system["PowerState"].to_string()) }
        })
        .await;
    }
}

async fn server_with_keys(folder: &std::path::Path) -> (Server, Client) {
    let keys = folder.join("keys");
    keep_keys(&keys, &[1]);
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_SECRETS_KEY_FILE", &keys);
    let server = server.env("UNDERLAY_HOSTS_ALLOWED_ADDRESSES", "127.0.0.0/8").await;
    let client = server.client().bearing(&token(&server, &["--role", "operator"]).await);
    (server, client)
}

async fn seen_uuid(client: &Client, name: &str, system: usize) {
    let expected = format!("{system}8947555-7742-3448-3784-823347823834");
    crate::harness::until("the machine was looked at", async || {
        let found = host(client, name, "seenIdentity { uuid } conditions { type message }").await;
        if found["seenIdentity"]["uuid"] == expected { Ok(()) } else { Err(format!("{found:#}")) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs sushy-emulator"]
async fn a_host_without_uid_is_pinned_to_its_machine_until_another_is_accepted() {
    let folder = scratch::folder("identity");
    let (server, client) = server_with_keys(folder.path()).await;
    let bmc = Bmc::start(&client, 3).await;
    client.apply_all(vec![bmc.host("h", 1, &json!({}))]).await;
    // An order that comes before any look learns the machine, and does nothing.
    switch(&client, "h", "ON").await;
    let _controller = controller(&server, folder.path()).await;
    until(&client, "h", |host| refused(host, "FirstLook")).await;
    seen_uuid(&client, "h", 1).await;
    assert_eq!(bmc.emulator.resets(), [0, 0, 0]);
    switch(&client, "h", "ON").await;
    until(&client, "h", |host| host["power"] == "ON" && host["generation"] == host["generationDone"]).await;
    assert_eq!(bmc.emulator.resets(), [0, 1, 0]);

    // The address leads to a machine in use.
    bmc.switch_on(2).await;
    client.apply_all(vec![bmc.host("h", 2, &json!({}))]).await;
    until_other(&client, "h").await;
    for power in ["OFF", "CYCLE"] {
        let generation = host(&client, "h", "generation").await["generation"].take();
        let id = id_of(&client, "h").await;
        command(&client, "setHostPower", &[id], json!({"power": power, "force": true})).await;
        until(&client, "h", |host| refused(host, "WrongMachine") && host["generation"] != generation).await;
    }
    assert_eq!(bmc.emulator.resets(), [0, 1, 1], "it is in use");

    // Somebody has exchanged the machine, and says so.
    let cli = server
        .cli(["host", "accept-machine", "h"])
        .env("UNDERLAY_TOKEN", token(&server, &["--role", "operator"]).await);
    let printed = cli.await.stdout;
    assert!(printed.contains("h: forgot the UUID 18947555") && printed.contains("28947555"), "{printed}");
    seen_uuid(&client, "h", 2).await;
    let id = id_of(&client, "h").await;
    command(&client, "setHostPower", &[id], json!({"power": "OFF", "force": true})).await;
    until(&client, "h", |host| host["power"] == "OFF" && host["generation"] == host["generationDone"]).await;
    assert_eq!(bmc.emulator.resets()[..2], [0, 1]);
}

/// Ironic compares nothing: the path of a BMC that leads to another machine had one in use switched off.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs ironic and sushy-emulator"]
async fn ironic_gets_no_order_for_another_machine() {
    let folder = scratch::folder("identity");
    let (server, client) = server_with_keys(folder.path()).await;
    let (bmc, ironic) = (Bmc::start(&client, 2).await, Ironic::start().await);
    bmc.switch_on(1).await;
    let uid = "08947555-7742-3448-3784-823347823834";
    let of_ironic = json!({"provisioner": "ironic", "uid": uid});
    client.apply_all(vec![profile(), bmc.host("h", 1, &of_ironic)]).await;
    let token = token(&server, &["--role", "reconciler,secrets-reader"]).await;
    let state = folder.path().join("hosts.json");
    let arguments = ["run", "hosts", "--allowed-addresses", "127.0.0.0/8", "--ironic-url", &ironic.url, "--state"];
    let arguments = arguments.map(std::ffi::OsString::from).into_iter().chain([state.into_os_string()]);
    let _controller = server.cli(arguments).env("UNDERLAY_TOKEN", token).start();

    let ids = [id_of(&client, "h").await];
    command(&client, "adoptHosts", &ids, json!({"as": "AVAILABLE"})).await;
    let force = json!({"force": true});
    for (mutation, more) in [
        ("discoverHosts", force.clone()),
        ("setHostPower", json!({"power": "OFF", "force": true})),
        ("setHostPower", json!({"power": "CYCLE", "force": true})),
        ("acquireHosts", json!({"for": "tests"})),
        ("installHosts", json!({"profile": {"profile": "rhel"}, "force": true})),
        ("releaseHosts", json!({"wipe": true, "force": true})),
    ] {
        let generation = host(&client, "h", "generation").await["generation"].take();
        command(&client, mutation, &ids, more).await;
        if mutation != "acquireHosts" {
            until(&client, "h", |host| refused(host, "WrongMachine") && host["generation"] != generation).await;
        }
        assert_eq!(bmc.emulator.resets(), [0, 1], "{mutation}: it is in use");
    }
}

/// Boards with one UUID, which their operator has declared: it is compared with nothing, here and at the controller.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_identity_that_is_declared_to_mean_nothing_is_compared_with_nothing() {
    let of = |name: &str| {
        let identity = underlay_hosts::simulated::identity(name);
        (identity.uuid.expect("a UUID"), identity.serial.expect("a serial number"))
    };
    let ((shared, serial), (silent, silent_serial)) = (of("m1"), of("m3"));
    let ignored = format!("{}, {silent}, {silent_serial}", shared.to_uppercase());
    let server = Server::start(Database::Sqlite).env("UNDERLAY_HOSTS_IGNORED_IDENTITIES", ignored.as_str()).await;
    let client = server.client();
    let scene = Scene::new();
    let boards = ["m1", "m2"].map(|name| {
        let mut item = simulated(name, "");
        item["host"]["uid"] = json!(shared);
        item
    });
    client.apply_all(boards.to_vec()).await;
    client.apply_all(vec![simulated("m3", "")]).await;
    let status = client.ok("{ hostsStatus { ignoredIdentities } }", json!({})).await;
    assert_eq!(status["hostsStatus"]["ignoredIdentities"], json!([shared.to_uppercase(), silent, silent_serial]));
    let _controller = scene.start(server.url(), 1);

    // m2 is not m1 for having its UUID as `uid`, and is known by what is its own.
    let seen = "seenIdentity { uuid serial macs }";
    for (name, uuid, serial) in [("m1", Value::Null, json!(serial)), ("m2", json!(of("m2").0), json!(of("m2").1))] {
        let found = until_seen(&client, name).await;
        assert_eq!((&found["uuid"], &found["serial"]), (&uuid, &serial), "{name}: {found}");
    }
    // Of m3 everything was declared but its MAC addresses.
    let found = until_seen(&client, "m3").await;
    assert_eq!((&found["uuid"], &found["serial"]), (&Value::Null, &Value::Null), "{found}");
    assert!(!host(&client, "m1", &format!("conditions {{ type }} {seen}")).await.to_string().contains("SharesMachine"));
}

async fn until_seen(client: &Client, name: &str) -> Value {
    harness::until(format!("{name} was looked at"), async || {
        let found = host(client, name, "seenIdentity { uuid serial macs }").await["seenIdentity"].take();
        (!found.is_null()).then_some(found)
    })
    .await
}
