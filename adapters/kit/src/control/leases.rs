//! Divides objects among the controllers that run.
//!
//! The objects are spread over a fixed list of names, and a controller works only on the objects whose name it holds as
//! a *lease*: the right to act until a time. Each controller also holds a lease of its own, its *presence*, by which
//! all of them know how many there are; each holds a fair share of the names.
//!
//! Guarantee: [`Leases::held`] returns a lease only while its time is not over, by a clock that cannot jump. The time
//! is counted from before the request to the server, so it ends here before it ends there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::back_off::BackOff;
use super::status::Status;
use super::{jitter, stopped};

/// The time after which a round that failed is repeated. It grows while no lease is held, up to the time of a renewal.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// The part of the API that leases need. The time is that of the server's database.
pub trait LeaseServer: Send + Sync {
    /// The reason why a call failed.
    type Error: Display + Send;

    /// Returns the leases whose names begin with a prefix and whose time is not over, of all holders.
    fn leases(&self, prefix: &str) -> impl Future<Output = Result<Vec<LeaseSeen>, Self::Error>> + Send;

    /// Takes those of the leases that nobody holds, and returns what it got. The server refuses all of them while
    /// others divide the same work in another way.
    fn take(&self, names: &[String], ttl: Duration) -> impl Future<Output = Result<Vec<Taken>, Self::Error>> + Send;

    /// Extends leases that the caller holds, and returns those that it still holds.
    fn renew(&self, leases: &[Taken], ttl: Duration) -> impl Future<Output = Result<Vec<Taken>, Self::Error>> + Send;

    /// Gives leases back before their time.
    fn release(&self, leases: &[Taken]) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// A lease that somebody holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseSeen {
    /// The name of the lease.
    pub name: String,
    /// The number of the times that it was taken.
    pub epoch: u64,
    /// The end of the lease by the clock of the server, in milliseconds since 1970. It goes up with each renewal.
    pub until: i64,
}

/// A lease that the caller holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The name of the lease.
    pub name: String,
    /// The number that grows each time the lease is taken, from 1. The server refuses what carries an older one.
    pub epoch: u64,
}

/// The right to act on the objects of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The name of the lease.
    pub name: String,
    /// The epoch of the lease, which goes up each time that the lease is taken anew.
    pub epoch: u64,
    /// The end of the right, if it is not renewed.
    pub until: Instant,
    /// The time at which the last call of an earlier holder is over.
    pub settled: Instant,
}

/// The times of leases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseTiming {
    /// The time for which a lease is taken.
    pub ttl: Duration,
    /// The time between two renewals.
    pub renew: Duration,
    /// The longest time that a call of an earlier holder can still take.
    pub settle: Duration,
}

impl Default for LeaseTiming {
    fn default() -> Self {
        Self { ttl: Duration::from_secs(60), renew: Duration::from_secs(15), settle: Duration::from_secs(20) }
    }
}

/// The leases of one controller.
pub struct Leases<S> {
    server: Arc<S>,
    names: Vec<String>,
    prefix: String,
    /// The beginning of the names of the leases by which controllers know of each other.
    presences: String,
    /// The name of the lease by which the others know of this controller.
    presence: String,
    timing: LeaseTiming,
    status: Arc<Status>,
    held: Mutex<Own>,
}

#[derive(Debug, Default)]
struct Own {
    presence: Option<Taken>,
    /// By the index of their names.
    shares: BTreeMap<usize, Held>,
    /// The indices of those that were renewed after their time was over here: nobody worked under them meanwhile.
    regained: Vec<usize>,
}

impl<S: LeaseServer> Leases<S> {
    /// Returns the leases `prefix/00`, `prefix/01` and so on, of which none is held yet. `controller` names the process
    /// and must differ from those of all other processes.
    pub fn new(
        server: Arc<S>,
        prefix: &str,
        count: usize,
        controller: &str,
        timing: LeaseTiming,
        status: Arc<Status>,
    ) -> Self {
        let names = (0..count).map(|number| format!("{prefix}/{number:02}")).collect();
        let presences = format!("{prefix}/by/");
        let presence = format!("{presences}{controller}");
        let prefix = format!("{prefix}/");
        Self { server, names, prefix, presences, presence, timing, status, held: Mutex::default() }
    }

    /// Returns the lease with this index, if it is held and its time is not over.
    pub fn held(&self, index: usize) -> Option<Held> {
        self.locked().shares.get(&index).filter(|held| held.until > Instant::now()).cloned()
    }

    /// Returns the indices of all leases that are held.
    pub fn all_held(&self) -> BTreeSet<usize> {
        let now = Instant::now();
        self.locked().shares.iter().filter(|(_, held)| held.until > now).map(|(index, _)| *index).collect()
    }

    /// Holds a fair share of the leases until it is asked to stop, and gives all of them back then. Calls `check` before
    /// each round: while it fails, no lease is taken or renewed, so that nobody takes this controller for one that works.
    /// Calls `taken` with the indices of leases that were taken, or that were over here for a time.
    pub async fn run<C: Future<Output = Result<(), String>> + Send>(
        &self,
        mut stop: watch::Receiver<bool>,
        check: impl Fn() -> C + Send + Sync,
        taken: impl Fn(&[usize]) + Send + Sync,
    ) {
        let mut pauses = BackOff::new(RETRY_DELAY.min(self.timing.renew), self.timing.renew);
        loop {
            let round = async {
                check().await?;
                self.round().await.map_err(|error| error.to_string())
            };
            let pause = match round.await {
                Ok(new) => {
                    pauses.succeeded(&());
                    self.status.leased(self.all_held().len(), None);
                    if !new.is_empty() {
                        taken(&new);
                    }
                    jitter(self.timing.renew)
                }
                Err(error) => {
                    let held = self.all_held().len();
                    self.status.leased(held, Some(error));
                    if held == 0 { pauses.failed(()) } else { RETRY_DELAY }
                }
            };
            tokio::select! {
                biased;
                () = stopped(&mut stop) => return self.give_back().await,
                () = sleep(pause) => {}
            }
        }
    }

    /// Renews the leases, gives back those above the fair share, and takes free ones below it. Returns the indices of
    /// those that were taken or regained.
    async fn round(&self) -> Result<Vec<usize>, S::Error> {
        self.be_present().await?;
        let names = |seen: Vec<LeaseSeen>| -> BTreeSet<String> { seen.into_iter().map(|seen| seen.name).collect() };
        // The server returns a limited number of leases, and the share depends on every controller.
        let share = self.share(&names(self.server.leases(&self.presences).await?));
        let seen = names(self.server.leases(&self.prefix).await?);
        let extra = self.cut_to(share);
        if !extra.is_empty() {
            self.server.release(&extra).await?;
        }
        self.renew().await?;
        let held = self.all_held();
        let free = |(index, name): &(usize, &String)| !seen.contains(*name) && !held.contains(index);
        // Controllers that start together begin at different leases, so that they do not want the same leases.
        let mut free: Vec<String> = self.names.iter().enumerate().filter(free).map(|(_, name)| name.clone()).collect();
        let first = rand::random_range(0..free.len().max(1));
        free.rotate_left(first);
        free.truncate(share.saturating_sub(held.len()));
        let mut new = if free.is_empty() { Vec::new() } else { self.take(&free).await? };
        new.append(&mut self.locked().regained);
        Ok(new)
    }

    async fn be_present(&self) -> Result<(), S::Error> {
        let own = self.locked().presence.clone();
        let still = match own {
            Some(own) => self.server.renew(&[own], self.timing.ttl).await?.pop(),
            None => None,
        };
        let still = match still {
            Some(still) => Some(still),
            None => self.server.take(std::slice::from_ref(&self.presence), self.timing.ttl).await?.pop(),
        };
        self.locked().presence = still;
        Ok(())
    }

    /// Returns the number of leases that this controller should hold.
    fn share(&self, presences: &BTreeSet<String>) -> usize {
        let mut controllers: BTreeSet<&String> = presences.iter().collect();
        controllers.insert(&self.presence);
        let index = controllers.iter().position(|name| **name == self.presence).unwrap_or_default();
        share_of(self.names.len(), controllers.len(), index)
    }

    /// Lets go of what is above the share, at once, and returns it.
    fn cut_to(&self, share: usize) -> Vec<Taken> {
        let mut own = self.locked();
        let mut extra = Vec::new();
        while own.shares.len() > share
            && let Some((_, held)) = own.shares.pop_last()
        {
            extra.push(Taken { name: held.name, epoch: held.epoch });
        }
        extra
    }

    async fn renew(&self) -> Result<(), S::Error> {
        let own: Vec<Taken> = self.owned();
        if own.is_empty() {
            return Ok(());
        }
        let until = Instant::now() + self.timing.ttl;
        let still = self.server.renew(&own, self.timing.ttl).await?;
        let now = Instant::now();
        let Own { shares, regained, .. } = &mut *self.locked();
        shares.retain(|index, held| {
            let is_still = still.iter().any(|it| it.name == held.name && it.epoch == held.epoch);
            if is_still {
                // The server counts from its answer, and so longer than this controller.
                if held.until <= now {
                    regained.push(*index);
                }
                held.until = until;
            }
            is_still
        });
        Ok(())
    }

    async fn take(&self, names: &[String]) -> Result<Vec<usize>, S::Error> {
        let now = Instant::now();
        let taken = self.server.take(names, self.timing.ttl).await?;
        // The call of an earlier holder can have begun at the very end of its lease, which was before the answer.
        let settled = Instant::now() + self.timing.settle;
        let mut own = self.locked();
        let mut new = Vec::with_capacity(taken.len());
        for Taken { name, epoch } in taken {
            let Some(index) = self.names.iter().position(|it| *it == name) else { continue };
            // Nobody had the work before the first epoch, or nobody did for a day.
            let settled = if epoch == 1 { now } else { settled };
            own.shares.insert(index, Held { name, epoch, until: now + self.timing.ttl, settled });
            new.push(index);
        }
        Ok(new)
    }

    async fn give_back(&self) {
        let mut own = self.owned();
        let presence = {
            let mut held = self.locked();
            held.shares.clear();
            held.presence.take()
        };
        own.extend(presence);
        // The leases end by themselves, so nothing depends on this call.
        drop(tokio::time::timeout(RETRY_DELAY, self.server.release(&own)).await);
        self.status.leased(0, None);
    }

    fn owned(&self) -> Vec<Taken> {
        let taken = |held: &Held| Taken { name: held.name.clone(), epoch: held.epoch };
        self.locked().shares.values().map(taken).collect()
    }

    fn locked(&self) -> MutexGuard<'_, Own> {
        // A thread that panicked while it held the lock left nothing half done.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the number of leases for the controller at an index among all controllers. The shares differ by at most one,
/// and are all leases together.
pub const fn share_of(leases: usize, controllers: usize, index: usize) -> usize {
    let controllers = if controllers == 0 { 1 } else { controllers };
    leases / controllers + (index < leases % controllers) as usize
}

#[cfg(test)]
#[path = "leases_tests.rs"]
mod tests;
