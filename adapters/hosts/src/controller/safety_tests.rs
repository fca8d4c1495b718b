//! Controllers whose database is rolled back or copied, and those that start beside others.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use underlay_address::Scheme;
use underlay_kit::control::{LeaseTiming, Position, PositionFile};
use uuid::Uuid;

use super::safety::{Halt, Safety, Verdict};
use super::{Controller, Means, Scope, Timing};
use crate::api::model::{Data, Model, ModelClient};
use crate::api::{HostsStatus, Standing};
use crate::host::{Order, Power, State};
use crate::machine::Drivers;
use crate::provisioner::Provisioners;
use crate::simulated::{SimulatedProvisioner, World};

const SECOND: Duration = Duration::from_secs(1);

struct Scene {
    model: Model,
    world: World,
    provisioner: SimulatedProvisioner,
    folder: TempDir,
}

/// A controller that runs. Dropping it kills it.
struct Running {
    controller: Arc<Controller<ModelClient>>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Running {
    async fn stop(mut self) {
        self.stop.send_replace(true);
        (&mut self.task).await.unwrap();
    }

    fn not_ready(&self) -> String {
        self.controller.status().not_ready().join("\n")
    }

    fn held(&self) -> usize {
        self.controller.shared.family.get().map_or(0, |family| family.leases.all_held().len())
    }
}

impl Scene {
    fn new() -> Self {
        let world = World::default();
        let provisioner = SimulatedProvisioner::new(world.clone(), SECOND);
        Self { model: Model::new(1), world, provisioner, folder: tempfile::tempdir().unwrap() }
    }

    /// Returns the world after another one was installed with a copy of the database: nobody shares its machines.
    fn beside(&self) -> Self {
        Self { model: self.model.copied(2), ..Self::new() }
    }

    fn add(&self, machine: &str, state: State) -> Uuid {
        let id = Uuid::new_v4();
        self.model.add(id, machine, &format!("simulated://{machine}"), Some("simulated"), state);
        id
    }

    fn state(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{name}.json"))
    }

    fn start(&self, name: &str) -> Running {
        self.start_with(name, Timing::default())
    }

    fn start_with(&self, name: &str, timing: Timing) -> Running {
        let means = Means {
            api: self.model.client(),
            drivers: Drivers::default().with(Scheme::Simulated, Arc::new(self.world.clone())),
            provisioners: Provisioners::default().with("simulated", Arc::new(self.provisioner.clone())),
            state: PositionFile::new(self.state(name)),
            name: format!("{name}-{}", Uuid::new_v4()),
            scope: Scope::default(),
        };
        let controller = Arc::new(Controller::new(means, timing));
        let (stop, stopped) = watch::channel(false);
        let running = Arc::clone(&controller);
        Running { controller, stop, task: tokio::spawn(async move { running.run(stopped).await }) }
    }

    /// Has a host installed by a controller that runs. Returns the database as it was when the order was open.
    async fn install(&self, id: Uuid) -> Data {
        assert!(self.model.acquire(id) && self.model.order(id, Order::Install, false));
        let open = self.model.backup();
        sleep(SECOND * 300).await;
        assert_eq!(self.model.get(id).unwrap().state, State::Installed);
        assert_eq!(self.world.counts("m").installs, 1);
        open
    }

    fn reasons(&self) -> String {
        self.model.observe_only().join("\n")
    }
}

#[tokio::test(start_paused = true)]
async fn a_database_that_was_rolled_back_while_the_controller_was_down_is_noticed() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let running = scene.start("one");
    sleep(SECOND * 30).await;
    let open = scene.install(id).await;
    running.stop().await;
    let counts = scene.world.counts("m");
    scene.model.roll_back(open);
    // The graph says that the machine is to be installed.
    let running = scene.start("one");
    sleep(SECOND * 55).await;
    assert_eq!((scene.reasons().as_str(), scene.world.counts("m")), ("", counts), "it waits for a replica");
    assert!(running.not_ready().contains("is behind the revision"), "{}", running.not_ready());
    sleep(SECOND * 10).await;
    assert!(scene.reasons().contains("was rolled back"), "{}", scene.reasons());
    sleep(SECOND * 3_600).await;
    assert_eq!(scene.world.counts("m"), counts, "the machine is in use");
    let host = scene.model.get(id).unwrap();
    assert!(host.conditions.iter().any(|it| it.r#type == "ObserveOnly"), "the order waits with a reason: {host:?}");
}

#[tokio::test(start_paused = true)]
async fn a_database_that_is_rolled_back_under_a_controller_is_noticed() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let _running = scene.start("one");
    sleep(SECOND * 30).await;
    let open = scene.install(id).await;
    let counts = scene.world.counts("m");
    scene.model.roll_back(open);
    sleep(SECOND * 120).await;
    assert_eq!(scene.model.observe_only().len(), 1, "{}", scene.reasons());
    sleep(SECOND * 3_600).await;
    assert_eq!(scene.world.counts("m"), counts, "the machine is in use");
}

#[tokio::test(start_paused = true)]
async fn a_revision_that_another_batch_made_is_noticed_at_once() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let running = scene.start("one");
    sleep(SECOND * 30).await;
    let open = scene.install(id).await;
    let (counts, revisions) = (scene.world.counts("m"), scene.model.revisions());
    running.stop().await;
    scene.model.roll_back(open);
    // The database went on from there, with as many revisions as before and more.
    for _ in 0..revisions {
        scene.model.edit(id, |_| {});
    }
    let _running = scene.start("one");
    sleep(SECOND * 5).await;
    assert!(scene.reasons().contains("was rolled back"), "{}", scene.reasons());
    sleep(SECOND * 3_600).await;
    assert_eq!(scene.world.counts("m"), counts, "the machine is in use");
}

#[tokio::test(start_paused = true)]
async fn a_replica_that_is_behind_halts_nobody_and_nothing_is_done_on_its_word() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let running = scene.start("one");
    sleep(SECOND * 30).await;
    assert!(scene.model.order(id, Order::PowerOn, false));
    let old = scene.model.backup();
    sleep(SECOND * 30).await;
    assert_eq!(scene.model.get(id).unwrap().power, Power::On);
    let counts = scene.world.counts("m");
    // The order is done, and is open at the replica, which knows nothing of another one.
    scene.model.read_from(Some(old.clone()));
    assert!(scene.model.order(id, Order::PowerOff, true));
    running.controller.shared.lives.add(id);
    sleep(SECOND * 50).await;
    assert_eq!((scene.reasons().as_str(), scene.world.counts("m")), ("", counts));
    assert_eq!(scene.model.refused_reports(), 0, "nothing is written either");
    scene.model.read_from(None);
    sleep(SECOND * 60).await;
    assert_eq!((scene.reasons().as_str(), scene.model.get(id).unwrap().power), ("", Power::Off));
    // Also for one that starts.
    running.stop().await;
    scene.model.read_from(Some(old));
    let running = scene.start("one");
    sleep(SECOND * 50).await;
    assert!(running.not_ready().contains("is behind the revision"), "{}", running.not_ready());
    scene.model.read_from(None);
    sleep(SECOND * 60).await;
    assert_eq!((scene.reasons().as_str(), running.not_ready().as_str()), ("", ""));
}

#[tokio::test(start_paused = true)]
async fn what_the_retention_has_dropped_is_no_rollback() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let running = scene.start("one");
    sleep(SECOND * 30).await;
    scene.install(id).await;
    running.stop().await;
    for _ in 0..10 {
        scene.model.edit(id, |_| {});
    }
    scene.model.prune();
    let running = scene.start("one");
    sleep(SECOND * 300).await;
    assert_eq!((scene.reasons().as_str(), running.not_ready().as_str()), ("", ""));
    // Under a controller that subscribes too.
    scene.model.set_silent(true);
    sleep(SECOND * 60).await;
    for _ in 0..10 {
        scene.model.edit(id, |_| {});
    }
    scene.model.prune();
    scene.model.set_silent(false);
    assert!(scene.model.order(id, Order::PowerCycle, true));
    sleep(SECOND * 300).await;
    assert_eq!((scene.reasons().as_str(), scene.world.counts("m").power_cuts), ("", 1));
}

#[tokio::test(start_paused = true)]
async fn the_file_has_the_step_of_an_act_before_the_act_is_made() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let seen: Arc<Mutex<Vec<(i64, usize)>>> = Arc::default();
    let (noted, file, model) = (Arc::clone(&seen), PositionFile::new(scene.state("one")), scene.model.clone());
    scene.world.audit(move |_, _| {
        let kept = file.read().unwrap().unwrap();
        noted.lock().unwrap().push((kept.revision, model.revisions()));
    });
    let _running = scene.start("one");
    sleep(SECOND * 30).await;
    scene.install(id).await;
    assert!(scene.model.order(id, Order::PowerCycle, true));
    sleep(SECOND * 60).await;
    let seen: Vec<_> = std::mem::take(&mut *seen.lock().unwrap());
    assert!(seen.len() > 1 && seen.iter().all(|(kept, made)| *kept == *made as i64), "{seen:?}");
    // Without a place for the file, nothing is done.
    std::fs::rename(scene.folder.path(), scene.folder.path().with_extension("away")).unwrap();
    let counts = scene.world.counts("m");
    assert!(scene.model.order(id, Order::PowerCycle, true));
    sleep(SECOND * 60).await;
    assert_eq!(scene.world.counts("m"), counts);
    std::fs::rename(scene.folder.path().with_extension("away"), scene.folder.path()).unwrap();
    sleep(SECOND * 300).await;
    assert_eq!(scene.world.counts("m").power_cuts, counts.power_cuts + 1);
}

#[tokio::test(start_paused = true)]
async fn a_new_controller_joins_one_that_lives() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let first = scene.start("one");
    sleep(SECOND * 30).await;
    scene.install(id).await;
    let second = scene.start("two");
    sleep(SECOND * 50).await;
    assert_eq!(second.held(), 0, "it looks at the other one for as long as a lease lasts");
    sleep(SECOND * 60).await;
    assert_eq!((scene.reasons().as_str(), first.held(), second.held()), ("", 32, 32));
    first.stop().await;
    assert!(scene.model.order(id, Order::PowerCycle, true));
    sleep(SECOND * 300).await;
    assert_eq!(scene.world.counts("m").power_cuts, 1, "it acts");
}

#[tokio::test(start_paused = true)]
async fn a_new_controller_joins_one_that_lives_at_a_slow_server() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let leases = LeaseTiming { ttl: SECOND * 600, ..LeaseTiming::default() };
    let first = scene.start_with("one", Timing { leases, ..Timing::default() });
    sleep(SECOND * 30).await;
    scene.install(id).await;
    // A call takes up to 24 seconds, and the first one makes five to renew its leases.
    scene.model.set_faults(0.0, SECOND * 12);
    let second = scene.start("two");
    sleep(SECOND * 1_200).await;
    scene.model.set_faults(0.0, Duration::ZERO);
    sleep(SECOND * 120).await;
    assert_eq!(scene.reasons(), "", "nobody is stopped");
    assert!(first.held() > 0 && second.held() > 0, "{} and {}", first.held(), second.held());
}

#[tokio::test(start_paused = true)]
async fn a_new_controller_that_meets_no_other_one_observes_only_if_hosts_are_in_use() {
    for (is_in_use, is_copied) in [(true, true), (true, false), (false, true)] {
        let scene = Scene::new();
        let id = scene.add("m", State::Available);
        let first = scene.start("one");
        sleep(SECOND * 30).await;
        if is_in_use {
            assert!(scene.model.acquire(id));
        }
        assert!(scene.model.order(id, Order::PowerOn, false));
        // The copy has the leases of a controller that does not know it, and they are still in force.
        let scene = if is_copied { scene.beside() } else { scene };
        drop(first);
        let _second = scene.start("two");
        sleep(SECOND * 50).await;
        assert_eq!(scene.reasons(), "");
        sleep(SECOND * 250).await;
        let (reasons, is_on) = (scene.reasons(), scene.model.get(id).unwrap().power == Power::On);
        assert_eq!(reasons.contains("met no other controller"), is_in_use, "{reasons}");
        assert_eq!(is_on, !is_in_use, "in use: {is_in_use}, copied: {is_copied}");
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_joins_a_controller_that_waits_for_its_revision() {
    let scene = Scene::new();
    let id = scene.add("m", State::Available);
    let first = scene.start_with("one", Timing { catch_up: SECOND * 3_600, ..Timing::default() });
    sleep(SECOND * 30).await;
    let open = scene.install(id).await;
    let counts = scene.world.counts("m");
    // Its leases go on, as if the database was rolled back by seconds.
    let leases = scene.model.backup();
    scene.model.roll_back(open.with_leases_of(&leases));
    let _second = scene.start("two");
    sleep(SECOND * 120).await;
    assert!(scene.reasons().contains("met no other controller"), "{}", scene.reasons());
    assert_eq!((first.held(), scene.world.counts("m")), (0, counts), "the machine is in use");
}

fn position(history: &str, revision: i64) -> Position {
    Position { history: history.to_owned(), revision, cursor: revision.to_string() }
}

fn status(history: &str, revision: i64, standing: Standing) -> HostsStatus {
    HostsStatus {
        position: position(history, revision),
        standing,
        is_observe_only: false,
        now: chrono::DateTime::UNIX_EPOCH,
    }
}

fn safety() -> (TempDir, Safety) {
    let folder = tempfile::tempdir().unwrap();
    let safety = Safety::new(PositionFile::new(folder.path().join("hosts.json")));
    safety.recall(position("h", 7));
    (folder, safety)
}

#[tokio::test(start_paused = true)]
async fn a_server_has_a_minute_to_have_the_newest_revision() {
    let (_folder, safety) = safety();
    let judge = |standing| safety.judge(&status("h", 5, standing), SECOND * 60);
    let begin = Instant::now();
    while begin.elapsed() < SECOND * 60 {
        assert_eq!(judge(Standing::Missing), Verdict::Waits);
        sleep(SECOND).await;
    }
    assert_eq!(judge(Standing::Missing), Verdict::RolledBack);
    // It begins anew after an answer that fits, and after a time without any answer.
    for pause in [None, Some(SECOND * 120)] {
        assert_eq!(judge(Standing::Missing), Verdict::Waits);
        sleep(SECOND * 29).await;
        assert_eq!(judge(Standing::Missing), Verdict::Waits);
        match pause {
            Some(pause) => sleep(pause).await,
            None => assert_eq!(judge(Standing::Held), Verdict::Accepted),
        }
        for _ in 0..3 {
            assert_eq!(judge(Standing::Missing), Verdict::Waits, "{pause:?}");
            sleep(SECOND * 19).await;
        }
        assert_eq!(judge(Standing::Pruned), Verdict::Accepted);
    }
    assert_eq!(judge(Standing::Replaced), Verdict::RolledBack);
    assert_eq!(safety.judge(&status("other", 9, Standing::Held), SECOND * 60), Verdict::OtherHistory);
}

#[test]
fn an_act_needs_an_answer_that_has_the_newest_position() {
    let (_folder, safety) = safety();
    for (history, standing, expected) in [
        ("h", Standing::Held, Ok(())),
        ("h", Standing::Pruned, Ok(())),
        ("h", Standing::Missing, Err(Halt::OtherGraph)),
        ("h", Standing::Replaced, Err(Halt::OtherGraph)),
        ("other", Standing::Held, Err(Halt::OtherGraph)),
    ] {
        assert_eq!(safety.check(&status(history, 7, standing)), expected, "{history} {standing:?}");
    }
    let observing = HostsStatus { is_observe_only: true, ..status("h", 9, Standing::Held) };
    assert_eq!(safety.check(&observing), Err(Halt::ObserveOnly));
    // Answers can come in another order than they were made.
    assert_eq!(safety.check(&status("h", 8, Standing::Held)), Ok(()));
    assert_eq!(safety.known(), Some(position("h", 9)));
}
