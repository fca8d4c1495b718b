//! Readings of the hardware of simulated machines: when they are made, and when nothing is reported.

use std::sync::Arc;
use std::time::Duration;

use chrono::{TimeDelta, Timelike as _};
use rand::rngs::SmallRng;
use rand::{Rng as _, SeedableRng as _};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use underlay_address::Scheme;
use underlay_kit::control::PositionFile;
use uuid::Uuid;

use super::{Controller, Means, Scope, Timing};
use crate::api::model::{Model, ModelClient};
use crate::host::{Order, Power, State, Time};
use crate::machine::{Drivers, WRONG_MACHINE};
use crate::provisioner::Provisioners;
use crate::simulated::World;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

/// A server with simulated machines.
struct Scene {
    model: Model,
    world: World,
    folder: TempDir,
}

/// A controller that runs. Dropping it kills it.
struct Running {
    _stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Scene {
    fn new() -> Self {
        Self { model: Model::new(1), world: World::default(), folder: tempfile::tempdir().unwrap() }
    }

    /// Adds a host that is in use, with its moment at this hour of the day.
    fn add(&self, machine: &str, parameters: &str, hour: u128) -> Uuid {
        let id = Uuid::from_u128(hour * 0x1_0000_0000 / 24 + 1);
        let url = format!("simulated://{machine}{parameters}");
        self.model.add(id, machine, &url, None, State::Available);
        id
    }

    fn start(&self, site: Option<&str>) -> Running {
        let means = Means {
            api: self.model.client(),
            drivers: Drivers::default().with(Scheme::Simulated, Arc::new(self.world.clone())),
            provisioners: Provisioners::default(),
            state: PositionFile::new(self.folder.path().join("state.json")),
            name: Uuid::new_v4().to_string(),
            scope: Scope { site: site.map(str::to_owned), appliances: None },
        };
        let controller: Controller<ModelClient> = Controller::new(means, Timing::default());
        let (stop, stopped) = watch::channel(false);
        Running { _stop: stop, task: tokio::spawn(async move { controller.run(stopped).await }) }
    }

    /// Returns the times at which the hardware of a host was reported.
    fn reported(&self, id: Uuid) -> Vec<Time> {
        self.model.hardware(id).into_iter().map(|(at, _)| at).collect()
    }

    fn ask(&self, id: Uuid) {
        let now = self.model.now();
        self.model.edit(id, |host| host.hardware_asked = Some(now));
    }

    /// Waits until the hardware of a machine is being read.
    async fn until_read(&self, machine: &str) {
        let start = Instant::now();
        while self.world.readings(machine).going == 0 {
            assert!(start.elapsed() < HOUR * 2, "it is never read");
            sleep(SECOND).await;
        }
    }

    fn has_condition(&self, id: Uuid, name: &str) -> bool {
        self.model.get(id).unwrap().conditions.iter().any(|condition| condition.r#type == name)
    }
}

#[tokio::test(start_paused = true)]
async fn hardware_is_read_soon_and_then_daily_at_the_moment_of_the_host() {
    let scene = Scene::new();
    let hosts: Vec<(u32, Uuid)> =
        [2, 9, 14, 21].into_iter().map(|hour| (hour, scene.add(&format!("m{hour}"), "", hour.into()))).collect();
    let running = scene.start(None);
    sleep(HOUR + MINUTE * 15).await;
    for (hour, id) in &hosts {
        assert_eq!(scene.reported(*id).len(), 1, "the host of {hour} o'clock is read within about an hour");
    }
    sleep(HOUR * 72).await;
    for (hour, id) in &hosts {
        let reported = scene.reported(*id);
        let at: Vec<u32> = reported.iter().skip(1).map(|at| at.hour()).collect();
        assert_eq!(at, [*hour; 3], "{reported:?}");
        assert!(reported.iter().skip(1).all(|at| at.minute() < 5), "{reported:?}");
    }

    // Another controller goes on with what was read.
    drop(running);
    let _running = scene.start(None);
    sleep(HOUR + MINUTE * 30).await;
    for (hour, id) in &hosts {
        let reported = scene.reported(*id);
        let last = reported.last().unwrap();
        assert!(reported.len() == 4 || (reported.len() == 5 && last.hour() == *hour), "{hour}: {reported:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn hardware_is_read_soon_after_somebody_asked_and_when_no_order_is_open() {
    let scene = Scene::new();
    let id = scene.add("m", "", 12);
    let _running = scene.start(None);
    sleep(HOUR * 2).await;
    let before = scene.reported(id).len();
    scene.ask(id);
    sleep(MINUTE).await;
    assert_eq!(scene.reported(id).len(), before + 1);
    sleep(HOUR).await;
    assert_eq!(scene.reported(id).len(), before + 1, "it is read once");

    // An order that never comes to its end by itself.
    scene.model.edit(id, |host| host.in_maintenance = true);
    assert!(scene.model.order(id, Order::PowerOn, false));
    scene.ask(id);
    sleep(HOUR).await;
    assert_eq!(scene.reported(id).len(), before + 1, "an order is open");
    scene.model.edit(id, |host| host.in_maintenance = false);
    sleep(MINUTE * 5).await;
    assert_eq!((scene.model.get(id).unwrap().power, scene.reported(id).len()), (Power::On, before + 2));
}

#[tokio::test(start_paused = true)]
async fn a_reading_makes_room_for_an_order_and_is_made_again() {
    let scene = Scene::new();
    let id = scene.add("m", "?delay=5s", 12);
    let _running = scene.start(None);
    scene.until_read("m").await;
    let start = Instant::now();
    assert!(scene.model.order(id, Order::PowerOn, false));
    while scene.model.get(id).unwrap().order().is_some() {
        assert!(start.elapsed() < MINUTE, "the order does not wait for the reading");
        sleep(SECOND).await;
    }
    let readings = scene.world.readings("m");
    assert_eq!((readings.begun, readings.ended, readings.disturbed), (1, 0, 0));
    assert_eq!(scene.reported(id), Vec::<Time>::new());

    sleep(MINUTE * 10).await;
    let readings = scene.world.readings("m");
    assert_eq!((readings.ended, readings.disturbed, scene.reported(id).len()), (1, 0, 1), "{readings:?}");
}

#[tokio::test(start_paused = true)]
async fn no_reading_is_disturbed_whatever_is_ordered_and_asked() {
    let mut random = SmallRng::seed_from_u64(7);
    let scene = Scene::new();
    let hosts: Vec<(String, Uuid)> = (0..24)
        .map(|hour| {
            let (machine, delay) = (format!("m{hour}"), random.random_range(0..6_000));
            let id = scene.add(&machine, &format!("?delay={delay}ms"), hour);
            (machine, id)
        })
        .collect();
    let _running = scene.start(None);
    for _ in 0..600 {
        let (_, id) = &hosts[random.random_range(0..hosts.len())];
        match random.random_range(0..4) {
            0 => drop(scene.model.order(*id, Order::PowerOn, false)),
            1 => drop(scene.model.order(*id, Order::PowerCycle, true)),
            2 => scene.ask(*id),
            _ => {
                let now = scene.model.now();
                scene.model.edit(*id, |host| host.look_asked = Some(now));
            }
        }
        sleep(SECOND.mul_f64(random.random_range(0.0..10.0))).await;
    }
    sleep(HOUR).await;
    let all = hosts.iter().map(|(machine, _)| scene.world.readings(machine));
    let (begun, ended) = all.clone().fold((0, 0), |(begun, ended), it| (begun + it.begun, ended + it.ended));
    assert!(all.clone().all(|it| it.disturbed == 0 && it.going == 0), "{:?}", all.collect::<Vec<_>>());
    assert!(ended >= hosts.len() as u32 && begun > ended, "{begun} began, {ended} ended");
    for (machine, id) in &hosts {
        assert!(!scene.reported(*id).is_empty() && scene.model.get(*id).unwrap().order().is_none(), "{machine}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_reported_of_another_machine() {
    // The address leads to it before a reading, or from its middle on.
    for is_meanwhile in [false, true] {
        let scene = Scene::new();
        let id = scene.add("m", "?delay=5s", 12);
        let _running = scene.start(None);
        sleep(MINUTE).await;
        assert!(scene.model.get(id).unwrap().is_pinned());
        if is_meanwhile {
            scene.until_read("m").await;
        }
        scene.world.lead("m", "other");
        sleep(HOUR * 26).await;
        assert_eq!((scene.reported(id), scene.world.readings("other").begun), (vec![], 0));
        assert!(scene.has_condition(id, WRONG_MACHINE));

        scene.world.lead("m", "m");
        scene.ask(id);
        sleep(HOUR * 2).await;
        assert_eq!(scene.reported(id).len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_reported_of_a_machine_that_tells_nothing() {
    let scene = Scene::new();
    let id = scene.add("m", "?fault=tells-nothing", 12);
    scene.model.edit(id, |host| host.bmc_url = Some("simulated://m?fault=tells-nothing".to_owned()));
    let _running = scene.start(None);
    sleep(HOUR * 26).await;
    assert_eq!((scene.reported(id), scene.world.readings("m").begun), (vec![], 0));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_reported_under_a_lease_that_was_lost_meanwhile() {
    let scene = Scene::new();
    let id = scene.add("m", "?delay=9s", 12);
    let _running = scene.start(None);
    scene.until_read("m").await;
    scene.model.take_leases_away(HOUR);
    sleep(MINUTE * 50).await;
    assert_eq!(scene.reported(id), Vec::<Time>::new());
    // It is this one's again.
    sleep(HOUR * 3).await;
    assert_eq!(scene.reported(id).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_host_at_another_site_is_not_read() {
    let scene = Scene::new();
    let (here, there) = (scene.model.add_site("here"), scene.model.add_site("there"));
    let (own, other) = (scene.add("own", "", 3), scene.add("other", "", 5));
    scene.model.edit(own, |host| host.site = Some(here));
    scene.model.edit(other, |host| host.site = Some(there));
    let _running = scene.start(Some("here"));
    sleep(HOUR * 2).await;
    scene.ask(other);
    sleep(HOUR).await;
    assert_eq!((scene.reported(own).len(), scene.reported(other)), (1, vec![]));
}

#[tokio::test(start_paused = true)]
async fn a_reading_that_fails_is_tried_again_after_an_hour() {
    let scene = Scene::new();
    let id = scene.add("m", "?fault=hardware-refused", 12);
    let _running = scene.start(None);
    let (start, mut begun) = (Instant::now(), Vec::new());
    while start.elapsed() < HOUR * 24 {
        if scene.world.readings("m").begun as usize > begun.len() {
            begun.push(Instant::now());
        }
        sleep(SECOND * 10).await;
    }
    let pauses: Vec<u64> = begun.windows(2).map(|two| (two[1] - two[0]).as_secs() / 60).collect();
    assert!(pauses.len() >= 20 && pauses.iter().all(|pause| (53..=67).contains(pause)), "{pauses:?}");
    assert!(pauses.iter().min() < pauses.iter().max(), "they have a random part");
    assert_eq!(scene.reported(id), Vec::<Time>::new());
}

#[tokio::test(start_paused = true)]
async fn a_bmc_that_is_slow_is_read_as_far_as_there_is_time() {
    let scene = Scene::new();
    let id = scene.add("m", "?delay=9s", 12);
    let _running = scene.start(None);
    sleep(HOUR * 2).await;
    let reported = scene.model.hardware(id);
    assert_eq!(reported.len(), 1);
    let sections = &reported[0].1.sections;
    assert!(!sections.firmware.as_ref().unwrap().complete && sections.fans.as_ref().unwrap().complete);
    let age = scene.model.now() - reported[0].0;
    assert!(age < TimeDelta::hours(2));
}
