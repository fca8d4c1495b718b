//! Whole lives of simulated hosts over a real server, with controllers that are killed and raced.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use underlay_address::Scheme;
use underlay_client::{Client as Caller, Patience};
use underlay_hosts::api::Remote;
use underlay_hosts::controller::{Controller, Means, Scope, Timing};
use underlay_hosts::life::PowerAct;
use underlay_hosts::machine::{Driver as _, Drivers, Target};
use underlay_hosts::provisioner::Provisioners;
use underlay_hosts::simulated::{Counts, SimulatedProvisioner, World};
use underlay_kit::control::{LeaseTiming, PositionFile, Status, WorkTiming};
use uuid::Uuid;

use super::{host, write_as_server};
use crate::harness::{self, Client, Server, on_both_databases, scratch};

/// The time that a simulated machine works.
const WORK_TIME: Duration = Duration::from_millis(300);

/// Simulated machines, and the controllers that work on them. The machines live on when a controller is killed.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) provisioner: SimulatedProvisioner,
    pub(super) folder: TempDir,
}

/// A controller that runs as a task. Dropping it kills it: nothing of it goes on, and it gives nothing back.
pub(super) struct Running {
    task: JoinHandle<()>,
    stop: watch::Sender<bool>,
    pub(super) status: Arc<Status>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Running {
    /// Stops the controller in order.
    pub(super) async fn stop(mut self) {
        self.stop.send_replace(true);
        (&mut self.task).await.expect("the controller ends");
    }
}

/// Times that let a life pass in seconds. A server that is not optimised, beside other tests, takes up to a second for
/// an answer, and a controller does nothing with a host that it read longer ago than a call takes.
fn timing() -> Timing {
    let call = Duration::from_secs(2);
    let work = WorkTiming {
        first_pause: Duration::from_millis(200),
        longest_pause: Duration::from_secs(1),
        ..WorkTiming::default()
    };
    Timing {
        call,
        poll_at_work: Duration::from_millis(300),
        poll_at_rest: Duration::from_secs(2),
        interval_second: Duration::from_millis(20),
        deadline_minute: Timing::default().deadline_minute,
        lives: work,
        polls: WorkTiming { at_once: 64, ..work },
        leases: LeaseTiming { ttl: Duration::from_secs(6), renew: Duration::from_millis(1_400), settle: call },
    }
}

impl Scene {
    pub(super) fn new() -> Self {
        let world = World::default();
        let provisioner = SimulatedProvisioner::new(world.clone(), WORK_TIME);
        Self { world, provisioner, folder: scratch::folder("hosts") }
    }

    fn state(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("{number}.json"))
    }

    /// Starts a controller of all hosts, with the state file of this number.
    pub(super) fn start(&self, url: &str, number: usize) -> Running {
        self.start_in(url, number, Scope::default())
    }

    /// Starts a controller with the state file of this number.
    pub(super) fn start_in(&self, url: &str, number: usize, scope: Scope) -> Running {
        let client = Caller::new(url.parse().expect("an address"), Patience::default()).expect("a client");
        let name = format!("{number}-{}", Uuid::new_v4().simple());
        let means = Means {
            api: Remote::new(client, name.clone()),
            drivers: Drivers::default().with(Scheme::Simulated, Arc::new(self.world.clone())),
            provisioners: Provisioners::default().with("simulated", Arc::new(self.provisioner.clone())),
            state: PositionFile::new(self.state(number)),
            name,
            scope,
        };
        let controller = Controller::new(means, timing());
        let (status, (stop, stopped)) = (controller.status(), watch::channel(false));
        Running { task: tokio::spawn(async move { controller.run(stopped).await }), stop, status }
    }

    /// Waits until each of these machines was looked at so many times more: whatever a controller would do with them now,
    /// it has done.
    pub(super) async fn until_looked(&self, machines: &[impl AsRef<str>], times: u32) {
        let wanted = machines.iter().map(|machine| (machine.as_ref(), self.world.looks(machine.as_ref()) + times));
        let wanted: Vec<(&str, u32)> = wanted.collect();
        harness::until(format!("each is looked at {times} times more"), async || {
            match wanted.iter().find(|(machine, looks)| self.world.looks(machine) < *looks) {
                Some((machine, looks)) => Err(format!("{} of {looks} looks at {machine}", self.world.looks(machine))),
                None => Ok(()),
            }
        })
        .await;
    }

    pub(super) fn counts(&self, machine: &str) -> Counts {
        self.world.counts(machine)
    }
}

/// A host with a simulated machine.
pub(super) fn simulated(name: &str, query: &str) -> Value {
    json!({"host": {"name": name, "bmcUrl": format!("simulated://{name}{query}"), "provisioner": "simulated"}})
}

/// An order for a host, with other fields that the server sets.
pub(super) fn order(name: &str, act: &str, generation: i64, more: Value) -> Value {
    let mut fields = json!({"name": name, "wanted": {"act": act}, "generation": generation});
    for (field, value) in more.as_object().expect("fields") {
        fields[field] = value.clone();
    }
    json!({ "host": fields })
}

const FIELDS: &str = "name state power generation generationDone wanted { act } step { name attempt of } \
    failure { during reason message } conditions { type message }";

/// Waits until a host is as it should be.
pub(super) async fn until(client: &Client, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
    harness::until(format!("{name} is as it should be"), async || {
        let now = host(client, name, FIELDS).await;
        if fits(&now) { Ok(now) } else { Err(format!("{now:#}")) }
    })
    .await
}

/// Waits until the history of a host has an act.
async fn until_acted(client: &Client, name: &str, act: &str) {
    harness::until(format!("{act} is in the history of {name}"), async || {
        host(client, name, "history { nodes { act } }").await.to_string().contains(act)
    })
    .await;
}

pub(super) async fn until_state(client: &Client, name: &str, state: &str) -> Value {
    until(client, name, |host| host["state"] == state && host["generation"] == host["generationDone"]).await
}

/// Gives an order by a mutation, whose input has no more than the hosts and these fields.
pub(super) async fn command(client: &Client, mutation: &str, ids: &[Value], more: Value) {
    let mut input = json!({ "ids": ids });
    for (field, value) in more.as_object().expect("fields") {
        input[field] = value.clone();
    }
    let r#type = format!("{}{}Input", mutation[..1].to_uppercase(), &mutation[1..]);
    let order = format!("mutation($input: {}!) {{ {mutation}(input: $input) {{ hosts {{ name }} }} }}", r#type);
    let answer = client.ok(&order, json!({ "input": input })).await;
    assert_eq!(answer[mutation]["hosts"].as_array().map(Vec::len), Some(ids.len()), "{answer}");
}

on_both_databases! {
    async fn a_host_is_discovered_installed_and_given_back(server: Server) {
        let scene = Scene::new();
        let client = server.client();
        let image = json!({"url": "https://images.example/rhel.qcow2", "checksum": format!("sha256:{}", "0".repeat(64)),
            "format": "QCOW2"});
        client.apply_all(vec![
            json!({"hostClass": {"name": "large", "match": {"cpuCores": 64}}}),
            json!({"profile": {"name": "rhel", "purpose": "INSTALL", "method": "DISK_IMAGE", "image": image}}),
            simulated("m1", ""),
        ]).await;
        let ids = [host(&client, "m1", "id").await["id"].take()];
        let _controller = scene.start(server.url(), 1);
        command(&client, "discoverHosts", &ids, json!({})).await;
        until_state(&client, "m1", "AVAILABLE").await;
        let found = host(&client, "m1", "class { name } uid bootMac power observed { seenAt by }").await;
        assert_eq!((&found["class"]["name"], &found["power"]), (&json!("large"), &json!("OFF")), "{found}");
        assert!(found["uid"].is_string() && found["bootMac"].is_string() && found["observed"]["seenAt"].is_string(), "{found}");
        for act in ["register", "prepare", "boot-network", "inspect", "force-off"] {
            // The last line comes with the next report.
            until_acted(&client, "m1", act).await;
        }

        // Somebody acquires it, and orders a system.
        command(&client, "acquireHosts", &ids, json!({"for": "tests"})).await;
        command(&client, "installHosts", &ids, json!({"profile": {"profile": "rhel"}})).await;
        until_state(&client, "m1", "INSTALLED").await;
        assert_eq!((scene.counts("m1").installs, scene.counts("m1").wipes), (1, 0));
        let held = host(&client, "m1", "acquiredFor power").await;
        assert_eq!((&held["acquiredFor"], &held["power"]), (&json!("tests"), &json!("ON")));

        // It is switched off and on for one that asks for exactly this host.
        let boots = scene.counts("m1").local_boots;
        command(&client, "setHostPower", &ids, json!({"power": "CYCLE"})).await;
        until(&client, "m1", |host| host["generation"] == host["generationDone"]).await;
        assert_eq!((scene.counts("m1").local_boots, scene.counts("m1").installs), (boots + 1, 1));

        command(&client, "releaseHosts", &ids, json!({"wipe": true})).await;
        until_state(&client, "m1", "AVAILABLE").await;
        assert_eq!((scene.counts("m1").installs, scene.counts("m1").wipes), (1, 1));
        assert_eq!(host(&client, "m1", "acquiredFor").await["acquiredFor"], Value::Null);
    }
}

on_both_databases! {
    async fn hosts_are_polled_as_often_as_their_appliance_says(server: Server) {
        let scene = Scene::new();
        let client = server.client();
        let mut items = Vec::new();
        for (name, interval) in [("often", 10), ("steady", 10), ("seldom", 86_400)] {
            items.push(json!({"appliance": {"name": name, "type": "SIMULATED", "url": format!("simulated://{name}"),
                "interval": interval}}));
            let mut host = simulated(&format!("{name}-1"), "");
            host["host"]["appliance"] = json!({ "appliance": name });
            items.push(host);
        }
        client.apply_all(items).await;
        let _controller = scene.start(server.url(), 1);
        for name in ["often-1", "steady-1", "seldom-1"] {
            until(&client, name, |host| host["power"] == "OFF").await;
        }
        scene.until_looked(&["often-1"], 10).await;
        assert!(scene.world.looks("seldom-1") <= 3, "{} looks", scene.world.looks("seldom-1"));
        // Whoever changes the interval need not restart anything: the controller reads it with the host.
        let id = client.ok("{ appliance(name: \"often\") { id } }", json!({})).await["appliance"]["id"].take();
        let update = "mutation($id: ID!) { updateAppliance(id: $id, patch: {interval: 86400}) { revision } }";
        client.ok(update, json!({ "id": id })).await;
        client.apply_all(vec![json!({"host": {"name": "often-1", "title": "read again"}})]).await;
        harness::until("it is polled no more while the other one is polled ten times", async || {
            let before = scene.world.looks("often-1");
            scene.until_looked(&["steady-1"], 10).await;
            scene.world.looks("often-1") <= before + 1
        })
        .await;
    }
}

/// Switches a machine on, as somebody does who uses it.
pub(super) async fn switch_on(world: &World, name: &str) {
    let target = Target { url: format!("simulated://{name}"), ..Target::default() };
    world.set_power(&target, PowerAct::On).await.expect("switched on");
}

/// Waits until controllers may only observe.
pub(super) async fn until_observe_only(client: &Client) {
    harness::until("controllers may only observe", async || {
        let hosts_status = client.ok("{ hostsStatus { observeOnly { reason } } }", json!({})).await;
        !hosts_status["hostsStatus"]["observeOnly"].is_null()
    })
    .await;
}

pub(super) async fn resume(client: &Client) -> Value {
    let resume = "mutation { resumeHosts { contradictions { host { name } message } } }";
    client.ok(resume, json!({})).await["resumeHosts"]["contradictions"].take()
}

/// Returns true if a host rests, or is at a step, or says why it waits or failed.
fn has_reason(host: &Value) -> bool {
    let is_done = host["generation"] == host["generationDone"];
    let has_failure = host["state"] != "FAILED" || !host["failure"].is_null();
    has_failure && (is_done || !host["step"].is_null() || host["conditions"] != json!([]))
}

on_both_databases! {
    async fn no_machine_is_touched_twice_while_controllers_are_killed(mut server: Server) {
        const HOSTS_PER_STEP: usize = 5;
        let scene = Scene::new();
        let names = |what: &str| (0..HOSTS_PER_STEP).map(|number| format!("{what}{number}")).collect::<Vec<_>>();
        let (used, wanted, found) = (names("used"), names("wanted"), names("found"));
        let all = used.iter().chain(&wanted).chain(&found);
        server.client().apply_all(all.clone().map(|name| simulated(name, "?delay=50ms")).collect()).await;
        let mut orders: Vec<Value> = used.iter().map(|name| json!({"host": {"name": name, "state": "INSTALLED"}})).collect();
        orders.extend(wanted.iter().map(|name| order(name, "INSTALL", 1, json!({"state": "ACQUIRED"}))));
        orders.extend(found.iter().map(|name| order(name, "DISCOVER", 1, json!({}))));
        write_as_server(&mut server, orders).await;
        for name in &used {
            switch_on(&scene.world, name).await;
        }
        let client = server.client();
        let mut running = [Some(scene.start(server.url(), 0)), Some(scene.start(server.url(), 1))];
        // Hosts are in use, and the controllers have no state files.
        until_observe_only(&client).await;
        scene.until_looked(&all.clone().collect::<Vec<_>>(), 2).await;
        assert!(all.clone().all(|name| scene.counts(name).network_boots == 0), "nothing is done meanwhile");
        resume(&client).await;
        for round in 0..6 {
            // The moment of the kill is the test: whatever the controllers do then must be safe.
            tokio::time::sleep(Duration::from_millis(300 + 150 * round)).await;
            let victim = rand::random_range(0..2);
            running[victim] = None;
            running[victim] = Some(scene.start(server.url(), victim));
        }
        // Every machine is looked at again and again, also those whose controller was killed: others have taken its leases.
        scene.until_looked(&all.clone().collect::<Vec<_>>(), 4).await;
        for name in &used {
            let counts = scene.counts(name);
            assert_eq!((counts.power_cuts, counts.network_boots, counts.local_boots), (0, 0, 1), "{name} is in use");
        }
        for name in &wanted {
            assert!(scene.counts(name).installs <= 1, "{name} was installed twice by one order");
        }
        let mut done = 0;
        for name in all {
            // A host without a step is one that nobody has come to yet.
            let host = until(&client, name, has_reason).await;
            done += usize::from(host["generation"] == host["generationDone"]);
        }
        assert!(done > HOSTS_PER_STEP, "no order was done");
    }
}
