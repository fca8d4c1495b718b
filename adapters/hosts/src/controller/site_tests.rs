//! Controllers of sites, beside each other and beside one of all hosts.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use underlay_address::Scheme;
use underlay_kit::control::PositionFile;
use uuid::Uuid;

use super::{Controller, Means, Scope, Timing};
use crate::api::model::{Model, ModelClient};
use crate::host::{Order, Power, State};
use crate::machine::Drivers;
use crate::provisioner::Provisioners;
use crate::simulated::World;

const SECOND: Duration = Duration::from_secs(1);

/// The changes of power, each with its machine and its time.
type Acts = Arc<Mutex<Vec<(String, Instant)>>>;

struct Scene {
    model: Model,
    world: World,
    acts: Acts,
    folder: TempDir,
}

struct Running {
    controller: Arc<Controller<ModelClient>>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Scene {
    fn new() -> Self {
        let (world, acts) = (World::default(), Acts::default());
        let noted = Arc::clone(&acts);
        world.audit(move |machine, _| noted.lock().unwrap().push((machine.to_owned(), Instant::now())));
        Self { model: Model::new(1), world, acts, folder: tempfile::tempdir().unwrap() }
    }

    /// Adds a host at a site.
    fn add(&self, machine: &str, site: Option<Uuid>) -> Uuid {
        let id = Uuid::new_v4();
        self.model.add(id, machine, &format!("simulated://{machine}"), None, State::Available);
        self.model.edit(id, |host| host.site = site);
        id
    }

    /// Starts a controller.
    fn start(&self, name: &str, site: Option<&str>) -> Running {
        let means = Means {
            api: self.model.client(),
            drivers: Drivers::default().with(Scheme::Simulated, Arc::new(self.world.clone())),
            provisioners: Provisioners::default(),
            state: PositionFile::new(self.folder.path().join(format!("{name}.json"))),
            name: name.to_owned(),
            scope: Scope { site: site.map(str::to_owned), appliances: None },
        };
        let controller = Arc::new(Controller::new(means, Timing::default()));
        let (stop, stopped) = watch::channel(false);
        let running = Arc::clone(&controller);
        Running { controller, stop, task: tokio::spawn(async move { running.run(stopped).await }) }
    }

    fn power(&self, id: Uuid) -> Power {
        self.model.get(id).unwrap().power
    }

    /// Returns the time of the last change of power of a machine.
    fn last_act(&self, machine: &str) -> Option<Instant> {
        self.acts.lock().unwrap().iter().rev().find(|(name, _)| name == machine).map(|(_, at)| *at)
    }
}

impl Running {
    fn not_ready(&self) -> String {
        self.controller.status().not_ready().join("\n")
    }

    async fn stop(self) {
        self.stop.send_replace(true);
        self.task.await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn each_site_is_served_by_its_own_controllers() {
    let scene = Scene::new();
    let (a, b) = (scene.model.add_site("a"), scene.model.add_site("b"));
    let hosts: Vec<Uuid> =
        (0..64).map(|at| scene.add(&format!("m{at}"), Some(if at % 2 == 0 { a } else { b }))).collect();
    let nowhere = scene.add("nowhere", None);
    let _running = [scene.start("a1", Some("a")), scene.start("b1", Some("b")), scene.start("b2", Some("b"))];
    sleep(SECOND * 60).await;
    for id in hosts.iter().chain([&nowhere]) {
        assert!(scene.model.order(*id, Order::PowerOn, false));
    }
    sleep(SECOND * 120).await;
    assert!(hosts.iter().all(|id| scene.power(*id) == Power::On), "every host is served");
    assert_eq!(scene.power(nowhere), Power::Unknown, "it is at no site");
    assert_eq!(scene.model.refused_reports(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_host_that_comes_from_another_site_is_acted_on_when_calls_there_are_over() {
    let scene = Scene::new();
    let (a, b) = (scene.model.add_site("a"), scene.model.add_site("b"));
    let id = scene.add("m", Some(a));
    let _running = [scene.start("a1", Some("a")), scene.start("b1", Some("b"))];
    sleep(SECOND * 60).await;
    assert!(scene.model.order(id, Order::PowerOn, false));
    sleep(SECOND * 60).await;
    assert_eq!(scene.power(id), Power::On);
    let moved = Instant::now();
    scene.model.edit(id, |host| host.site = Some(b));
    assert!(scene.model.order(id, Order::PowerCycle, false));
    sleep(SECOND * 120).await;
    assert!(scene.model.get(id).unwrap().order().is_none(), "the other one serves it");
    let waited = scene.last_act("m").unwrap() - moved;
    let call = Timing::default().call;
    assert!(waited >= call * 2 && waited < call * 3, "it waited {waited:?}");
    // There and back: the first one begins anew.
    scene.model.edit(id, |host| host.site = Some(a));
    sleep(SECOND * 5).await;
    assert!(scene.model.order(id, Order::PowerCycle, false));
    let moved = Instant::now();
    sleep(SECOND * 120).await;
    assert!(scene.model.get(id).unwrap().order().is_none(), "the first one serves it");
    assert!(scene.last_act("m").unwrap() - moved >= call, "it waits again");
}

#[tokio::test(start_paused = true)]
async fn a_controller_of_all_hosts_waits_until_those_of_sites_have_ended() {
    let scene = Scene::new();
    let a = scene.model.add_site("a");
    let (here, nowhere) = (scene.add("here", Some(a)), scene.add("nowhere", None));
    let of_site = scene.start("a1", Some("a"));
    sleep(SECOND * 30).await;
    let of_all = scene.start("all", None);
    let mut trouble = of_all.controller.status().lease_trouble();
    sleep(SECOND * 300).await;
    assert!(of_all.not_ready().contains("another one holds the lease hosts/"), "{}", of_all.not_ready());
    assert!(trouble.has_changed().unwrap());
    trouble.mark_unchanged();
    sleep(SECOND * 300).await;
    assert!(!trouble.has_changed().unwrap(), "it is said once");
    assert_eq!(of_site.not_ready(), "");
    for id in [here, nowhere] {
        assert!(scene.model.order(id, Order::PowerOn, false));
    }
    sleep(SECOND * 60).await;
    assert_eq!((scene.power(here), scene.power(nowhere)), (Power::On, Power::Unknown));
    of_site.stop().await;
    sleep(SECOND * 120).await;
    assert_eq!((of_all.not_ready().as_str(), scene.power(nowhere)), ("", Power::On));
    // The other way round.
    let of_site = scene.start("a2", Some("a"));
    sleep(SECOND * 60).await;
    assert!(of_site.not_ready().contains("another one holds the lease hosts/"), "{}", of_site.not_ready());
    of_all.stop().await;
    sleep(SECOND * 60).await;
    assert_eq!(of_site.not_ready(), "");
}

#[tokio::test(start_paused = true)]
async fn a_controller_waits_for_its_site() {
    let scene = Scene::new();
    let running = scene.start("a1", Some("a"));
    sleep(SECOND * 60).await;
    assert!(running.not_ready().contains("there is no site a"), "{}", running.not_ready());
    let id = scene.add("m", Some(scene.model.add_site("a")));
    sleep(SECOND * 120).await;
    assert!(scene.model.order(id, Order::PowerOn, false));
    sleep(SECOND * 60).await;
    assert_eq!((running.not_ready().as_str(), scene.power(id)), ("", Power::On));
}
