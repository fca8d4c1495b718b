//! A synchronizer that goes on while a NetBox is changed. Once all is quiet, the inventory is that of a first scan.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;
use underlay_client::{Client as Caller, Patience};
use underlay_kit::sync::{
    Duty, NewSource, Observer, Pauses, Prune, Ran, RunMode, Runner, Server as SyncServer, State, Tally, Timing,
};
use underlay_netbox::{NetBox, Pace, Settings, TokenSource};

use super::net::{ADDRESS, BLADES, CABLES, CHASSIS, INTERFACES, MEMBERS, Net, VRFS, id};
use super::{Change, approve, clean, differences, kept, raise_limits};
use crate::flows::sync_netbox::replay::TOKEN;
use crate::harness::{Database, Server, until};

/// A synchronizer that goes on, with short times.
pub struct Live {
    server: Server,
    runs: Arc<Runs>,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<Ran>,
}

/// What the synchronizer said.
#[derive(Default)]
struct Runs {
    said: Mutex<Vec<String>>,
    full: Mutex<usize>,
}

impl Runs {
    fn say(&self, text: String) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    fn full(&self) -> usize {
        *self.full.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn said(&self) -> Vec<String> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Observer for Runs {
    fn progress(&self, _: &Tally) {}

    fn ended(&self, ran: &Ran) {
        if ran.mode == RunMode::Full {
            *self.full.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        }
        self.say(format!("{:?} {:?} {:?}", ran.mode, ran.end, ran.tally));
    }

    fn problem(&self, text: &str) {
        self.say(format!("problem: {text}"));
    }

    fn note(&self, text: &str) {
        self.say(format!("note: {text}"));
    }
}

impl Live {
    /// Starts a synchronizer, and waits for its first scan.
    pub async fn start(server: Server, net: &Net) -> Self {
        let millis = Duration::from_millis;
        let token = TokenSource::Text(TOKEN.to_owned());
        let settings = Settings::new("netbox", &net.replay.url, token).expect("the word lists");
        let pace = Pace { hints: millis(20), ..settings.pace };
        let adapter = NetBox::new(Settings { pace, ..settings }).expect("an adapter");
        let caller = Caller::new(server.url().parse().expect("an address"), Patience::default()).expect("a client");
        let calls = SyncServer::new(caller, "netbox".to_owned(), Pauses::default());
        let new = NewSource { kind: "netbox", url: None, interval_seconds: 86_400, prune: Prune::Delete };
        let interval = Duration::from_secs(86_400);
        // What is missing for a minute in earnest is missing for seconds here: what is deleted together must be found
        // within this time, on a busy machine too, or it is proved in parts.
        let soon = Duration::from_secs(5);
        let timing = Timing { interval, coalesce: millis(50), breath: millis(1), soon, ..Timing::default() };
        let runs = Arc::new(Runs::default());
        let observer: Arc<dyn Observer> = Arc::clone(&runs) as _;
        let (stop, stopped) = watch::channel(false);
        let mut runner = Runner::new(adapter, calls, new, State::in_memory("netbox"), timing, observer);
        let task = tokio::spawn(async move { runner.run(Duty::Forever, stopped).await });
        let live = Self { server, runs, stop, task };
        until("the first scan has ended", async || live.runs.full() > 0).await;
        raise_limits(&live.server).await;
        live
    }

    /// Waits until the inventory is that of a first scan. Nobody decides anything.
    async fn quiet(&self, net: &Net) {
        let expected = clean(net).await;
        until("the inventory is that of a first scan", async || {
            let differs = differences(&expected, &kept(&self.server).await.0);
            if differs.is_empty() { Ok(()) } else { Err(self.why(&differs)) }
        })
        .await;
    }

    /// Does the same, and an operator decides about what full scans hold.
    pub async fn decided(&self, net: &Net) {
        let expected = clean(net).await;
        until("the inventory is that of a first scan", async || {
            let differs = differences(&expected, &kept(&self.server).await.0);
            if differs.is_empty() {
                return Ok(());
            }
            let approved = approve(&self.server).await;
            if approved.code == 0 {
                // What waited for this is written by the next scan.
                net.bring_scan_forward();
                self.runs.say(format!("approved: {}", approved.stderr));
            }
            Err(self.why(&differs))
        })
        .await;
    }

    fn why(&self, differs: &[String]) -> String {
        let said = self.runs.said();
        let last = said.len().saturating_sub(12);
        format!("{}\n{}", differs[..differs.len().min(8)].join("\n"), said[last..].join("\n"))
    }

    pub async fn stop(self) {
        self.stop.send_replace(true);
        self.task.await.expect("it ends");
    }
}

/// Changes that arrive without a full scan.
const CHANGES: [Change; 13] = [
    ("the primary address of a device is edited", |net| net.edit_address(ADDRESS, "192.0.2.77/24")),
    ("another address becomes the primary one", |net| {
        net.assign(9_600, "192.0.2.99/24", 9_101);
        net.set_primary(MEMBERS[0], 9_600);
    }),
    ("the primary address is deleted", |net| net.delete_address(9_600)),
    ("a VRF is renamed", |net| net.rename(VRFS, 5, "blue")),
    ("a bridge is renamed", |net| net.rename(INTERFACES, 9_001, "br7")),
    ("a site has one coordinate", |net| net.change("dcim/sites", 24, json!({"latitude": 52.25, "longitude": null}))),
    ("two blades swap their bays", |net| net.swap("dcim/devices", BLADES, &["parent_device"])),
    ("a cable is deleted", |net| net.delete(CABLES, id(&net.list(CABLES)[0]))),
    ("a cable is plugged anew", |net| {
        let cables = net.list(CABLES);
        let cable = cables.iter().find(|cable| cable["a_terminations"][0]["object_type"] == "dcim.interface");
        net.replace_cable(cable.expect("a cable"), json!({"label": "new"}));
    }),
    ("a device with cables is exchanged", |net| {
        let routers = net.list("dcim/devices");
        let router = routers.iter().find(|device| device["role"]["slug"] == "router" && id(device) < CHASSIS);
        net.replace_device(id(router.expect("a router")));
    }),
    ("a device with a LAG is exchanged", |net| {
        net.change("dcim/devices", MEMBERS[0], json!({"virtual_chassis": null}));
        net.change("dcim/devices", MEMBERS[1], json!({"virtual_chassis": null}));
        for port in [9_002, 9_102] {
            net.change(INTERFACES, port, json!({"lag": null}));
        }
        net.replace_device(MEMBERS[0]);
    }),
    ("a device with cables is deleted", |net| {
        let cables = net.list(CABLES);
        let end =
            cables.iter().map(|cable| &cable["a_terminations"][0]).find(|end| end["object_type"] == "dcim.interface");
        let port = net.get(INTERFACES, end.expect("a cable")["object_id"].as_u64().expect("an id"));
        net.delete_device(id(&port["device"]));
    }),
    ("a chassis with blades is deleted", |net| {
        BLADES.iter().chain([&CHASSIS]).for_each(|device| net.delete_device(*device));
    }),
];

#[tokio::test]
async fn what_is_edited_deleted_and_exchanged_there_arrives_without_a_scan() {
    let net = Net::small().await;
    let live = Live::start(Server::start(Database::Sqlite).await, &net).await;
    for (what, change) in CHANGES {
        eprintln!("{what}");
        let before = live.runs.full();
        change(&net);
        live.quiet(&net).await;
        assert_eq!(live.runs.full(), before, "{what}: {:#?}", live.runs.said());
    }
    live.stop().await;
}

/// Changes of one device on which others of its stack depend, and their LAGs.
const STACK_CHANGES: [Change; 5] = [
    ("the master of a stack moves to another site", |net| net.move_device(MEMBERS[0], elsewhere(net), json!(null))),
    ("the other one follows", |net| net.move_device(MEMBERS[1], elsewhere(net), json!(null))),
    ("the master gets the role of a chassis", |net| {
        let chassis = net.get("dcim/devices", CHASSIS);
        net.change("dcim/devices", MEMBERS[0], json!({"role": chassis["role"]}));
    }),
    ("the other one leaves its rack", |net| net.change("dcim/devices", MEMBERS[1], json!({"rack": null}))),
    ("the other one leaves the stack", |net| net.change("dcim/devices", MEMBERS[1], json!({"virtual_chassis": null}))),
];

/// Returns a rack at another site than that of the first stack.
fn elsewhere(net: &Net) -> u64 {
    let site = id(&net.get("dcim/devices", BLADES[0])["site"]);
    let racks = net.list("dcim/racks");
    id(racks.iter().find(|rack| id(&rack["site"]) != site).expect("a rack at another site"))
}

#[tokio::test]
async fn what_the_others_of_a_stack_are_in_arrives() {
    let net = Net::small().await;
    let live = Live::start(Server::start(Database::Sqlite).await, &net).await;
    for (what, change) in STACK_CHANGES {
        eprintln!("{what}");
        change(&net);
        live.quiet(&net).await;
    }
    live.stop().await;
}
