//! The end of an order that had set its machine to boot from the network.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;
use underlay_address::Scheme;
use underlay_kit::control::PositionFile;
use uuid::Uuid;

use super::{Controller, Means, Scope, Timing};
use crate::api::model::Model;
use crate::host::{Host, Order, Power, State, StepName};
use crate::machine::Drivers;
use crate::provisioner::Provisioners;
use crate::simulated::{SimulatedProvisioner, World};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// A controller with one machine, whose host is acquired.
struct Scene {
    model: Model,
    world: World,
    host: Uuid,
    _stop: watch::Sender<bool>,
    _folder: tempfile::TempDir,
}

impl Scene {
    async fn with(fault: &str) -> Self {
        let (model, world, host) = (Model::new(1), World::default(), Uuid::from_u128(7));
        model.add(host, "m", &format!("simulated://m{fault}"), Some("simulated"), State::Available);
        let folder = tempfile::tempdir().unwrap();
        let provisioner = SimulatedProvisioner::new(world.clone(), SECOND);
        let means = Means {
            api: model.client(),
            drivers: Drivers::default().with(Scheme::Simulated, Arc::new(world.clone())),
            provisioners: Provisioners::default().with("simulated", Arc::new(provisioner)),
            state: PositionFile::new(folder.path().join("state.json")),
            name: "one".to_owned(),
            scope: Scope::default(),
        };
        let controller = Controller::new(means, Timing::default());
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(async move { controller.run(stopped).await });
        sleep(SECOND * 60).await;
        assert!(model.acquire(host));
        Self { model, world, host, _stop: stop, _folder: folder }
    }

    fn now(&self) -> Host {
        self.model.get(self.host).unwrap()
    }

    /// Has the BMC behave in another way.
    fn set_fault(&self, fault: &str) {
        self.model.edit(self.host, |host| host.bmc_url = Some(format!("simulated://m{fault}")));
    }

    /// Orders an act, and waits until it has ended.
    async fn order(&self, act: Order) -> Host {
        assert!(self.model.order(self.host, act, false));
        sleep(MINUTE * 30).await;
        let host = self.now();
        assert!(host.order().is_none(), "{host:#?}");
        host
    }
}

#[tokio::test(start_paused = true)]
async fn an_order_that_fails_takes_back_the_boot_from_the_network() {
    let scene = Scene::with("?fault=power-refused").await;
    let host = scene.order(Order::Install).await;
    let failure = host.failure.unwrap();
    assert_eq!((host.state, failure.step, failure.armed), (State::Failed, Some(StepName::PowerOn), false));
    // Somebody switches it on for another purpose.
    assert!(scene.world.press("m", Power::On), "it boots from its disk");
    assert_eq!(scene.world.counts("m").network_boots, 0);
}

#[tokio::test(start_paused = true)]
async fn a_machine_that_may_still_boot_from_the_network_says_so() {
    let scene = Scene::with("?fault=power-timeout").await;
    assert!(scene.model.order(scene.host, Order::Install, false));
    sleep(MINUTE).await;
    assert_eq!(scene.now().current_step().map(|step| step.name), Some(StepName::PowerOn));
    scene.set_fault("?fault=unreachable");
    sleep(MINUTE * 30).await;
    let host = scene.now();
    let says_so = |host: &Host| host.conditions.iter().any(|it| it.r#type == "Armed");
    assert!(host.state == State::Failed && host.failure.as_ref().unwrap().armed && says_so(&host), "{host:#?}");
    assert!(!scene.world.press("m", Power::On), "it would boot from the network");

    scene.set_fault("");
    let host = scene.order(Order::BootLocal).await;
    assert!(host.state == State::Failed && !host.failure.as_ref().unwrap().armed && !says_so(&host), "{host:#?}");
    assert!(scene.world.press("m", Power::On), "it boots from its disk");
}

#[tokio::test(start_paused = true)]
async fn a_person_has_a_machine_boot_from_the_network_once() {
    let scene = Scene::with("").await;
    let host = scene.order(Order::BootNetwork).await;
    assert_eq!((host.state, host.failure), (State::Acquired, None));
    assert!(!scene.world.press("m", Power::On), "it would boot from the network");
    scene.order(Order::PowerOn).await;
    assert_eq!(scene.world.counts("m").network_boots, 1);
}
