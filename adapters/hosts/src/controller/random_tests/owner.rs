//! A provisioner that owns the BMCs of its machines, as Ironic does: it boots them by itself, compares nothing, and says of
//! their power what it saw up to a minute ago.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::Instant;
use uuid::Uuid;

use crate::host::{Host, OrderKey, Power, StepName};
use crate::life::{Duty, PowerAct};
use crate::machine::{BootDevice, CallError, Driver as _, Target};
use crate::provisioner::{Call, Job, Progress, Provisioner, RegisteredPage, Sighting};
use crate::simulated::{SimulatedProvisioner, World};

/// The time for which it believes what it saw of the power.
const CACHE_LIFETIME: Duration = Duration::from_secs(60);

/// A provisioner that owns the BMCs of its machines.
#[derive(Clone)]
pub struct Owner {
    world: World,
    provisioner: SimulatedProvisioner,
    cached: Arc<Mutex<HashMap<Uuid, (Power, Instant)>>>,
    begun: Arc<Mutex<HashSet<(Uuid, OrderKey, StepName)>>>,
    /// The inspections that have ended, after which the machine was switched off.
    inspected: Arc<Mutex<HashSet<(Uuid, OrderKey)>>>,
}

impl Owner {
    /// Returns an owner of the machines of a world, whose network boots a provisioner serves.
    pub fn new(world: World, provisioner: SimulatedProvisioner) -> Self {
        Self { world, provisioner, cached: Arc::default(), begun: Arc::default(), inspected: Arc::default() }
    }

    /// Boots a machine from the network, whether or not it runs.
    async fn boot(&self, target: &Target) -> Result<(), CallError> {
        self.world.set_boot(target, BootDevice::Network).await?;
        self.world.set_power(target, PowerAct::Cycle).await
    }
}

fn target_of(host: &Host) -> Target {
    Target { url: host.bmc_url.clone().unwrap(), ..Target::default() }
}

impl Provisioner for Owner {
    fn owns_machine(&self) -> bool {
        true
    }

    fn work<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Progress, CallError>> {
        Box::pin(async move {
            let is_boot = matches!(job.duty, Duty::Inspect | Duty::Install | Duty::Deinstall);
            let progress = self.provisioner.work(job).await?;
            let is_prepared = matches!(progress, Progress::Wait { .. });
            let key = (job.host.id, job.order, job.step);
            if is_boot && is_prepared && job.call == Call::Begin && self.begun.lock().unwrap().insert(key) {
                self.boot(&target_of(job.host)).await?;
            }
            let is_inspected = job.duty == Duty::Inspect && matches!(progress, Progress::Done { .. });
            // Somebody who asks late, after the order has ended, starts nothing.
            if is_inspected && self.inspected.lock().unwrap().insert((job.host.id, job.order)) {
                self.world.set_power(&target_of(job.host), PowerAct::ForceOff).await?;
            }
            Ok(progress)
        })
    }

    fn power<'a>(&'a self, host: &'a Host, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move {
            self.world.set_power(target, act).await?;
            self.cached.lock().unwrap().remove(&host.id);
            Ok(())
        })
    }

    fn see<'a>(&'a self, host: &'a Host) -> BoxFuture<'a, Result<Sighting, CallError>> {
        Box::pin(async move {
            let known = self.cached.lock().unwrap().get(&host.id).copied();
            let power = match known.filter(|(_, at)| at.elapsed() < CACHE_LIFETIME) {
                Some((power, _)) => power,
                None => {
                    let power = self.world.power(&target_of(host)).await?;
                    self.cached.lock().unwrap().insert(host.id, (power, Instant::now()));
                    power
                }
            };
            Ok(Sighting { power: Some(power), is_known: true, script_of: None })
        })
    }

    fn registered<'a>(&'a self, _after: Option<&'a str>) -> BoxFuture<'a, Result<RegisteredPage, CallError>> {
        Box::pin(std::future::ready(Ok(RegisteredPage::default())))
    }
}
