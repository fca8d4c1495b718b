//! The provisioner of simulated machines: it serves the network boots of a world, and installs and wipes in no time.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::address::Settings;
use super::fault::Fault;
use super::world::{Boot, World, identity, mac};
use crate::host::{CpuArchitecture, Disk, DiskType, Facts, Host, Order, OrderKey};
use crate::life::{Duty, PowerAct};
use crate::machine::{CallError, Target};
use crate::provisioner::{
    Call, FailureKind, Job, MAX_REGISTERED_MACHINES, Progress, Provisioner, Registered, RegisteredPage, Sighting,
};

/// The longest time after which the controller asks again.
const MAX_POLL_DELAY: Duration = Duration::from_secs(10);
/// The reason why a machine is not prepared again for an order.
const WORKED: &str = "the machine has worked for this order already, so it may be in use; look at it before a retry";

/// The disks of every simulated machine, which are those of an accelerator server of the demo.
const DISKS: u8 = 8;
const DISK_BYTES: u64 = 7_680_000_000_000;

/// The provisioner of simulated machines.
#[derive(Clone)]
pub struct SimulatedProvisioner {
    world: World,
    /// The time that a discovery, an installation or a wipe takes.
    work: Duration,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    /// The machines that are registered, with their hosts; `None` for those that somebody else registered.
    registered: BTreeMap<String, Option<Uuid>>,
    /// By the names of machines.
    machines: HashMap<String, Prepared>,
    /// The systems on the disks, by the names of machines.
    installed: HashMap<String, Installed>,
}

/// The system on the disk of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The host for which it was installed.
    pub host: Uuid,
    pub order: OrderKey,
}

/// The work that a machine is prepared for.
struct Prepared {
    host: Uuid,
    order: OrderKey,
    purpose: Order,
    state: Running,
}

impl Prepared {
    /// Returns true if this is the work of the order of a job.
    fn is_for(&self, job: &Job<'_>) -> bool {
        self.host == job.host.id && self.order == job.order
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Running {
    /// Waits for the machine to boot.
    Waits,
    /// The machine fetched its script, and ends at this time.
    Runs { until: Instant },
    /// The work ended.
    Done,
    /// The machine lost power in the middle, or its work ended with an error.
    Broken,
}

impl SimulatedProvisioner {
    /// Returns the provisioner of a world, whose work takes so long. A world has one provisioner.
    pub fn new(world: World, work: Duration) -> Self {
        let provisioner = Self { world: world.clone(), work, inner: Arc::default() };
        let (inner, work) = (Arc::downgrade(&provisioner.inner), provisioner.work);
        world.watch(Box::new(move |machine, boot| {
            let inner = inner.upgrade()?;
            inner.lock().unwrap_or_else(PoisonError::into_inner).booted(machine, boot, work)
        }));
        provisioner
    }

    /// Returns the system on the disk of a machine.
    pub fn installed(&self, machine: &str) -> Option<Installed> {
        self.locked().installed.get(machine).copied()
    }

    /// Registers a machine for no host, as somebody does who uses the provisioner without the graph.
    pub fn register(&self, machine: &str) {
        self.locked().registered.insert(machine.to_owned(), None);
    }

    /// Forgets everything but what is on disks, as a provisioner does whose database was lost.
    pub fn forget(&self) {
        let mut inner = self.locked();
        inner.machines.clear();
        inner.registered.clear();
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        // A thread that panicked while it held the lock left nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the controller to come back when the work can be over.
    fn wait(&self, sentence: &str) -> Progress {
        Progress::Wait { again: self.work.min(MAX_POLL_DELAY), sentence: Some(sentence.to_owned()) }
    }

    fn prepare(&self, machine: &str, job: &Job<'_>) -> Progress {
        let Some(purpose) = job.host.order().map(|order| order.act) else { return Progress::Unknown };
        let mut inner = self.locked();
        match inner.machines.get(machine) {
            Some(prepared) if prepared.is_for(job) && prepared.state == Running::Waits => {}
            Some(prepared) if prepared.is_for(job) => return failed(WORKED),
            _ if job.call == Call::Continue => return Progress::Unknown,
            _ => {
                inner.registered.insert(machine.to_owned(), Some(job.host.id));
                let prepared = Prepared { host: job.host.id, order: job.order, purpose, state: Running::Waits };
                inner.machines.insert(machine.to_owned(), prepared);
            }
        }
        Progress::Done { facts: None }
    }

    /// Answers how the work comes on for which the machine was prepared.
    fn working(&self, machine: &str, job: &Job<'_>) -> Progress {
        let hangs = match job.duty {
            Duty::Inspect => self.world.has_fault(machine, Fault::InspectHangs),
            Duty::Install => self.world.has_fault(machine, Fault::InstallHangs),
            _ => false,
        };
        let fault = if job.duty == Duty::Install { Fault::InstallFails } else { Fault::WipeFails };
        let fails = job.duty != Duty::Inspect && self.world.has_fault(machine, fault);
        let mut inner = self.locked();
        let Some(prepared) = inner.machines.get_mut(machine).filter(|it| it.is_for(job)) else {
            return Progress::Unknown;
        };
        match prepared.state {
            Running::Waits => self.wait("waits for the machine to boot"),
            Running::Runs { .. } if hangs => self.wait("the work goes on, and on"),
            Running::Runs { until } if until > Instant::now() => self.wait("the work goes on"),
            Running::Runs { .. } if fails => {
                prepared.state = Running::Broken;
                failed("the work ended with an error (simulated)")
            }
            Running::Runs { .. } | Running::Done => {
                prepared.state = Running::Done;
                let facts = (job.duty == Duty::Inspect).then(|| facts(machine));
                Progress::Done { facts }
            }
            Running::Broken => failed("the machine lost power during the work"),
        }
    }
}

impl Inner {
    /// Serves a boot of a machine, and returns the work that begins on it. A script is served once for each order.
    fn booted(&mut self, machine: &str, boot: Boot, work: Duration) -> Option<Order> {
        let prepared = self.machines.get_mut(machine)?;
        match (boot, prepared.state) {
            (Boot::Network, Running::Waits) => {
                prepared.state = Running::Runs { until: Instant::now() + work };
                match prepared.purpose {
                    Order::Install => {
                        let installed = Installed { host: prepared.host, order: prepared.order };
                        self.installed.insert(machine.to_owned(), installed);
                    }
                    Order::Wipe => drop(self.installed.remove(machine)),
                    _ => {}
                }
                return Some(prepared.purpose);
            }
            (Boot::Off, Running::Runs { until }) if until > Instant::now() => prepared.state = Running::Broken,
            _ => {}
        }
        None
    }
}

impl Provisioner for SimulatedProvisioner {
    fn owns_machine(&self) -> bool {
        false
    }

    fn work<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Progress, CallError>> {
        Box::pin(async move {
            let machine = machine_of(job.host)?;
            sleep(machine.delay).await;
            Ok(match job.duty {
                Duty::Register | Duty::Adopt => {
                    self.locked().registered.insert(machine.name, Some(job.host.id));
                    Progress::Done { facts: None }
                }
                Duty::Prepare => self.prepare(&machine.name, &job),
                Duty::Inspect | Duty::Install | Duty::Deinstall => self.working(&machine.name, &job),
                Duty::Detach => {
                    self.locked().machines.remove(&machine.name);
                    Progress::Done { facts: None }
                }
                Duty::Delete => {
                    let mut inner = self.locked();
                    inner.machines.remove(&machine.name);
                    if inner.registered.get(&machine.name) == Some(&Some(job.host.id)) {
                        inner.registered.remove(&machine.name);
                    }
                    Progress::Done { facts: None }
                }
            })
        })
    }

    fn power<'a>(
        &'a self,
        _host: &'a Host,
        _target: &'a Target,
        _act: PowerAct,
    ) -> BoxFuture<'a, Result<(), CallError>> {
        let message = "the simulated provisioner does not own machines; their driver powers them".to_owned();
        let refused = CallError::Refused { reason: "NotOwned".to_owned(), message };
        Box::pin(std::future::ready(Err(refused)))
    }

    fn see<'a>(&'a self, host: &'a Host) -> BoxFuture<'a, Result<Sighting, CallError>> {
        Box::pin(async move {
            let machine = machine_of(host)?;
            let inner = self.locked();
            let prepared = inner.machines.get(&machine.name).filter(|it| it.host == host.id);
            let script_of = prepared.filter(|it| it.state != Running::Waits).map(|it| it.order);
            Ok(Sighting { power: None, is_known: prepared.is_some(), script_of })
        })
    }

    fn registered<'a>(&'a self, after: Option<&'a str>) -> BoxFuture<'a, Result<RegisteredPage, CallError>> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let inner = self.locked();
        let page = inner.registered.range::<str, _>((from, Bound::Unbounded)).take(MAX_REGISTERED_MACHINES);
        let machines: Vec<Registered> = page
            .map(|(name, host)| Registered {
                name: name.clone(),
                host: *host,
                address: Some(format!("simulated://{name}")),
                uid: identity(name).uuid,
            })
            .collect();
        let next = machines.last().filter(|_| machines.len() == MAX_REGISTERED_MACHINES).map(|last| last.name.clone());
        Box::pin(std::future::ready(Ok(RegisteredPage { machines, next })))
    }
}

fn machine_of(host: &Host) -> Result<Settings, CallError> {
    let refused = |message: String| CallError::Refused { reason: "WrongAddress".to_owned(), message };
    let url = host.bmc_url.as_deref().ok_or_else(|| refused("the host has no bmcUrl".to_owned()))?;
    Settings::parse(url).map_err(|error| refused(error.to_string()))
}

fn facts(machine: &str) -> Facts {
    let identity = identity(machine);
    Facts {
        serial: identity.serial,
        uuid: identity.uuid,
        boot_mac: Some(mac(machine)),
        cpu_cores: Some(64),
        cpu_architecture: Some(CpuArchitecture::Amd64),
        memory_bytes: Some(256 << 30),
        disks: Some((0..DISKS).map(disk).collect()),
    }
}

fn disk(number: u8) -> Disk {
    Disk { name: format!("nvme{number}n1"), size_bytes: DISK_BYTES, r#type: DiskType::Nvme }
}

fn failed(sentence: &str) -> Progress {
    Progress::Failed { kind: FailureKind::Work, sentence: sentence.to_owned() }
}
