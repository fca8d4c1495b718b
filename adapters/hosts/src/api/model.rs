//! A plain model of the server, in memory, for tests: what the API promises, with faults at every call.

mod client;
mod leases;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use rand::rngs::SmallRng;
use rand::{Rng as _, SeedableRng as _};
use tokio::time::{Instant, sleep};
use underlay_kit::control::Position;
use uuid::Uuid;

use self::leases::{Lease, is_lease_of};
use super::{ApiError, Change, HostsStatus, Refusal, Report, Standing};
use crate::host::{Host, Observed, Order, Power, State, StepName, Time, Wanted};

/// The number of hosts in a page.
const HOSTS_PER_PAGE: usize = 64;

/// A server. Clones are the same server.
#[derive(Clone)]
pub struct Model {
    inner: Arc<Mutex<Inner>>,
    changed: Arc<tokio::sync::Notify>,
    start: Instant,
}

/// A client of the server: a controller.
pub struct ModelClient {
    model: Model,
    holder: u64,
}

struct Inner {
    data: Data,
    history: u64,
    /// The share of calls that fail, and the longest time that a call takes.
    faults: (f64, Duration),
    random: SmallRng,
    next_holder: u64,
    refused_reports: u64,
    /// True while subscribers receive nothing.
    is_silent: bool,
    /// What a replica that is behind has. Everybody reads from it, while writes go to the database.
    replica: Option<Data>,
    /// The names of the strays that were reported last, by provisioner.
    strays: BTreeMap<String, Vec<String>>,
    /// The hardware that was reported, with the times, in this order.
    hardware: BTreeMap<Uuid, Vec<(Time, underlay_facts::Report)>>,
    /// The names of the hosts for which the hardware of a machine was reported that is not the one they had then.
    hardware_of_others: Vec<String>,
}

/// The part that a backup has.
#[derive(Clone, Default)]
pub struct Data {
    hosts: BTreeMap<Uuid, Host>,
    /// The changes, in the order of their revisions.
    log: Vec<Revised>,
    /// The number of revisions that the log has dropped.
    pruned: usize,
    leases: HashMap<String, Lease>,
    sites: BTreeMap<String, Uuid>,
    observe_only: Vec<String>,
}

impl Data {
    /// Returns this data with the leases of another copy.
    pub fn with_leases_of(self, other: &Self) -> Self {
        Self { leases: other.leases.clone(), ..self }
    }
}

/// A revision in the log.
#[derive(Clone, Copy)]
struct Revised {
    host: Uuid,
    /// The random id of the batch.
    batch: u64,
}

impl Model {
    /// Returns an empty server.
    pub fn new(seed: u64) -> Self {
        let inner = Inner {
            data: Data::default(),
            history: 1,
            faults: (0.0, Duration::ZERO),
            random: SmallRng::seed_from_u64(seed),
            next_holder: 1,
            refused_reports: 0,
            is_silent: false,
            replica: None,
            strays: BTreeMap::new(),
            hardware: BTreeMap::new(),
            hardware_of_others: Vec::new(),
        };
        Self { inner: Arc::new(Mutex::new(inner)), changed: Arc::default(), start: Instant::now() }
    }

    /// Returns a client.
    pub fn client(&self) -> ModelClient {
        let mut inner = self.locked();
        inner.next_holder += 1;
        ModelClient { model: self.clone(), holder: inner.next_holder }
    }

    /// Sets the share of calls that fail, and the longest time that a call takes.
    pub fn set_faults(&self, share: f64, longest: Duration) {
        self.locked().faults = (share, longest);
    }

    /// Sets whether subscribers receive nothing.
    pub fn set_silent(&self, is_silent: bool) {
        self.locked().is_silent = is_silent;
    }

    /// Returns the time of the server.
    pub fn now(&self) -> Time {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::from_std(self.start.elapsed()).unwrap()
    }

    /// Adds a host.
    pub fn add(&self, id: Uuid, name: &str, url: &str, provisioner: Option<&str>, state: State) {
        let host = Host {
            id,
            name: name.to_owned(),
            observed_version: 1,
            bmc_url: Some(url.to_owned()),
            bmc_credential: None,
            bmc_insecure: false,
            bmc_trusted_cas: None,
            uid: None,
            serial: None,
            seen_identity: None,
            look_asked: None,
            hardware_asked: None,
            ignored: std::sync::Arc::default(),
            is_pinned_by_nothing: false,
            boot_mac: None,
            boot_mode: None,
            root_device: None,
            provisioner: provisioner.map(str::to_owned),
            in_maintenance: false,
            deleting: false,
            wanted: None,
            generation: 0,
            generation_done: 0,
            state,
            power: Power::Unknown,
            step: None,
            conditions: Vec::new(),
            failure: None,
            was_installed: false,
            observed: Observed::default(),
            site: None,
            appliance: None,
            interval: None,
        };
        self.locked().write(host);
        self.changed.notify_waiters();
    }

    /// Adds a site.
    pub fn add_site(&self, name: &str) -> Uuid {
        let id = Uuid::new_v4();
        self.locked().data.sites.insert(name.to_owned(), id);
        id
    }

    /// Returns all hosts.
    pub fn all(&self) -> Vec<Host> {
        self.locked().data.hosts.values().cloned().collect()
    }

    /// Returns a host.
    pub fn get(&self, id: Uuid) -> Option<Host> {
        self.locked().data.hosts.get(&id).cloned()
    }

    /// Returns the number of revisions.
    pub fn revisions(&self) -> usize {
        self.locked().data.log.len()
    }

    /// Changes a host as a person does.
    pub fn edit(&self, id: Uuid, edit: impl FnOnce(&mut Host)) {
        let mut inner = self.locked();
        let Some(mut host) = inner.data.hosts.get(&id).cloned() else { return };
        edit(&mut host);
        host.observed_version += 1;
        inner.write(host);
        drop(inner);
        self.changed.notify_waiters();
    }

    /// Orders an act, if the host has no open order. Returns true if it was ordered.
    pub fn order(&self, id: Uuid, act: Order, force: bool) -> bool {
        let mut ordered = false;
        self.edit(id, |host| {
            if host.order().is_none() {
                host.wanted = Some(Wanted {
                    id: Some(Uuid::new_v4()),
                    force,
                    covers_running: force,
                    alone: force,
                    // People vouch for what they discover.
                    adopt: true,
                    given_in: Some(host.state),
                    ..Wanted::of(act)
                });
                host.generation += 1;
                ordered = true;
            }
        });
        ordered
    }

    /// Acquires a host that can be claimed. Returns true if it was.
    pub fn acquire(&self, id: Uuid) -> bool {
        let mut acquired = false;
        self.edit(id, |host| {
            let is_free = host.state == State::Available && host.failure.is_none() && host.order().is_none();
            if is_free && !host.in_maintenance {
                host.state = State::Acquired;
                acquired = true;
            }
        });
        acquired
    }

    /// Returns a backup.
    pub fn backup(&self) -> Data {
        self.locked().data.clone()
    }

    /// Restores a backup as `underlay restore` does: with another history, and with observe only.
    pub fn restore(&self, data: Data) {
        let mut inner = self.locked();
        inner.data = data;
        inner.history += 1;
        inner.data.observe_only.push("restored".to_owned());
        drop(inner);
        self.changed.notify_waiters();
    }

    /// Replaces the database by a backup without any care, as somebody does by hand.
    pub fn replace(&self, data: Data) {
        let mut inner = self.locked();
        inner.data = data;
        inner.history += 1;
        drop(inner);
        self.changed.notify_waiters();
    }

    /// Replaces the database by an older copy of itself, as a file that is copied back or a snapshot does. The history keeps
    /// its id.
    pub fn roll_back(&self, data: Data) {
        self.locked().data = data;
        self.changed.notify_waiters();
    }

    /// Returns another server on a copy of the database.
    pub fn copied(&self, seed: u64) -> Self {
        let copy = Self { start: self.start, ..Self::new(seed) };
        let inner = self.locked();
        (copy.locked().data, copy.locked().history) = (inner.data.clone(), inner.history);
        copy
    }

    /// Has everybody read from a replica that is behind with this data; `None`: from one that is not.
    pub fn read_from(&self, replica: Option<Data>) {
        self.locked().replica = replica;
        self.changed.notify_waiters();
    }

    /// Drops all revisions but the newest from the log.
    pub fn prune(&self) {
        let mut inner = self.locked();
        inner.data.pruned = inner.data.log.len().saturating_sub(1);
    }

    /// Returns the reasons why controllers may only observe.
    pub fn observe_only(&self) -> Vec<String> {
        self.locked().data.observe_only.clone()
    }

    /// Lets controllers act again.
    pub fn resume(&self) {
        self.locked().data.observe_only.clear();
        self.changed.notify_waiters();
    }

    /// Returns the names of the strays of a provisioner, as they were reported last.
    pub fn strays(&self, provisioner: &str) -> Vec<String> {
        self.locked().strays.get(provisioner).cloned().unwrap_or_default()
    }

    /// Returns the hardware of a host that was reported, with the times, in this order.
    pub fn hardware(&self, id: Uuid) -> Vec<(Time, underlay_facts::Report)> {
        self.locked().hardware.get(&id).cloned().unwrap_or_default()
    }

    /// Returns the names of the hosts for which the hardware of another machine was reported.
    pub fn hardware_of_others(&self) -> Vec<String> {
        self.locked().hardware_of_others.clone()
    }

    /// Gives all leases to somebody else for a time.
    pub fn take_leases_away(&self, time: Duration) {
        let mut inner = self.locked();
        inner.next_holder += 1;
        let holder = inner.next_holder;
        inner.data.leases.values_mut().for_each(|lease| lease.pass_to(holder, time));
    }

    /// Returns the number of reports that were refused.
    pub fn refused_reports(&self) -> u64 {
        self.locked().refused_reports
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }

    /// Makes a call: it takes time, and can fail before or after it had its effect.
    async fn call<T>(&self, work: impl FnOnce(&mut Inner, Time) -> T) -> Result<T, ApiError> {
        let (before, after, pause) = {
            let mut inner = self.locked();
            let (share, longest) = inner.faults;
            let pause = longest.mul_f64(inner.random.random_range(0.0..=1.0));
            (inner.random.random_bool(share / 2.0), inner.random.random_bool(share / 2.0), pause)
        };
        sleep(pause).await;
        if before {
            return Err(ApiError::Unreachable("refused (model)".to_owned()));
        }
        let now = self.now();
        let (worked, has_changed) = {
            let mut inner = self.locked();
            let revisions = inner.data.log.len();
            let worked = work(&mut inner, now);
            (worked, inner.data.log.len() != revisions)
        };
        if has_changed {
            self.changed.notify_waiters();
        }
        sleep(pause).await;
        if after { Err(ApiError::Unreachable("the answer is lost (model)".to_owned())) } else { Ok(worked) }
    }
}

impl Inner {
    fn write(&mut self, mut host: Host) {
        host.was_installed = was_installed(&host);
        self.log(host.id);
        self.data.hosts.insert(host.id, host);
    }

    fn log(&mut self, host: Uuid) {
        let batch = self.random.random();
        self.data.log.push(Revised { host, batch });
    }

    fn history(&self) -> String {
        format!("history-{}", self.history)
    }

    /// Returns the data that readers see.
    fn seen(&self) -> &Data {
        self.replica.as_ref().unwrap_or(&self.data)
    }

    /// Returns the position after the newest revision of some data.
    fn position_of(&self, data: &Data) -> Position {
        let revision = data.log.len();
        let batch = data.log.last().map_or(0, |last| last.batch);
        Position { history: self.history(), revision: revision as i64, cursor: format!("{revision}/{batch}") }
    }

    /// Returns what some data has of a position.
    fn standing(data: &Data, known: Option<&Position>) -> Standing {
        let Some((revision, batch)) = known.map(cursor).filter(|(revision, _)| *revision > 0) else {
            return Standing::Held;
        };
        match data.log.get(revision - 1) {
            None => Standing::Missing,
            Some(_) if revision <= data.pruned => Standing::Pruned,
            Some(made) if made.batch == batch => Standing::Held,
            Some(_) => Standing::Replaced,
        }
    }

    /// Returns the state of a server that has some data.
    fn status(&self, data: &Data, known: Option<&Position>, now: Time) -> HostsStatus {
        HostsStatus {
            position: self.position_of(data),
            standing: Self::standing(data, known),
            is_observe_only: !self.data.observe_only.is_empty(),
            now,
        }
    }

    /// Notes if the hardware is that of another machine than the one that the host has.
    fn check_hardware(&mut self, host: Uuid, hardware: &underlay_facts::Report) {
        let system = hardware.sections.system.as_ref().map(|system| &system.found);
        let told = system.and_then(|system| system.uuid.clone());
        let Some(host) = self.data.hosts.get(&host) else { return };
        let known = host.seen_identity.as_ref().and_then(|seen| seen.uuid.clone());
        if let (Some(told), Some(known)) = (told, known)
            && told != known
        {
            self.hardware_of_others.push(host.name.clone());
        }
    }

    fn report(&mut self, report: &Report, holder: u64, now: Time) -> Result<Host, Refusal> {
        if !self.is_held(&report.fence, holder) {
            return Err(Refusal::OldEpoch);
        }
        let mut host = self.data.hosts.get(&report.host).cloned().ok_or(Refusal::Gone)?;
        if !is_lease_of(&report.fence.lease, &host) {
            return Err(Refusal::Other(format!("{} is not a lease of {}", report.fence.lease, host.name)));
        }
        if let Some(observed) = &report.observed {
            host.observed = observed.clone();
            self.data.hosts.insert(host.id, host.clone());
        }
        let Some(change) = &report.change else { return Ok(host) };
        let is_of_order = (change.generation, change.order) == (host.generation, host.order_key().id);
        if change.based_on != host.observed_version || !is_of_order {
            return Err(Refusal::Changed);
        }
        let begins = change.step.is_some() && change.step != host.step;
        if begins && !self.data.observe_only.is_empty() {
            return Err(Refusal::Other("controllers may only observe".to_owned()));
        }
        apply(&mut host, change, now);
        self.write(host.clone());
        Ok(host)
    }
}

/// Returns the revision and the batch of a position.
fn cursor(position: &Position) -> (usize, u64) {
    let (revision, batch) = position.cursor.split_once('/').unwrap();
    (revision.parse().unwrap(), batch.parse().unwrap())
}

fn apply(host: &mut Host, change: &Change, now: Time) {
    let is_new = |old: &crate::host::Step, new: &crate::host::Step| {
        (old.name, old.of, old.attempt) != (new.name, new.of, new.attempt)
    };
    let mut step = change.step.clone();
    if let Some(step) = &mut step
        && host.step.as_ref().is_none_or(|old| is_new(old, step))
    {
        step.since = now;
    }
    (host.state, host.power, host.step) = (change.state, change.power, step);
    host.generation_done = change.generation_done;
    host.conditions = change.conditions.clone();
    host.failure = change.failure.clone();
    if !host.is_pinned() {
        host.seen_identity = change.seen_identity.clone();
    }
    host.observed_version += 1;
}

/// Returns true if a host was installed since it was acquired, as the server works it out.
fn was_installed(host: &Host) -> bool {
    match host.state {
        State::Installed => true,
        State::Registered | State::Discovering | State::Available | State::Wiping => false,
        State::Releasing if host.step.as_ref().is_some_and(|step| step.name == StepName::Detach) => false,
        State::Acquired | State::Installing | State::Releasing | State::Failed => host.was_installed,
    }
}

/// Returns true if a host belongs to somebody.
pub fn is_taken(state: State) -> bool {
    matches!(state, State::Acquired | State::Installing | State::Installed | State::Releasing | State::Wiping)
}
