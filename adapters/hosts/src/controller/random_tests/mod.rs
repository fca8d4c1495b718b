//! Lives of many simulated hosts at random, with faults at every call, while controllers are killed and frozen, the server is
//! restored, and people and databases are in disorder. The machines count every reboot, wipe and install of one in use.

mod disorder;
mod frozen;
mod owner;
mod people;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use underlay_address::Scheme;
use underlay_kit::control::PositionFile;
use uuid::Uuid;

use self::disorder::{Disorder, share_identities};
use self::frozen::Freezer;
use self::owner::Owner;
use self::people::People;
use super::{Controller, Means, Scope, Timing};
use crate::api::model::Model;
use crate::host::State;
use crate::machine::Drivers;
use crate::provisioner::Provisioners;
use crate::simulated::{Fault, SimulatedProvisioner, World};

const SECOND: Duration = Duration::from_secs(1);
const HOST_COUNT: usize = 200;
/// The time between two looks of people, and of trouble.
const TROUBLE_INTERVAL: Duration = Duration::from_secs(30);

/// The world of a test.
struct Scene {
    model: Model,
    world: World,
    provisioner: SimulatedProvisioner,
    owner: Owner,
    people: People,
    folder: TempDir,
    running: BTreeMap<usize, Process>,
    disorder: Disorder,
    stop: watch::Sender<bool>,
}

/// A controller that runs.
struct Process {
    task: JoinHandle<()>,
    freezer: Freezer,
}

impl Scene {
    fn new(random: &mut SmallRng, hosts: usize) -> Self {
        let (model, world) = (Model::new(random.random()), World::default());
        let provisioner = SimulatedProvisioner::new(world.clone(), SECOND * 600);
        let owner = Owner::new(world.clone(), provisioner.clone());
        let people = People::new(&model, &world);
        share_identities(&world, hosts);
        for number in 0..hosts {
            let id = uuid::Builder::from_random_bytes(random.random()).into_uuid();
            let machine = format!("m{number}");
            let url = address(random, &machine);
            let is_in_use = number % 10 == 0;
            let state = if is_in_use { State::Installed } else { State::Registered };
            people.know(&machine, id, is_in_use);
            let provisioner = if number % 3 == 0 { "owner" } else { "simulated" };
            model.add(id, &machine, &url, Some(provisioner), state);
        }
        let folder = tempfile::tempdir().unwrap();
        let (stop, _) = watch::channel(false);
        let (running, disorder) = Default::default();
        Self { model, world, provisioner, owner, people, folder, running, disorder, stop }
    }

    fn state_file(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("{number}.json"))
    }

    /// Starts a controller. It gets a state file before hosts are in use, as an operator would give it one.
    fn start(&mut self, number: usize) {
        let process = self.process(&self.model, self.state_file(number));
        self.running.insert(number, process);
    }

    /// Starts a controller of a server, with a state file.
    fn process(&self, model: &Model, state: PathBuf) -> Process {
        let means = Means {
            api: model.client(),
            drivers: Drivers::default().with(Scheme::Simulated, Arc::new(self.world.clone())),
            provisioners: Provisioners::default()
                .with("simulated", Arc::new(self.provisioner.clone()))
                .with("owner", Arc::new(self.owner.clone())),
            state: PositionFile::new(state),
            name: Uuid::new_v4().to_string(),
            scope: Scope::default(),
        };
        let controller = Controller::new(means, Timing::default());
        let (freezer, stop) = (Freezer::default(), self.stop.subscribe());
        let process = freezer.process(async move { controller.run(stop).await });
        Process { task: tokio::spawn(process), freezer }
    }

    /// Kills a controller.
    fn kill(&mut self, number: usize) {
        if let Some(process) = self.running.remove(&number) {
            process.task.abort();
        }
    }

    /// Makes trouble for one of the controllers.
    fn trouble(&mut self, random: &mut SmallRng, frozen: &mut BTreeMap<usize, u32>) {
        let number = random.random_range(0..3);
        match (random.random_range(0..4), self.running.contains_key(&number)) {
            (0, true) => self.kill(number),
            (1, true) => {
                self.running[&number].freezer.set(true);
                frozen.insert(number, random.random_range(1..8));
            }
            (_, false) => {
                // Sometimes the state file is lost too, so that it depends on whom it meets.
                if random.random_bool(0.3) {
                    drop(std::fs::remove_file(self.state_file(number)));
                }
                self.start(number);
            }
            _ => {}
        }
        frozen.retain(|number, ticks| {
            *ticks -= 1;
            if *ticks == 0
                && let Some(process) = self.running.get(number)
            {
                process.freezer.set(false);
            }
            *ticks > 0
        });
    }

    /// Describes what each controller knows: whether it runs, and the position in its file.
    fn known(&self) -> Vec<String> {
        let describe = |number: usize| {
            let runs = self.running.get(&number).map(|process| process.task.is_finished());
            format!("{number}: ended {runs:?}, {:?}", PositionFile::new(self.state_file(number)).read())
        };
        (0..3).map(describe).collect()
    }

    /// Has all three controllers run.
    fn heal(&mut self) {
        for number in 0..3 {
            match self.running.get(&number) {
                Some(process) => process.freezer.set(false),
                None => self.start(number),
            }
        }
    }
}

/// Returns the address of a machine, with some faults that come at random.
fn address(random: &mut SmallRng, machine: &str) -> String {
    let names: Vec<&str> = Fault::ALL.iter().map(|(name, _)| *name).collect();
    let count = random.random_range(0..=2);
    let faults: Vec<&str> = names.choose_multiple(random, count).copied().collect();
    let (delay, seed) = (random.random_range(0..3_000), random.random::<u32>());
    if faults.is_empty() {
        return format!("simulated://{machine}?delay={delay}ms");
    }
    format!("simulated://{machine}?fault={}&delay={delay}ms&seed={seed}", faults.join(","))
}

/// The restore in the middle of a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Restore {
    /// The server is restored as `underlay restore` does.
    Proper,
    /// Somebody replaces the database, and nothing but its history shows it.
    ByHand,
    /// An older file of the database is copied back, or a snapshot: its history has the same id.
    ByFile,
}

/// Lives for some hours, and waits until every order has ended. Returns the scene with what went wrong.
async fn live(seed: u64, hosts: usize, hours: u32, restore: Restore) -> (Scene, Vec<String>) {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut scene = Scene::new(&mut random, hosts);
    // The operator starts the controllers for the first time, and lets them act.
    (0..2).for_each(|number| scene.start(number));
    sleep(SECOND * 80).await;
    assert!(!scene.model.observe_only().is_empty(), "a controller without its state file must not act");
    sleep(SECOND * 20).await;
    scene.model.resume();
    std::fs::copy(scene.state_file(0), scene.state_file(2)).unwrap();
    scene.model.set_faults(0.1, SECOND * 2);
    let ticks = hours * 120;
    let (mut backup, mut frozen, mut halts) = (scene.model.backup(), BTreeMap::new(), 0);
    for tick in 0..ticks {
        scene.people.act(&scene.world, &mut random);
        scene.trouble(&mut random, &mut frozen);
        scene.disorder(&mut random);
        if !scene.model.observe_only().is_empty() {
            // A controller that lost its state file met nobody. The graph is right.
            halts += 1;
            scene.model.resume();
        }
        if tick == ticks / 3 {
            backup = scene.model.backup();
        }
        if tick == ticks / 2 {
            scene.tidy();
            scene.people.set_restoring(true);
            let before = scene.known();
            match restore {
                Restore::Proper => scene.model.restore(backup.clone()),
                Restore::ByHand => scene.model.replace(backup.clone()),
                Restore::ByFile => scene.model.roll_back(backup.clone()),
            }
            sleep(SECOND * 300).await;
            scene.heal();
            // One that lost its file asks the server some thirty times before it says so, and any call may fail.
            let start = Instant::now();
            while scene.model.observe_only().is_empty() {
                let known = scene.known();
                assert!(
                    start.elapsed() < SECOND * 3_600,
                    "seed {seed}: nobody noticed: before {before:#?}, after {known:#?}"
                );
                sleep(SECOND).await;
            }
            sleep(SECOND * 300).await;
            scene.people.correct();
            scene.people.set_restoring(false);
            scene.model.resume();
        }
        sleep(TROUBLE_INTERVAL).await;
    }
    // The trouble ends, and every order comes to its end.
    scene.heal();
    scene.tidy();
    scene.people.tidy_cables(&scene.world);
    scene.model.set_faults(0.0, SECOND / 10);
    sleep(SECOND * 300).await;
    scene.model.resume();
    println!("controllers could only observe {halts} times besides");
    sleep(SECOND * 3_600 * 5).await;
    let mut wrong = scene.people.wrong(&scene.world);
    wrong.append(&mut scene.disorder.wrong);
    wrong.extend(
        scene.model.hardware_of_others().into_iter().map(|name| format!("{name}: the hardware of another machine")),
    );
    (scene, wrong)
}

/// Returns the number of times that a test lives through all of it, so that `UNDERLAY_LIVES` hosts live in the
/// three of them: 600 without it.
fn rounds() -> usize {
    let lives = std::env::var("UNDERLAY_LIVES").ok().and_then(|lives| lives.parse().ok()).unwrap_or(3 * HOST_COUNT);
    lives.div_ceil(3 * HOST_COUNT).max(1)
}

async fn check(restore: Restore) {
    for _ in 0..rounds() {
        check_once(restore).await;
    }
}

async fn check_once(restore: Restore) {
    let seed = rand::random();
    println!("seed {seed}");
    let (scene, wrong) = live(seed, HOST_COUNT, 1, restore).await;
    assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
    let installed = scene.people.installed();
    let (presses, confusions) = (scene.people.presses(), scene.people.confusions());
    let revisions = scene.model.revisions();
    println!(
        "{installed} times in use, {presses} buttons pressed, {confusions} cables confused, {revisions} revisions"
    );
    let Disorder { copies, lags, exchanges, cancelled, armed, .. } = &scene.disorder;
    let disorder = [copies, lags, exchanges, cancelled, armed];
    println!(
        "{copies} copies of the database, {lags} times behind, {exchanges} exchanged addresses, {cancelled} orders cancelled, {armed} boots set"
    );
    assert!(disorder.iter().all(|count| **count > 0), "seed {seed}: {disorder:?}");
    let read = scene.model.all().iter().filter(|host| !scene.model.hardware(host.id).is_empty()).count();
    assert!(read > HOST_COUNT / 2, "seed {seed}: the hardware of only {read} hosts was reported");
    assert!(confusions > 50, "seed {seed}: only {confusions} cables were confused");
    assert!(presses > 50, "seed {seed}: only {presses} buttons were pressed");
    assert!(installed > 20, "seed {seed}: only {installed} hosts came into use");
    assert!(scene.model.refused_reports() > 0, "seed {seed}: no controller was ever late");
}

#[tokio::test(start_paused = true)]
async fn no_machine_in_use_is_touched_when_controllers_fail_and_the_server_is_restored() {
    check(Restore::Proper).await;
}

#[tokio::test(start_paused = true)]
async fn no_machine_in_use_is_touched_when_the_database_is_replaced_by_hand() {
    check(Restore::ByHand).await;
}

#[tokio::test(start_paused = true)]
async fn no_machine_in_use_is_touched_when_the_file_of_the_database_is_copied_back() {
    check(Restore::ByFile).await;
}

#[tokio::test(start_paused = true)]
async fn controllers_that_all_lost_their_files_say_so_soon_though_every_tenth_call_fails() {
    for seed in 0..40 {
        let mut scene = Scene::new(&mut SmallRng::seed_from_u64(seed), 20);
        scene.model.set_faults(0.1, SECOND * 2);
        (0..3).for_each(|number| scene.start(number));
        // A controller looks at the leases of others for at least a minute.
        let start = Instant::now();
        while scene.model.observe_only().is_empty() {
            assert!(start.elapsed() < SECOND * 300, "seed {seed}: {:#?}", scene.known());
            sleep(SECOND).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn idle_hosts_that_are_polled_make_no_revision() {
    let mut random = SmallRng::seed_from_u64(1);
    let mut scene = Scene::new(&mut random, 0);
    for number in 0..100 {
        let (id, machine) = (Uuid::new_v4(), format!("m{number}"));
        scene.model.add(id, &machine, &format!("simulated://{machine}"), Some("simulated"), State::Available);
    }
    scene.start(0);
    sleep(SECOND * 400).await;
    let hosts = scene.model.all();
    assert!(hosts.iter().all(|host| host.power == crate::host::Power::Off), "every host was polled once");
    let before = scene.model.revisions();
    sleep(SECOND * 3_600).await;
    assert_eq!(scene.model.revisions(), before);
    let now = scene.model.now();
    for host in scene.model.all() {
        let seen = host.observed.seen_at.unwrap();
        assert!(
            now - seen < chrono::TimeDelta::minutes(12),
            "{} was seen {} s ago",
            host.name,
            (now - seen).num_seconds()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn hosts_at_rest_are_polled_as_often_as_their_appliance_says() {
    let mut random = SmallRng::seed_from_u64(1);
    let mut scene = Scene::new(&mut random, 0);
    // The looks at all hosts, every ten minutes, add no polls of hosts that are polled less often.
    let table = [("without", None, 18..=28), ("often", Some(60), 100..=140), ("seldom", Some(3_600), 2..=3)];
    for (name, interval, _) in &table {
        let id = Uuid::new_v4();
        scene.model.add(id, name, &format!("simulated://{name}"), Some("simulated"), State::Available);
        scene.model.edit(id, |host| host.interval = *interval);
    }
    scene.start(0);
    sleep(SECOND * 7_200).await;
    for (name, _, expected) in table {
        // A reading looks before it begins and after it.
        let looks = scene.world.looks(name) - 2 * scene.world.readings(name).ended;
        assert!(expected.contains(&looks), "{name}: {looks} looks in two hours");
    }
}

#[tokio::test(start_paused = true)]
async fn a_host_that_is_seldom_polled_at_rest_is_polled_at_work() {
    let mut random = SmallRng::seed_from_u64(1);
    let mut scene = Scene::new(&mut random, 0);
    let id = Uuid::new_v4();
    scene.model.add(id, "m", "simulated://m", Some("simulated"), State::Acquired);
    scene.model.edit(id, |host| host.interval = Some(86_400));
    scene.start(0);
    sleep(SECOND * 120).await;
    scene.model.resume();
    assert!(scene.model.order(id, crate::host::Order::Install, false));
    sleep(SECOND * 1_800).await;
    assert_eq!(scene.model.get(id).unwrap().state, State::Installed);
    let looks = scene.world.looks("m");
    sleep(SECOND * 7_200).await;
    assert!(scene.world.looks("m") <= looks + 2, "it rests again");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_done_for_a_graph_of_another_history_however_soon_it_is_seen() {
    let mut random = SmallRng::seed_from_u64(1);
    let scene = Scene::new(&mut random, 0);
    let (id, state) = (Uuid::new_v4(), PositionFile::new(scene.state_file(0)));
    scene.model.add(id, "m", "simulated://m", Some("simulated"), State::Available);
    let means = Means {
        api: scene.model.client(),
        drivers: Drivers::default().with(Scheme::Simulated, Arc::new(scene.world.clone())),
        provisioners: Provisioners::default().with("simulated", Arc::new(scene.provisioner.clone())),
        state,
        name: "one".to_owned(),
        scope: Scope::default(),
    };
    let controller = Arc::new(Controller::new(means, Timing::default()));
    let (running, stop) = (Arc::clone(&controller), scene.stop.subscribe());
    tokio::spawn(async move { running.run(stop).await });
    sleep(SECOND * 40).await;
    assert!(scene.model.acquire(id) && scene.model.order(id, crate::host::Order::Install, false));
    let backup = scene.model.backup();
    sleep(SECOND * 1_800).await;
    assert_eq!(scene.model.get(id).unwrap().state, State::Installed);
    let counts = scene.world.counts("m");
    assert_eq!((counts.installs, counts.network_boots), (1, 1));
    // The graph says that the machine is to be installed, and a worker sees that before anything else does.
    scene.model.set_silent(true);
    sleep(SECOND * 60).await;
    scene.model.replace(backup);
    controller.shared.lives.add(id);
    sleep(SECOND * 300).await;
    assert_eq!(scene.world.counts("m"), counts, "the machine is in use, and only the worker can know");
    scene.model.set_silent(false);
    sleep(SECOND * 1_800).await;
    assert_eq!(scene.world.counts("m"), counts, "the machine is in use");
    assert_eq!(scene.model.observe_only().len(), 1, "{:?}", scene.model.observe_only());
    let host = scene.model.get(id).unwrap();
    assert!(host.conditions.iter().any(|it| it.r#type == "ObserveOnly"), "the order waits with a reason: {host:?}");
}

#[tokio::test(start_paused = true)]
async fn reports_unknown_objects_of_a_provisioner_and_leaves_them_alone() {
    const LOOK_INTERVAL: Duration = Duration::from_secs(1_300);
    let mut random = SmallRng::seed_from_u64(1);
    let mut scene = Scene::new(&mut random, 0);
    let strays = |scene: &Scene| scene.model.strays("simulated");
    let before = scene.model.backup();
    let id = Uuid::new_v4();
    scene.model.add(id, "known", "simulated://known", Some("simulated"), State::Available);
    scene.provisioner.register("lone");
    scene.start(0);
    sleep(SECOND * 60).await;
    assert!(scene.model.order(id, crate::host::Order::Discover, false));
    sleep(LOOK_INTERVAL + SECOND * 1_800).await;
    assert_eq!(scene.model.get(id).unwrap().generation_done, 1);
    assert_eq!(strays(&scene), ["lone"], "the other one is a host");
    // Of a graph that was restored nobody knows the host, and controllers only observe.
    let counts = scene.world.counts("known");
    scene.model.restore(before);
    sleep(LOOK_INTERVAL).await;
    assert_eq!(strays(&scene), ["known", "lone"]);
    // Somebody makes a host of one of them, and the provisioner loses the other one.
    scene.model.add(Uuid::new_v4(), "found", "simulated://lone", Some("simulated"), State::Registered);
    sleep(LOOK_INTERVAL).await;
    assert_eq!(strays(&scene), ["known"]);
    scene.provisioner.forget();
    sleep(LOOK_INTERVAL).await;
    assert_eq!((strays(&scene), scene.world.counts("known")), (Vec::new(), counts), "nothing was done to it");
}
