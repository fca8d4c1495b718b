//! Random reports, edits, releases, links and restarts, at several processes, against a plain model.

use std::sync::Arc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use tokio::sync::Notify;
use underlay_engine::facts::{Facts, FactsTimes};
use underlay_engine::feed;
use underlay_engine::store::{ChangeQuery, FactsStore, Retention};
use underlay_engine::write::{Batch, Conflicts, Item, Release};
use underlay_entity::device::Model as DeviceRow;
use underlay_entity::facts::FactsOrigin;
use underlay_entity::host::Model as HostRow;
use underlay_facts::{Outcome, Report};
use underlay_inventory::{Kind, Snapshot, cast};
use underlay_kinds::device::Device;
use underlay_kinds::facts::keep_recorded;
use underlay_kinds::host::Host;

use super::{GB, Machine, Reading, device, host, report, site};
use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::{postgres, until};

/// A process on a database.
struct Process {
    inside: Inside,
    facts: Facts,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Process {
    async fn start(url: &str) -> Self {
        let inside = Inside::open(url).await;
        let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
        let moment = Duration::from_millis(5);
        let times = FactsTimes { period: moment, gathering: moment, hearing: moment, recording: moment };
        let (facts, writer) = Facts::load(store, inside.store.clone(), times).await.expect("load the facts");
        let mut tasks = vec![
            tokio::spawn(writer.run(inside.current.clone(), Retention::ForEver)),
            tokio::spawn(keep_recorded(inside.sources(), facts.clone())),
        ];
        if inside.store.is_shared() {
            let (wake, listened) = (Arc::new(Notify::new()), url.parse().expect("a URL"));
            tasks.push(tokio::spawn(feed::notify(inside.store.clone(), listened, Arc::clone(&wake))));
            tasks.push(tokio::spawn(feed::keep_up(inside.store.clone(), inside.current.clone(), wake)));
        }
        Self { inside, facts, tasks }
    }

    /// Ends the process in the middle of what it does.
    fn kill(self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

/// The state of a device, as a plain model knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    hardware: Option<Machine>,
    /// True if a person holds it.
    is_held: bool,
    /// True if the host is the device.
    is_linked: bool,
    /// The last report: what it knows, and whether it knows the disks.
    report: Option<(Machine, Reading)>,
    /// The number of times that the server recorded it, before the last step.
    recorded: usize,
}

impl Known {
    /// Does what the server is to do. Returns true if that is anything.
    fn settle(&mut self) -> bool {
        let Some((machine, reading)) = self.report.clone().filter(|_| self.is_linked && !self.is_held) else {
            return false;
        };
        let before = self.hardware.clone().unwrap_or_default();
        let disks = if reading == Reading::Complete { machine.disks } else { before.disks };
        let after = Machine { disks, ..machine };
        let differs = Some(&after) != self.hardware.as_ref();
        self.hardware = Some(after);
        differs
    }
}

const HOSTS: usize = 6;
const STEPS: usize = 40;

/// Random reports, edits, releases, links and restarts, at one of several processes each: each device ends up with what the
/// model says, and was written as often as it says.
async fn what_is_recorded_is_what_a_plain_model_records(url: &str, processes: usize) {
    let seed = rand::random::<u64>();
    let mut random = StdRng::seed_from_u64(seed);
    let mut running = Vec::new();
    for _ in 0..processes {
        running.push(Process::start(url).await);
    }
    let names: Vec<String> = (0..=HOSTS).map(|at| format!("h{at}")).collect();
    let created = [site()].into_iter().chain(names.iter().map(|name| device(name, None)));
    let created = created.chain(names.iter().map(|name| host(name)));
    write(&running[0], created.collect()).await;
    let linked = Known { is_linked: true, ..Known::default() };
    let mut known = vec![linked; HOSTS];
    let mut marker = 0;

    for step in 0..STEPS {
        let at = random.random_range(0..HOSTS);
        let process = random.random_range(0..processes);
        let (it, name) = (&mut known[at], &names[at]);
        // A disk that one report lacks is gone with the next one, and may be recorded in between.
        let mut reports_disks_of = None;
        match random.random_range(0..10) {
            0..5 => {
                let machine = Machine {
                    cores: random.random_range(1..4),
                    memory: GB * random.random_range(1..3),
                    disks: random.random_range(0..4),
                };
                let reading = if random.random_bool(0.8) { Reading::Complete } else { Reading::Incomplete };
                say(&running[process], name, &report(&machine, reading)).await;
                it.report = Some((machine, reading));
                reports_disks_of = (reading == Reading::Complete).then_some(at);
            }
            5 => {
                let machine = Machine { cores: 9, memory: GB, disks: 0 };
                let hardware = json!({"cpuCores": machine.cores, "memoryBytes": machine.memory});
                write(&running[process], vec![device(name, Some(hardware))]).await;
                (it.hardware, it.is_held) = (Some(machine), true);
            }
            6 | 7 => {
                release(&running[process], name).await;
                it.is_held = false;
            }
            8 => {
                it.is_linked = !it.is_linked;
                let machine = json!({"host": {"name": name, "machine": null}});
                write(&running[process], vec![if it.is_linked { host(name) } else { machine }]).await;
            }
            _ => {
                running.remove(process).kill();
                running.push(Process::start(url).await);
            }
        }
        let differing: Vec<bool> = known.iter_mut().map(Known::settle).collect();
        let process = random.random_range(0..processes);
        settle(&running[process], &names[HOSTS], &mut marker).await;
        for (at, (it, differs)) in known.iter_mut().zip(differing).enumerate() {
            let (process, name) = (&running[process], &names[at]);
            assert_eq!(recorded(process, name), it.hardware, "seed {seed}, step {step}: {name}");
            let changes = recordings(process, name).await;
            let times = changes - it.recorded;
            let (least, most) =
                (usize::from(differs), if reports_disks_of == Some(at) { 2 } else { usize::from(differs) });
            assert!((least..=most).contains(&times), "seed {seed}, step {step}: {name} is recorded {times} times");
            it.recorded = changes;
        }
    }
    running.into_iter().for_each(Process::kill);
}

fn rows<K: Kind>(snapshot: &Snapshot) -> impl Iterator<Item = &K::Row> {
    snapshot.table(K::ID).rows(0).map(|(_, row)| cast::<K::Row>(row.as_ref()))
}

fn host_row(snapshot: &Snapshot, name: &str) -> HostRow {
    rows::<Host>(snapshot).find(|host| host.name == name).expect("the host").clone()
}

fn device_row(snapshot: &Snapshot, name: &str) -> DeviceRow {
    rows::<Device>(snapshot).find(|device| device.name == name).expect("the device").clone()
}

/// What a process has as the hardware of a device.
fn recorded(process: &Process, name: &str) -> Option<Machine> {
    let hardware = device_row(&process.inside.current.get(), name).hardware?;
    let cores = hardware.cpu_cores.and_then(|cores| cores.try_into().ok()).unwrap_or_default();
    let memory = hardware.memory_bytes.and_then(|bytes| bytes.0.try_into().ok()).unwrap_or_default();
    Some(Machine { cores, memory, disks: hardware.disks.len() })
}

/// The number of changes of a device that the server made.
async fn recordings(process: &Process, name: &str) -> usize {
    let device = device_row(&process.inside.current.get(), name).id;
    let sources = Some(vec!["facts".to_owned()]);
    let query = ChangeQuery { objects: Some(vec![device]), sources, limit: 1_000, ..ChangeQuery::default() };
    process.inside.store.changes(&query).await.expect("changes").len()
}

async fn write(process: &Process, new: Vec<Value>) {
    write_batch(process, Batch { conflicts: Conflicts::Force, ..batch(items(new)) }).await;
}

/// Reads what other processes wrote.
async fn catch_up(process: &Process) {
    feed::catch_up(&process.inside.store, &process.inside.current).await.expect("the snapshot");
}

async fn release(process: &Process, name: &str) {
    catch_up(process).await;
    let object = json!(device_row(&process.inside.current.get(), name).id);
    let what = Release::Fields(vec!["hardware".to_owned()]);
    write_batch(process, batch(vec![Item::Release { kind: None, object, what }])).await;
}

async fn write_batch(process: &Process, batch: Batch) {
    let answer = process.inside.writer.write(batch).await.expect("it is written");
    let refused = answer.outcomes.iter().find_map(|outcome| outcome.error.clone());
    assert_eq!(refused, None);
}

/// Reports twice, so that what is missing is gone.
async fn say(process: &Process, name: &str, message: &Value) {
    catch_up(process).await;
    let host = host_row(&process.inside.current.get(), name).id;
    let report: Report = serde_json::from_value(message.clone()).expect("a report");
    // An agent does not go to another process within the second in which that one learns of its last report.
    process.facts.catch_up().await.expect("the facts");
    process.facts.accept(host, FactsOrigin::Agent, &report).await.expect("accepted");
    let again = process.facts.accept(host, FactsOrigin::Agent, &report).await.expect("accepted");
    assert_eq!(again, Outcome::Unchanged);
    let Some(disks) = report.sections.disks.filter(|disks| disks.complete) else { return };
    until("what is missing is gone", async || {
        let summary = process.facts.summary(host).expect("a summary");
        summary.disks.as_ref().is_some_and(|found| found.len() == disks.found.len())
    })
    .await;
}

/// Waits until a process has everything that follows from what happened before: the look that records the second marker has
/// seen the first one.
async fn settle(process: &Process, name: &str, marker: &mut u32) {
    for _ in 0..2 {
        *marker += 1;
        let machine = Machine { cores: *marker, memory: GB, disks: 0 };
        say(process, name, &report(&machine, Reading::Complete)).await;
        until("the marker is recorded", async || recorded(process, name).as_ref() == Some(&machine)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_model_agrees_on_sqlite() {
    let (url, _folder) = sqlite();
    what_is_recorded_is_what_a_plain_model_records(&url, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_plain_model_agrees_on_postgres() {
    let url = postgres::create_database().await;
    what_is_recorded_is_what_a_plain_model_records(&url, 3).await;
    postgres::drop_database(&url).await;
}
