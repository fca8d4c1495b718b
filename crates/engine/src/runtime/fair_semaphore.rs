//! A semaphore whose permits callers share fairly.
//!
//! A permit that becomes free goes to the caller that holds the fewest, and among equals to the one that got a permit the
//! longest time ago. A caller gets its permits in the order in which it asked. Guarantee: one caller holds at most half
//! of the permits, so others need not wait until it has finished.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::processors;

/// The semaphore. Cloning is cheap, and clones share the permits.
#[derive(Debug)]
pub struct FairSemaphore<K> {
    shared: Arc<Mutex<Shared<K>>>,
}

/// A permit that a caller asked for: granted at some time, and free again when it is dropped.
#[derive(Debug)]
pub struct Permit<K: Eq + Hash> {
    shared: Arc<Mutex<Shared<K>>>,
    key: K,
    number: u64,
    /// The receiver that becomes ready when the permit is granted; `None` once it did.
    granted: Option<oneshot::Receiver<()>>,
}

#[derive(Debug)]
struct Shared<K> {
    free: usize,
    /// The most permits of one caller.
    share: usize,
    /// The number of the last event: of a permit that was asked for or granted.
    last: u64,
    callers: HashMap<K, OfCaller>,
}

/// The permits of one caller.
#[derive(Debug)]
struct OfCaller {
    held: usize,
    /// The number of the event at which the caller came, or got its last permit.
    since: u64,
    /// The permits that are not granted yet, by their numbers.
    waiting: VecDeque<(u64, oneshot::Sender<()>)>,
}

impl<K> Clone for FairSemaphore<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K: Eq + Hash + Clone> FairSemaphore<K> {
    /// Creates this number of permits, at least two. One caller holds at most half of them.
    pub fn new(permits: usize) -> Self {
        let permits = permits.max(2);
        Self::with_share(permits, permits / 2)
    }

    /// Creates as many permits as there are processors, at least two.
    pub fn of_processors() -> Self {
        Self::new(processors())
    }

    /// Creates this number of permits, of which one caller holds at most `share`.
    pub fn with_share(permits: usize, share: usize) -> Self {
        let shared = Shared { free: permits, share, last: 0, callers: HashMap::new() };
        Self { shared: Arc::new(Mutex::new(shared)) }
    }

    /// Returns the number of permits that are asked for and not granted.
    pub fn waiting(&self) -> usize {
        lock(&self.shared).callers.values().map(|caller| caller.waiting.len()).sum()
    }

    /// Waits for a permit of a caller.
    pub async fn acquire(&self, key: K) -> Permit<K> {
        let mut permit = self.queue(key);
        permit.granted().await;
        permit
    }

    /// Queues a caller for a permit, and does not wait for it.
    pub fn queue(&self, key: K) -> Permit<K> {
        let (grant, granted) = oneshot::channel();
        let mut shared = lock(&self.shared);
        shared.last += 1;
        let number = shared.last;
        let new = || OfCaller { held: 0, since: number, waiting: VecDeque::new() };
        shared.callers.entry(key.clone()).or_insert_with(new).waiting.push_back((number, grant));
        shared.grant();
        drop(shared);
        Permit { shared: Arc::clone(&self.shared), key, number, granted: Some(granted) }
    }
}

impl<K: Eq + Hash> Permit<K> {
    /// Waits until the permit is granted. The future may be dropped: the permit keeps its position.
    pub async fn granted(&mut self) {
        if let Some(granted) = &mut self.granted {
            // The sender is dropped only with this permit.
            let _ = granted.await;
            self.granted = None;
        }
    }
}

impl<K: Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        let Some(own) = shared.callers.get_mut(&self.key) else { return };
        let is_free = match own.waiting.binary_search_by_key(&self.number, |(number, _)| *number) {
            Ok(position) => {
                own.waiting.remove(position);
                false
            }
            // It is granted already, whether or not anybody noticed.
            Err(_) => {
                own.held -= 1;
                true
            }
        };
        if own.held == 0 && own.waiting.is_empty() {
            shared.callers.remove(&self.key);
        }
        if is_free {
            shared.free += 1;
            shared.grant();
        }
    }
}

impl<K: Eq + Hash> Shared<K> {
    /// Gives the free permits to those that wait.
    fn grant(&mut self) {
        while self.free > 0 {
            let share = self.share;
            let may_have = |caller: &&mut OfCaller| caller.held < share && !caller.waiting.is_empty();
            let next = self.callers.values_mut().filter(may_have).min_by_key(|caller| (caller.held, caller.since));
            let Some(caller) = next else { return };
            let Some((_, granted)) = caller.waiting.pop_front() else { return };
            self.last += 1;
            self.free -= 1;
            (caller.held, caller.since) = (caller.held + 1, self.last);
            // A permit that is dropped at this moment gives its permit back.
            let _ = granted.send(());
        }
    }
}

fn lock<K>(shared: &Mutex<Shared<K>>) -> MutexGuard<'_, Shared<K>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn has(permit: &mut Permit<&'static str>) -> bool {
        permit.granted().now_or_never().is_some()
    }

    #[test]
    fn one_caller_never_holds_all_permits() {
        let semaphore = FairSemaphore::new(4);
        let mut own: Vec<_> = (0..4).map(|_| semaphore.queue("a")).collect();
        assert_eq!(own.iter_mut().map(has).collect::<Vec<_>>(), [true, true, false, false]);
        let mut others = ["b", "c"].map(|caller| semaphore.queue(caller));
        assert!(others.iter_mut().all(has), "there are permits for others");
        drop(others);
        assert!(!has(&mut own[2]), "the half of one caller");
        own.remove(0);
        assert!(has(&mut own[1]) && !has(&mut own[2]), "the first of those that wait");
        drop(own);
        assert!(lock(&semaphore.shared).callers.is_empty() && lock(&semaphore.shared).free == 4);
    }

    #[test]
    fn a_free_permit_goes_to_the_caller_with_the_fewest() {
        let semaphore = FairSemaphore::with_share(3, 3);
        let mut own: Vec<_> = (0..6).map(|_| semaphore.queue("a")).collect();
        let mut others = ["b", "c", "b"].map(|caller| semaphore.queue(caller));
        assert!(own[..3].iter_mut().all(has) && !others.iter_mut().any(has), "nobody else waited");
        drop(own.remove(0));
        assert!(has(&mut others[0]) && !has(&mut own[2]), "before those that asked earlier");
        drop(own.remove(0));
        assert!(has(&mut others[1]) && !has(&mut others[2]), "another one with none");
        drop(own.remove(0));
        assert!(has(&mut own[0]), "all others have one");
    }

    #[test]
    fn equal_callers_take_turns() {
        let semaphore = FairSemaphore::with_share(1, 1);
        let mut waiting: Vec<_> = ["a", "a", "b", "a", "b"].into_iter().map(|it| (it, semaphore.queue(it))).collect();
        let mut order = String::new();
        while let Some(position) = waiting.iter_mut().position(|(_, permit)| has(permit)) {
            let (caller, permit) = waiting.remove(position);
            order.push_str(caller);
            drop(permit);
        }
        assert_eq!((order.as_str(), waiting.len()), ("aabab", 0));
    }

    #[test]
    fn a_permit_that_nobody_wants_any_more_is_passed_on() {
        let semaphore = FairSemaphore::with_share(1, 1);
        let first = semaphore.queue("a");
        let (gone, unnoticed) = (semaphore.queue("a"), semaphore.queue("a"));
        let mut last = semaphore.queue("b");
        drop(gone);
        drop(first);
        assert!(!has(&mut last), "the other one of `a` has the permit, though it did not notice");
        drop(unnoticed);
        assert!(has(&mut last));
    }
}
