//! The keys of the objects that need work.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// A queue of keys, each with the time at which it is due.
///
/// A key is in the queue at most once, and is never handed out while a worker has it: what is added meanwhile is handed
/// out afterwards. The number of keys is bounded. A key for which there is no room is dropped, and the queue remembers
/// that everything has to be looked at ([`Queue::take_overflow`]).
#[derive(Debug)]
pub struct Queue<K> {
    inner: Mutex<Inner<K>>,
    changed: Notify,
    most: usize,
}

#[derive(Debug)]
struct Inner<K> {
    entries: HashMap<K, Entry>,
    /// The waiting keys in the order of their times. The number makes each entry unique.
    due: BTreeMap<(Instant, u64), K>,
    number: u64,
    has_overflowed: bool,
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Waiting { at: (Instant, u64) },
    AtWork { again: Option<Instant> },
}

impl<K: Clone + Eq + Hash> Queue<K> {
    /// Returns an empty queue that holds at most so many keys, with those that workers have.
    pub fn new(most: usize) -> Self {
        let inner = Inner { entries: HashMap::new(), due: BTreeMap::new(), number: 0, has_overflowed: false };
        Self { inner: Mutex::new(inner), changed: Notify::new(), most }
    }

    /// Adds a key that is due at once.
    pub fn add(&self, key: K) {
        self.add_at(key, Instant::now());
    }

    /// Adds a key that is due at a time. A key that waits already becomes due at the earlier of the two times.
    pub fn add_at(&self, key: K, at: Instant) {
        self.locked().add(key, at, self.most);
        self.changed.notify_one();
    }

    /// Adds a key that is due at a time, unless it waits already: then it keeps its time.
    pub fn add_first(&self, key: K, at: Instant) {
        let mut inner = self.locked();
        if !matches!(inner.entries.get(&key), Some(Entry::Waiting { .. })) {
            inner.add(key, at, self.most);
        }
        drop(inner);
        self.changed.notify_one();
    }

    /// Waits for the next key that is due and hands it out. The caller must return it by [`Queue::done`]. May be
    /// dropped before it is ready.
    pub async fn next(&self) -> K {
        loop {
            let changed = self.changed.notified();
            let next_at = match self.locked().take(Instant::now()) {
                Ok(key) => return key,
                Err(next_at) => next_at,
            };
            match next_at {
                Some(at) => tokio::select! {
                    () = changed => {}
                    () = sleep_until(at) => {}
                },
                None => changed.await,
            }
        }
    }

    /// Takes a key back from its worker. It is due again at the earliest of this time and those that were added
    /// meanwhile, and leaves the queue if there are none.
    pub fn done(&self, key: K, again: Option<Instant>) {
        let mut inner = self.locked();
        let added = match inner.entries.remove(&key) {
            Some(Entry::AtWork { again }) => again,
            Some(waiting @ Entry::Waiting { .. }) => {
                inner.entries.insert(key, waiting);
                return;
            }
            None => None,
        };
        if let Some(at) = again.into_iter().chain(added).min() {
            inner.add(key, at, self.most);
        }
        drop(inner);
        self.changed.notify_one();
    }

    /// Asks for a look at everything, as a key does for which there is no room.
    pub fn look_again(&self) {
        self.locked().has_overflowed = true;
    }

    /// Returns true if a key was dropped since the last call, because there was no room for it, or a look at everything
    /// was asked for.
    pub fn take_overflow(&self) -> bool {
        std::mem::take(&mut self.locked().has_overflowed)
    }

    /// Returns the number of keys that wait, due or not.
    pub fn waiting(&self) -> usize {
        self.locked().due.len()
    }

    fn locked(&self) -> MutexGuard<'_, Inner<K>> {
        // A thread that panicked while it held the lock left nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash> Inner<K> {
    fn add(&mut self, key: K, at: Instant, most: usize) {
        let is_full = self.entries.len() >= most;
        match self.entries.get_mut(&key) {
            Some(Entry::AtWork { again }) => *again = Some(again.map_or(at, |it| it.min(at))),
            Some(Entry::Waiting { at: old }) if old.0 <= at => {}
            Some(Entry::Waiting { at: old }) => {
                self.due.remove(old);
                self.insert(key, at);
            }
            None if is_full => self.has_overflowed = true,
            None => self.insert(key, at),
        }
    }

    fn insert(&mut self, key: K, at: Instant) {
        self.number += 1;
        let at = (at, self.number);
        self.due.insert(at, key.clone());
        self.entries.insert(key, Entry::Waiting { at });
    }

    /// Hands out a key that is due, or returns the time at which the next one is.
    fn take(&mut self, now: Instant) -> Result<K, Option<Instant>> {
        let Some(first) = self.due.first_entry() else { return Err(None) };
        let (at, _) = *first.key();
        if at > now {
            return Err(Some(at));
        }
        let key = first.remove();
        self.entries.insert(key.clone(), Entry::AtWork { again: None });
        Ok(key)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    async fn next(queue: &Queue<&'static str>) -> Option<&'static str> {
        timeout(Duration::ZERO, queue.next()).await.ok()
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_that_waits_keeps_its_time_where_it_is_added_first() {
        let queue = Queue::new(10);
        let start = Instant::now();
        queue.add_first("a", start + SECOND * 9);
        queue.add_first("a", start + SECOND * 3);
        assert_eq!(next(&queue).await, None);
        tokio::time::advance(SECOND * 8).await;
        assert_eq!(next(&queue).await, None);
        tokio::time::advance(SECOND).await;
        assert_eq!(next(&queue).await, Some("a"));
        // A worker has it: what is added meanwhile is handed out afterwards.
        queue.add_first("a", start);
        queue.done("a", Some(start + SECOND * 60));
        assert_eq!(next(&queue).await, Some("a"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_waits_once_and_comes_at_its_earliest_time() {
        let queue = Queue::new(10);
        let start = Instant::now();
        queue.add_at("a", start + SECOND * 9);
        queue.add_at("b", start + SECOND * 5);
        queue.add_at("a", start + SECOND * 3);
        queue.add_at("a", start + SECOND * 7);
        assert_eq!(queue.waiting(), 2);
        assert_eq!((queue.next().await, start.elapsed()), ("a", SECOND * 3));
        assert_eq!((queue.next().await, start.elapsed()), ("b", SECOND * 5));
        assert_eq!(next(&queue).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_at_work_is_not_handed_out_and_comes_again_if_it_was_added() {
        let queue = Queue::new(10);
        queue.add("a");
        assert_eq!(next(&queue).await, Some("a"));
        queue.add("a");
        assert_eq!(next(&queue).await, None);
        queue.done("a", Some(Instant::now() + SECOND));
        assert_eq!(next(&queue).await, Some("a"), "what was added meanwhile is due earlier");
        queue.done("a", None);
        assert_eq!(next(&queue).await, None);
        assert_eq!(queue.waiting(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_without_room_is_dropped_and_remembered() {
        let queue = Queue::new(2);
        for key in ["a", "b", "c", "a"] {
            queue.add(key);
        }
        assert!(queue.take_overflow());
        assert!(!queue.take_overflow());
        assert_eq!((next(&queue).await, next(&queue).await, next(&queue).await), (Some("a"), Some("b"), None));
        queue.add("c");
        assert!(queue.take_overflow(), "keys at work count");
        queue.done("a", None);
        queue.add("c");
        assert_eq!(next(&queue).await, Some("c"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_key_wakes_a_waiter() {
        let queue = std::sync::Arc::new(Queue::new(2));
        let waiter = tokio::spawn({
            let queue = std::sync::Arc::clone(&queue);
            async move { queue.next().await }
        });
        tokio::task::yield_now().await;
        queue.add_at("late", Instant::now() + SECOND * 60);
        tokio::task::yield_now().await;
        queue.add("now");
        assert_eq!(waiter.await.unwrap(), "now");
    }
}
