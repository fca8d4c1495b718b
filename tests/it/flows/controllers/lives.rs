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
use underlay_hosts::controller::{Controller, HOST_LEASES, Means, Scope, Timing};
use underlay_hosts::direct::{self, Direct, RemoteBoots};
use underlay_hosts::life::PowerAct;
use underlay_hosts::machine::{Driver as _, Drivers, Target};
use underlay_hosts::provisioner::Provisioners;
use underlay_hosts::simulated::{Counts, SimulatedProvisioner, World};
use underlay_kit::control::{LeaseTiming, PositionFile, Status, WorkTiming};
use uuid::Uuid;

use super::calls::{Calls, Counted};
use super::{host, write_as_server};
use crate::harness::{self, Client, Server, on_both_databases, scratch};

/// The time that a simulated machine works.
const WORK_TIME: Duration = Duration::from_millis(300);

/// Simulated machines, and the controllers that work on them. The machines live on when a controller is killed.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) provisioner: SimulatedProvisioner,
    pub(super) folder: TempDir,
    timing: Timing,
}

/// A controller that runs as a task. Dropping it kills it: nothing of it goes on, and it gives nothing back.
pub(super) struct Running {
    task: JoinHandle<()>,
    stop: watch::Sender<bool>,
    pub(super) status: Arc<Status>,
    name: String,
    calls: Calls,
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
/// an answer, and a controller does nothing with a host that it read longer ago than half of what a call takes. Leases
/// last as long as for users, so that a slow machine does not lose them.
fn timing() -> Timing {
    let call = Duration::from_secs(5);
    let work = WorkTiming {
        first_pause: Duration::from_millis(200),
        longest_pause: Duration::from_secs(1),
        ..WorkTiming::default()
    };
    Timing {
        call,
        first_polls: Duration::from_millis(300),
        poll_at_work: Duration::from_millis(300),
        poll_at_rest: Duration::from_secs(2),
        first_readings: Duration::from_secs(86_400),
        reading: Duration::from_secs(60),
        reading_retry: Duration::from_secs(2),
        interval_second: Duration::from_millis(20),
        deadline_minute: Timing::default().deadline_minute,
        catch_up: Duration::from_secs(5),
        lives: work,
        polls: WorkTiming { at_once: 64, ..work },
        readings: work,
        leases: LeaseTiming { renew: Duration::from_millis(1_400), settle: call, ..LeaseTiming::default() },
    }
}

/// Times with which the hosts of a killed controller are taken over in seconds.
fn timing_of_killed() -> Timing {
    let (call, timing) = (Duration::from_secs(2), timing());
    let leases = LeaseTiming { ttl: Duration::from_secs(10), settle: call, ..timing.leases };
    Timing { call, leases, ..timing }
}

impl Scene {
    pub(super) fn new() -> Self {
        let world = World::default();
        let provisioner = SimulatedProvisioner::new(world.clone(), WORK_TIME);
        Self { world, provisioner, folder: scratch::folder("hosts"), timing: timing() }
    }

    /// Returns machines at rest that controllers look at only when there is a reason.
    pub(super) fn without_polls() -> Self {
        let scene = Self::new();
        Self { timing: Timing { poll_at_rest: Duration::from_secs(24 * 60 * 60), ..scene.timing }, ..scene }
    }

    /// Returns machines whose controllers hold their leases for seconds.
    pub(super) fn with_short_leases() -> Self {
        Self { timing: timing_of_killed(), ..Self::new() }
    }

    fn state(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("{number}.json"))
    }

    /// Starts a controller of all hosts, with the state file of this number.
    pub(super) fn start(&self, url: &str, number: usize) -> Running {
        self.start_in(url, number, Scope::default())
    }

    /// Starts such a controller that holds its leases for seconds.
    pub(super) fn start_with_short_leases(&self, url: &str, number: usize) -> Running {
        self.start_at(url, number, Scope::default(), timing_of_killed())
    }

    /// Starts a controller with the state file of this number.
    pub(super) fn start_in(&self, url: &str, number: usize, scope: Scope) -> Running {
        self.start_at(url, number, scope, self.timing)
    }

    fn start_at(&self, url: &str, number: usize, scope: Scope, timing: Timing) -> Running {
        let client = Caller::new(url.parse().expect("an address"), Patience::default()).expect("a client");
        let name = format!("{number}-{}", Uuid::new_v4().simple());
        let calls = Calls::default();
        let means = Means {
            api: Counted::new(Remote::new(client.clone(), name.clone()), calls.clone()),
            drivers: Drivers::default().with(Scheme::Simulated, Arc::new(self.world.clone())),
            provisioners: Provisioners::default()
                .with("simulated", Arc::new(self.provisioner.clone()))
                .with(direct::NAME, Arc::new(Direct::new(Arc::new(RemoteBoots::new(client.clone(), name.clone()))))),
            state: PositionFile::new(self.state(number)),
            name: name.clone(),
            scope,
        };
        let controller = Controller::new(means, timing);
        let (status, (stop, stopped)) = (controller.status(), watch::channel(false));
        Running { task: tokio::spawn(async move { controller.run(stopped).await }), stop, status, name, calls }
    }

    /// Waits until a machine was looked at so many times more.
    async fn until_looked(&self, machine: &str, times: u32) {
        let wanted = self.world.looks(machine) + times;
        harness::until(format!("{machine} is looked at {times} times more"), async || {
            let looks = self.world.looks(machine);
            if looks >= wanted { Ok(()) } else { Err(format!("{looks} of {wanted} looks")) }
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
    failure { during reason message } lastOrder { outcome reason message } conditions { type message }";

/// Waits until a host is as it should be.
pub(super) async fn until(client: &Client, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
    harness::until(format!("{name} is as it should be"), async || {
        let now = host(client, name, FIELDS).await;
        if fits(&now) { Ok(now) } else { Err(format!("{now:#}")) }
    })
    .await
}

/// Waits until these controllers made so many whole passes more over each of these hosts: whatever they would do with
/// the hosts now, they have done. Changes of the hosts bring the passes about.
pub(super) async fn until_passed(client: &Client, controllers: &[&Running], hosts: &[impl AsRef<str>], times: usize) {
    let passes = |id: Uuid| controllers.iter().map(|it| it.calls.passes(id)).sum::<usize>();
    let mut wanted: Vec<(&str, Uuid, usize)> = Vec::new();
    for name in hosts {
        let name = name.as_ref();
        let found = host(client, name, "id").await;
        let id = found["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        // The last pass of each controller can go on.
        wanted.push((name, id, passes(id) + times + controllers.len()));
    }
    let mut changes = 0;
    harness::until(format!("each host has {times} whole passes more"), async || {
        wanted.retain(|(_, id, number)| passes(*id) < *number);
        if wanted.is_empty() {
            return Ok(());
        }
        changes += 1;
        let title = format!("change {changes}");
        let items = wanted.iter().map(|(name, ..)| json!({"host": {"name": name, "title": title}}));
        client.apply_all(items.collect()).await;
        Err(format!("these wait for so many passes: {wanted:?}"))
    })
    .await;
}

/// Waits until each of these controllers began so many rounds more over its leases.
async fn until_rounds(controllers: &[&Running], times: usize) {
    let wanted: Vec<usize> = controllers.iter().map(|it| it.calls.rounds() + times).collect();
    harness::until(format!("each controller begins {times} rounds more"), async || {
        let rounds: Vec<usize> = controllers.iter().map(|it| it.calls.rounds()).collect();
        let are_begun = rounds.iter().zip(&wanted).all(|(now, wanted)| now >= wanted);
        if are_begun { Ok(()) } else { Err(format!("{rounds:?} of {wanted:?}")) }
    })
    .await;
}

/// Waits until these controllers hold all leases, each the same number.
pub(super) async fn until_divided(client: &Client, controllers: &[&Running]) {
    let query = "{ leases(prefix: \"hosts/\") { leases { holder until } now } }";
    // Each has another one, by which the others know of it.
    let share = HOST_LEASES / controllers.len() + 1;
    harness::until("the controllers hold all leases", async || {
        let found = client.ok(query, json!({})).await["leases"].take();
        let (leases, now) = (found["leases"].as_array().expect("leases"), found["now"].as_str());
        let is_of = |lease: &&Value, holder: &str| lease["holder"] == holder && lease["until"].as_str() > now;
        let held = |it: &&Running| leases.iter().filter(|lease| is_of(lease, &it.name)).count();
        let counts: Vec<usize> = controllers.iter().map(held).collect();
        if counts.iter().all(|count| *count == share) { Ok(()) } else { Err(format!("{counts:?}")) }
    })
    .await;
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
        let known = until_state(&client, "m1", "REGISTERED").await;
        assert_eq!(known["lastOrder"]["outcome"], "DONE", "that it was off says nothing of its disks");
        command(&client, "discoverHosts", &ids, json!({"adopt": true})).await;
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
        scene.until_looked("often-1", 10).await;
        assert!(scene.world.looks("seldom-1") <= 3, "{} looks", scene.world.looks("seldom-1"));
        // Whoever changes the interval need not restart anything: the controller reads it with the host.
        let id = client.ok("{ appliance(name: \"often\") { id } }", json!({})).await["appliance"]["id"].take();
        let update = "mutation($id: ID!) { updateAppliance(id: $id, patch: {interval: 86400}) { revision } }";
        client.ok(update, json!({ "id": id })).await;
        client.apply_all(vec![json!({"host": {"name": "often-1", "title": "read again"}})]).await;
        harness::until("it is polled no more while the other one is polled ten times", async || {
            let before = scene.world.looks("often-1");
            scene.until_looked("steady-1", 10).await;
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

/// Returns the controllers that run.
fn living(running: &[Option<Running>]) -> Vec<&Running> {
    running.iter().flatten().collect()
}

/// Returns how far all hosts are.
async fn all_hosts(client: &Client) -> Value {
    let all = "{ hosts(first: 100) { nodes { name state power generation generationDone step { name attempt } } } }";
    client.ok(all, json!({})).await["hosts"]["nodes"].take()
}

/// Returns the number of hosts without an open order.
fn without_order(hosts: &Value) -> usize {
    let hosts = hosts.as_array().expect("hosts");
    hosts.iter().filter(|host| host["generation"] == host["generationDone"]).count()
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
        let scene = Scene::with_short_leases();
        let names = |what: &str| (0..HOSTS_PER_STEP).map(|number| format!("{what}{number}")).collect::<Vec<_>>();
        let (used, wanted, found) = (names("used"), names("wanted"), names("found"));
        let all: Vec<&String> = used.iter().chain(&wanted).chain(&found).collect();
        server.client().apply_all(all.iter().map(|name| simulated(name, "?delay=50ms")).collect()).await;
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
        until_divided(&client, &living(&running)).await;
        for name in wanted.iter().chain(&found) {
            until(&client, name, |host| host["conditions"].to_string().contains("ObserveOnly")).await;
        }
        until_passed(&client, &living(&running), &all, 2).await;
        assert!(all.iter().all(|name| scene.counts(name).network_boots == 0), "nothing is done meanwhile");
        resume(&client).await;
        // Controllers come back to a halted order after half a minute, and at once if its host changes.
        let resumed = all.iter().map(|name| json!({"host": {"name": name, "title": "resumed"}}));
        client.apply_all(resumed.collect()).await;
        for _ in 0..6 {
            // The moment of the kill is random: whatever the controllers do then must be safe.
            let calls = || living(&running).iter().map(|it| it.calls.all()).sum::<usize>();
            let enough = calls() + rand::random_range(1..40_usize);
            harness::until("the controllers begin more calls", async || calls() >= enough).await;
            let victim = rand::random_range(0..2);
            running[victim] = None;
            running[victim] = Some(scene.start(server.url(), victim));
        }
        // The last ones take over everything. Three rounds later the calls of earlier holders are over: they may act.
        let last = living(&running);
        until_divided(&client, &last).await;
        until_rounds(&last, 3).await;
        harness::until("an order is done", async || {
            let hosts = all_hosts(&client).await;
            if without_order(&hosts) > HOSTS_PER_STEP { Ok(()) } else { Err(format!("{hosts:#}")) }
        })
        .await;
        // What provisioners work on goes on within a round, and each host is decided on again.
        harness::until("no host moves any more", async || {
            let before = all_hosts(&client).await;
            until_rounds(&last, 2).await;
            until_passed(&client, &last, &all, 2).await;
            let after = all_hosts(&client).await;
            if after == before { Ok(()) } else { Err(format!("{after:#}")) }
        })
        .await;
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
