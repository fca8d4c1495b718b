//! The hardware of devices is recorded from what the agents of their hosts report.

mod random;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use underlay_engine::runtime::test_times;

use super::{outcome, send, token};
use crate::harness::{Client, Database, Server, StartServer, postgres, until};

const GB: u64 = 1 << 30;
const SITE: &str = "s";
const DEVICE: &str = "query($name: String!) { device(site: \"s\", name: $name) { id version hardware { cpuCores cpuArchitecture memoryBytes \
    disks { name sizeBytes type } } managers { field manager type } } }";

/// The parts of a machine that are recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Machine {
    cores: u32,
    memory: u64,
    disks: usize,
}

/// A report of a machine whose disks could be read so far.
fn report(machine: &Machine, reading: Reading) -> Value {
    let disk = |at: usize| {
        let serial = format!("D{at}");
        json!({"name": format!("d{at}"), "place": format!("p{at}"), "serial": serial, "sizeBytes": GB, "medium": "SSD"})
    };
    let found: Vec<Value> = (0..machine.disks).map(disk).collect();
    let disks = match reading {
        Reading::Complete => json!({"complete": true, "found": found}),
        Reading::Incomplete => {
            let unread = json!([{"what": "/sys/block", "reason": "permission denied"}]);
            json!({"complete": false, "unread": unread, "found": found[..found.len() / 2]})
        }
    };
    let module = json!({"slot": "A1", "serial": "M1", "sizeBytes": machine.memory});
    let processor = json!({"socket": 0, "cores": machine.cores, "threads": 2 * machine.cores});
    json!({
        "format": 1,
        "agent": {"version": "0.1.0"},
        "observedAt": "2026-11-01T10:00:00Z",
        "processors": {"complete": true, "found": [processor]},
        "memory": {"complete": true, "found": {"slots": 1, "modules": [module]}},
        "disks": disks,
    })
}

/// The part of the disks that could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Complete,
    Incomplete,
}

fn device(name: &str, hardware: Option<Value>) -> Value {
    let mut device = json!({"site": {"site": SITE}, "name": name, "role": "SERVER"});
    if let Some(hardware) = hardware {
        device["hardware"] = hardware;
    }
    json!({ "device": device })
}

fn host(name: &str) -> Value {
    json!({"host": {"name": name, "machine": {"device": {"site": SITE, "device": name}}}})
}

fn site() -> Value {
    json!({"site": {"name": SITE, "type": "DATACENTER"}})
}

/// The device with the name of a host, as the API has it.
async fn shown(client: &Client, name: &str) -> Value {
    client.ok(DEVICE, json!({ "name": name })).await["device"].take()
}

/// Returns who holds the hardware of a device.
fn holder(device: &Value) -> Option<&str> {
    let fields = device["managers"].as_array().expect("fields");
    fields.iter().find(|it| it["field"] == "hardware").and_then(|it| it["manager"].as_str())
}

async fn until_cores(client: &Client, host: &str, cores: u32) {
    until(&format!("{cores} cores of {host} are recorded"), async || {
        shown(client, host).await["hardware"]["cpuCores"] == cores
    })
    .await;
}

/// Waits until everything that happened before is recorded: the look that records the second marker has seen the first.
async fn until_settled(client: &Client, marker: &str, cores: &mut u32) {
    for _ in 0..2 {
        *cores += 1;
        let machine = Machine { cores: *cores, memory: GB, disks: 0 };
        assert_eq!(outcome(client, marker, &report(&machine, Reading::Complete)).await, "STORED");
        until_cores(client, "marker", *cores).await;
    }
}

async fn the_hardware_is_recorded_unless_somebody_else_holds_it(mut server: Server) {
    let client = server.client();
    let by_hand = json!({"cpuCores": 3});
    let names = ["marker", "new", "by-hand", "incomplete", "recorder", "later"];
    let hardware = |name: &str| (name == "by-hand").then(|| by_hand.clone());
    let devices = names.iter().map(|name| device(name, hardware(name)));
    let hosts = names.iter().filter(|name| **name != "later").map(|name| host(name));
    let later = json!({"host": {"name": "later"}});
    client.apply_all([site()].into_iter().chain(devices).chain(hosts).chain([later]).collect()).await;
    let mut tokens: BTreeMap<&str, String> = BTreeMap::new();
    for name in names {
        tokens.insert(name, token(&client, name).await);
    }
    let machine = Machine { cores: 8, memory: 64 * GB, disks: 2 };
    for (name, reading) in [
        ("new", Reading::Complete),
        ("by-hand", Reading::Complete),
        ("incomplete", Reading::Incomplete),
        ("later", Reading::Complete),
    ] {
        assert_eq!(outcome(&client, &tokens[name], &report(&machine, reading)).await, "STORED");
    }
    let disk = json!({"name": "/dev/sda", "size": 4_000_000_000_u64, "rotational": false, "serial": "R1"});
    let recorded = json!({"inventory": {"cpu": {"count": 8}, "memory": {"physical_mb": 1024}, "disks": [disk]}});
    let headers = [("content-type", "application/json")];
    let recording = client.post_recording(&tokens["recorder"], &headers, recorded.to_string()).await;
    assert_eq!(recording.status, 200, "{}", recording.text());
    let mut cores = 100;
    until_settled(&client, &tokens["marker"], &mut cores).await;

    let new = shown(&client, "new").await;
    let disks = json!([
        {"name": "d0", "sizeBytes": GB, "type": "SSD"},
        {"name": "d1", "sizeBytes": GB, "type": "SSD"},
    ]);
    let all = json!({"cpuCores": 8, "cpuArchitecture": null, "memoryBytes": 64 * GB, "disks": disks});
    assert_eq!((&new["hardware"], holder(&new)), (&all, Some("facts")));
    assert_eq!(shown(&client, "by-hand").await["hardware"]["cpuCores"], 3, "a person holds it");
    let incomplete = shown(&client, "incomplete").await;
    assert_eq!((&incomplete["hardware"]["cpuCores"], &incomplete["hardware"]["disks"]), (&json!(8), &json!([])));
    let of_recorder = shown(&client, "recorder").await;
    assert_eq!((&of_recorder["hardware"], holder(&of_recorder)), (&Value::Null, None), "a recorder is trusted less");

    let query = "query($name: String!) { device(site: \"s\", name: $name) { changes(first: 1) { nodes { actor source operation after } } } }";
    let mut change = client.ok(query, json!({ "name": "new" })).await["device"]["changes"]["nodes"][0].take();
    let after = change["after"].take();
    assert_eq!(change, json!({"actor": "underlay", "source": "facts", "operation": "UPDATED", "after": null}));
    let fields: Vec<&str> = after.as_object().expect("fields").keys().map(String::as_str).collect();
    assert_eq!(fields, ["hardware", "managers", "version", "updatedAt"], "the hardware alone");
    assert_eq!(after["hardware"]["cpuCores"], 8);

    // What is released may be recorded, and so may the device of a host that is linked later.
    let release = "mutation($id: ID!) { releaseFields(id: $id, fields: [\"hardware\"]) { released } }";
    client.ok(release, json!({ "id": shown(&client, "by-hand").await["id"] })).await;
    client.apply_all(vec![host("later")]).await;
    until_cores(&client, "by-hand", 8).await;
    until_cores(&client, "later", 8).await;

    // The same again, and other names of the disks, make no revision.
    let before = shown(&client, "new").await["version"].take();
    let mut renamed = report(&machine, Reading::Complete);
    for (at, disk) in renamed["disks"]["found"].as_array_mut().expect("disks").iter_mut().enumerate() {
        disk["name"] = json!(format!("sd{}", 1 - at));
    }
    assert_eq!(outcome(&client, &tokens["new"], &renamed).await, "STORED");
    until_settled(&client, &tokens["marker"], &mut cores).await;
    assert_eq!(shown(&client, "new").await["version"], before);

    // What came while no look could be made is found by the first one after a restart.
    let more = Machine { cores: 16, ..machine };
    assert_eq!(send(&client, &tokens["new"], &report(&more, Reading::Complete)).await.status, 200);
    server.kill();
    server.restart().await;
    until_cores(&server.client(), "new", 16).await;
}

fn quick(database: Database) -> StartServer {
    Server::start(database).env(test_times::VARIABLE, "50")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hardware_is_recorded_on_sqlite() {
    the_hardware_is_recorded_unless_somebody_else_holds_it(quick(Database::Sqlite).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn the_hardware_is_recorded_on_postgres() {
    let url = postgres::create_database().await;
    the_hardware_is_recorded_unless_somebody_else_holds_it(quick(Database::Postgres(url.clone())).await).await;
    postgres::drop_database(&url).await;
}
