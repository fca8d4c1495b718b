//! The turns at the machines of hosts, so that a long reading of the hardware is never in the way of anything else.
//!
//! Guarantees: the hardware of a machine is not read while a step or a look is at work on its host, and work that begins ends
//! the reading: it waits only until the reading was dropped, and a reading changes nothing. A BMC that several hosts share is
//! read for one of them at a time.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use uuid::Uuid;

/// The turns at the machines of all hosts. Hosts that nobody is at take no memory.
#[derive(Debug, Default)]
pub struct Turns {
    inner: Mutex<Inner>,
    /// Wakes those who wait when somebody comes or goes.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    hosts: HashMap<Uuid, Users>,
    /// The BMCs that are being read.
    bmcs: HashSet<String>,
}

/// Those who are at the machine of a host.
#[derive(Debug, Default)]
struct Users {
    /// The number of steps and looks.
    at_work: usize,
    is_read: bool,
}

/// A step or a look at the machine of a host.
#[derive(Debug)]
pub struct AtWork<'a> {
    turns: &'a Turns,
    host: Uuid,
}

/// The turn to read the hardware of the machine of a host.
#[derive(Debug)]
pub struct ReadingTurn<'a> {
    turns: &'a Turns,
    host: Uuid,
    bmc: String,
}

impl Turns {
    /// Begins work on a host, and ends a reading that is going on. Returns when that was dropped.
    pub async fn work(&self, host: Uuid) -> AtWork<'_> {
        let at_work = self.at_work(&mut self.locked(), host);
        self.changed.notify_waiters();
        self.wait(|inner| inner.hosts.get(&host).is_none_or(|users| !users.is_read)).await;
        at_work
    }

    /// Begins a look that can wait. `None` while the hardware of the machine is being read.
    pub fn look(&self, host: Uuid) -> Option<AtWork<'_>> {
        let mut inner = self.locked();
        let is_read = inner.hosts.get(&host).is_some_and(|users| users.is_read);
        (!is_read).then(|| self.at_work(&mut inner, host))
    }

    /// Begins a reading through a BMC. `None` while anybody else is at the host, or reads through the BMC.
    pub fn read(&self, host: Uuid, bmc: String) -> Option<ReadingTurn<'_>> {
        let mut inner = self.locked();
        let Inner { hosts, bmcs } = &mut *inner;
        if hosts.contains_key(&host) || bmcs.contains(&bmc) {
            return None;
        }
        hosts.insert(host, Users { at_work: 0, is_read: true });
        bmcs.insert(bmc.clone());
        Some(ReadingTurn { turns: self, host, bmc })
    }

    fn at_work(&self, inner: &mut Inner, host: Uuid) -> AtWork<'_> {
        inner.hosts.entry(host).or_default().at_work += 1;
        AtWork { turns: self, host }
    }

    /// Waits until something holds.
    async fn wait(&self, holds: impl Fn(&Inner) -> bool) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on no change is missed.
            changed.as_mut().enable();
            if holds(&self.locked()) {
                return;
            }
            changed.await;
        }
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        // A thread that panicked while it held the lock left nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, host: Uuid, change: impl FnOnce(&mut Users)) {
        let mut inner = self.locked();
        if let Some(users) = inner.hosts.get_mut(&host) {
            change(users);
            if users.at_work == 0 && !users.is_read {
                inner.hosts.remove(&host);
            }
        }
    }
}

impl ReadingTurn<'_> {
    /// Reads. `None` if work began on the host meanwhile: then the reading was dropped.
    pub async fn run<T>(&self, reading: impl Future<Output = T>) -> Option<T> {
        let is_wanted = |inner: &Inner| inner.hosts.get(&self.host).is_some_and(|users| users.at_work > 0);
        tokio::select! {
            biased;
            () = self.turns.wait(is_wanted) => None,
            read = reading => Some(read),
        }
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.turns.leave(self.host, |users| users.at_work -= 1);
        self.turns.changed.notify_waiters();
    }
}

impl Drop for ReadingTurn<'_> {
    fn drop(&mut self) {
        self.turns.locked().bmcs.remove(&self.bmc);
        self.turns.leave(self.host, |users| users.is_read = false);
        self.turns.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{Instant, sleep};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const A: Uuid = Uuid::from_u128(1);
    const B: Uuid = Uuid::from_u128(2);

    fn read<'a>(turns: &'a Turns, host: Uuid, bmc: &str) -> Option<ReadingTurn<'a>> {
        turns.read(host, bmc.to_owned())
    }

    #[tokio::test(start_paused = true)]
    async fn a_reading_is_alone_at_its_host_and_its_bmc() {
        let turns = Turns::default();
        let (at_work, look) = (turns.work(A).await, turns.look(A));
        assert!(look.is_some(), "others may be there together");
        assert!(read(&turns, A, "a").is_none());
        drop(at_work);
        assert!(read(&turns, A, "a").is_none());
        drop(look);
        let reading = read(&turns, A, "a");
        assert!(reading.is_some() && turns.look(A).is_none() && turns.look(B).is_some());
        assert!(read(&turns, A, "b").is_none() && read(&turns, B, "a").is_none());
        assert!(read(&turns, B, "b").is_some(), "and is over at once");
        drop(reading);
        assert!(turns.look(A).is_some());
        let inner = turns.locked();
        assert!(inner.hosts.is_empty() && inner.bmcs.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn work_ends_a_reading_and_begins_when_it_was_dropped() {
        let turns = Turns::default();
        let start = Instant::now();
        let reading = async {
            let turn = read(&turns, A, "a").expect("nobody is there");
            let read = turn.run(sleep(SECOND * 60)).await;
            assert!(read.is_none() && start.elapsed() == SECOND * 5);
            // What is left of it.
            sleep(SECOND).await;
        };
        let work = async {
            sleep(SECOND * 5).await;
            let at_work = turns.work(A).await;
            assert_eq!(start.elapsed(), SECOND * 6, "it waits for the end of the reading");
            assert!(read(&turns, A, "a").is_none());
            drop(at_work);
        };
        tokio::join!(reading, work);
        let turn = read(&turns, A, "a").expect("nobody is there");
        assert_eq!(turn.run(async { 7 }).await, Some(7));
    }
}
