//! The host controller: subscribes to the inventory, and works on the hosts whose leases it holds.
//!
//! [`Controller::run`] joins its parts in the task of the caller, so that dropping it ends all of them: the leases, the
//! subscriber to changes, the workers on lives, on polls and on readings, and the reporter.

mod calls;
mod clock;
mod comparison;
mod conditions;
mod daily;
mod enlist;
mod family;
mod host_cache;
mod lives;
mod looks;
mod pass;
mod polls;
mod readings;
mod reporter;
mod safety;
mod scope;
mod strays;
mod subscribe;
mod turns;

#[cfg(test)]
mod ending_tests;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod reading_tests;
#[cfg(test)]
mod safety_tests;
#[cfg(test)]
mod site_tests;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use chrono::TimeDelta;
use tokio::sync::watch;
use underlay_kit::control::{LeaseTiming, Position, PositionFile, Queue, Status, WorkTiming, Workers, stopped};
use uuid::Uuid;

use self::clock::Clock;
use self::family::Family;
use self::host_cache::HostCache;
use self::lives::Lives;
use self::polls::Polls;
use self::readings::Readings;
use self::reporter::{Reporter, reporter};
use self::safety::Safety;
pub use self::scope::Scope;
use self::turns::Turns;
use crate::api::Api;
use crate::host::Host;
use crate::machine::Drivers;
use crate::provisioner::Provisioners;

/// The number of leases that hosts are divided over.
pub const HOST_LEASES: usize = 64;
/// The maximum number of hosts in a queue.
const MAX_QUEUED_HOSTS: usize = 200_000;

/// The times of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The time after which a call of a driver or provisioner is dropped. It is much shorter than a lease.
    pub call: Duration,
    /// The time over which the first polls of hosts are spread.
    pub first_polls: Duration,
    /// The time between two polls of a host at work.
    pub poll_at_work: Duration,
    /// The time between two polls of a host that rests and has no appliance.
    pub poll_at_rest: Duration,
    /// The length of a second in the interval of an appliance. Only tests make it shorter.
    pub interval_second: Duration,
    /// The length of a minute in the deadlines of steps. Only tests make it shorter.
    pub deadline_minute: TimeDelta,
    /// The time that a server has to show the newest revision that the controller knows: a replica can be behind.
    pub catch_up: Duration,
    /// The time over which the first looks if hardware is due to be read are spread.
    pub first_readings: Duration,
    /// The longest time of a reading of hardware.
    pub reading: Duration,
    /// The time after which a reading that failed is tried again.
    pub reading_retry: Duration,
    /// The workers on lives.
    pub lives: WorkTiming,
    /// The workers on polls.
    pub polls: WorkTiming,
    /// The workers on readings.
    pub readings: WorkTiming,
    pub leases: LeaseTiming,
}

impl Default for Timing {
    fn default() -> Self {
        let call = Duration::from_secs(20);
        Self {
            call,
            first_polls: Duration::from_secs(15),
            poll_at_work: Duration::from_secs(15),
            poll_at_rest: Duration::from_secs(300),
            interval_second: Duration::from_secs(1),
            deadline_minute: TimeDelta::minutes(1),
            catch_up: Duration::from_secs(60),
            first_readings: Duration::from_secs(3_600),
            reading: Duration::from_secs(120),
            reading_retry: Duration::from_secs(3_600),
            lives: WorkTiming::default(),
            polls: WorkTiming { at_once: 256, ..WorkTiming::default() },
            // A day has room for as many readings as there are hosts, and weak networks have BMCs behind them.
            readings: WorkTiming { at_once: 16, ..WorkTiming::default() },
            leases: LeaseTiming { settle: call, ..LeaseTiming::default() },
        }
    }
}

impl Timing {
    /// Returns the times of calls, first polls, leases, comparisons and deadlines, each divided by `divisor`. Those between
    /// two polls stay as they are.
    pub fn divided_by(self, divisor: u32) -> Self {
        let LeaseTiming { ttl, renew, settle } = self.leases;
        Self {
            call: self.call / divisor,
            first_polls: self.first_polls / divisor,
            deadline_minute: self.deadline_minute / i32::try_from(divisor).unwrap_or(i32::MAX),
            catch_up: self.catch_up / divisor,
            leases: LeaseTiming { ttl: ttl / divisor, renew: renew / divisor, settle: settle / divisor },
            ..self
        }
    }

    /// Returns the time between two polls of a host.
    fn poll(&self, host: &Host) -> Duration {
        match (host.order(), host.interval) {
            (Some(_), _) => self.poll_at_work,
            (None, Some(seconds)) => self.interval_second * seconds,
            (None, None) => self.poll_at_rest,
        }
    }
}

/// The means of a controller.
pub struct Means<A> {
    /// The server.
    pub api: A,
    /// The drivers of machines.
    pub drivers: Drivers,
    pub provisioners: Provisioners,
    /// The file of the position, which must be kept over restarts.
    pub state: PositionFile,
    /// The name of this process, different from those of all others.
    pub name: String,
    /// The hosts that it serves.
    pub scope: Scope,
}

/// A host controller.
pub struct Controller<A: Api> {
    shared: Arc<Shared<A>>,
    lives: Arc<Status>,
    polls: Arc<Status>,
    readings: Arc<Status>,
}

/// The parts that everything in a controller uses.
struct Shared<A: Api> {
    api: Arc<A>,
    drivers: Drivers,
    provisioners: Provisioners,
    name: String,
    scope: Scope,
    timing: Timing,
    /// The leases, when it is known which ones.
    family: OnceLock<Family<A>>,
    cache: HostCache,
    clock: Clock,
    safety: Safety,
    reporter: Reporter,
    reports: tokio::sync::Mutex<reporter::Inbox>,
    turns: Turns,
    lives: Arc<Queue<Uuid>>,
    polls: Arc<Queue<Uuid>>,
    readings: Arc<Queue<Uuid>>,
}

impl<A: Api + 'static> Controller<A> {
    /// Returns a controller that does nothing yet.
    pub fn new(means: Means<A>, timing: Timing) -> Self {
        let Means { api, drivers, provisioners, state, name, scope } = means;
        let api = Arc::new(api);
        let [lives, polls, readings] =
            ["hosts", "hosts-polls", "hosts-readings"].map(|name| Arc::new(Status::new(name)));
        let (reporter, inbox) = reporter();
        let shared = Shared {
            api,
            drivers,
            provisioners,
            name,
            scope,
            timing,
            family: OnceLock::new(),
            cache: HostCache::default(),
            clock: Clock::default(),
            safety: Safety::new(state),
            reporter,
            reports: tokio::sync::Mutex::new(inbox),
            turns: Turns::default(),
            lives: Arc::new(Queue::new(MAX_QUEUED_HOSTS)),
            polls: Arc::new(Queue::new(MAX_QUEUED_HOSTS)),
            readings: Arc::new(Queue::new(MAX_QUEUED_HOSTS)),
        };
        Self { shared: Arc::new(shared), lives, polls, readings }
    }

    /// Returns the status of the work on lives.
    pub fn status(&self) -> Arc<Status> {
        Arc::clone(&self.lives)
    }

    /// Works until it is asked to stop.
    pub async fn run(&self, mut stop: watch::Receiver<bool>) {
        let shared = &self.shared;
        let (Some(position), Some(family)) = (self.start(&mut stop).await, shared.family.get()) else { return };
        let lives = Workers::new(
            Arc::new(Lives(Arc::clone(shared))),
            Arc::clone(&shared.lives),
            Arc::clone(&self.lives),
            shared.timing.lives,
        );
        let polls = Workers::new(
            Arc::new(Polls(Arc::clone(shared))),
            Arc::clone(&shared.polls),
            Arc::clone(&self.polls),
            shared.timing.polls,
        );
        let readings = Workers::new(
            Arc::new(Readings(Arc::clone(shared))),
            Arc::clone(&shared.readings),
            Arc::clone(&self.readings),
            shared.timing.readings,
        );
        let (done, reported) = watch::channel(false);
        let work = async {
            let taken = |_: &[usize]| shared.lives.look_again();
            tokio::join!(
                family.leases.run(stop.clone(), || shared.check_server(), taken),
                shared.subscribe(position, stop.clone()),
                shared.enlist(stop.clone()),
                lives.run(stop.clone()),
                polls.run(stop.clone()),
                readings.run(stop.clone()),
            );
            done.send_replace(true);
        };
        tokio::join!(work, shared.write_reports(reported));
    }

    /// Checks if the server is the one that the saved position belongs to, and finds the leases. Returns the position
    /// to subscribe from.
    async fn start(&self, stop: &mut watch::Receiver<bool>) -> Option<Position> {
        let start = async {
            let position = self.shared.check_start(&self.lives).await;
            self.shared.find_family(&self.lives).await;
            position
        };
        tokio::select! {
            biased;
            () = stopped(stop) => None,
            position = start => Some(position),
        }
    }
}

/// Returns the index of the lease that a provisioner belongs to, so that one controller reports its strays.
fn lease_of_provisioner(name: &str) -> usize {
    name.bytes().map(usize::from).sum::<usize>() % HOST_LEASES
}

/// Returns the index of the lease that a host belongs to.
pub fn lease_of(host: Uuid) -> usize {
    // The last bytes of an id are random, whatever its version.
    usize::from(host.as_bytes()[15]) % HOST_LEASES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The server computes the same (`crates/kinds/src/reports/leases.rs`), and so do controllers of other versions.
    #[test]
    fn the_leases_of_hosts_and_provisioners_never_change() {
        for (id, number) in [(0, 0), (63, 63), (64, 0), (255, 63), (256, 0)] {
            assert_eq!(lease_of(Uuid::from_u128(id)), number, "{id}");
        }
        for (name, number) in [("simulated", 8), ("ironic", 4), ("z".repeat(253).as_str(), 18)] {
            assert_eq!(lease_of_provisioner(name), number, "{name}");
        }
    }
}
