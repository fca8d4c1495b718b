//! A number of places that callers share fairly: each who wants a place lines up for its turn.
//!
//! A place that becomes free goes to the caller that holds the fewest places, and among equals to the one that got a
//! place the longest time ago. Turns of one caller come in the order in which it lined up. Guarantee: one caller holds
//! at most half of the places, so others need not wait until it has finished.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::processors;

/// The places. Cloning is cheap, and clones share them.
#[derive(Debug)]
pub struct Turns<K> {
    shared: Arc<Mutex<Shared<K>>>,
}

/// A turn of one caller: it waits for a place, then holds it until it is dropped.
#[derive(Debug)]
pub struct Turn<K: Eq + Hash> {
    shared: Arc<Mutex<Shared<K>>>,
    key: K,
    number: u64,
    /// The receiver that becomes ready with the place; `None` once it did.
    granted: Option<oneshot::Receiver<()>>,
}

#[derive(Debug)]
struct Shared<K> {
    free: usize,
    /// The most places of one caller.
    share: usize,
    /// The number of the last event: of a turn that began to wait, or got its place.
    last: u64,
    callers: HashMap<K, OfCaller>,
}

/// The turns of one caller.
#[derive(Debug)]
struct OfCaller {
    held: usize,
    /// The number of the event at which the caller came, or got its last place.
    since: u64,
    /// The turns that wait, by their numbers.
    waiting: VecDeque<(u64, oneshot::Sender<()>)>,
}

impl<K> Clone for Turns<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K: Eq + Hash + Clone> Turns<K> {
    /// Creates this number of places, at least two. One caller holds at most half of them.
    pub fn new(places: usize) -> Self {
        let places = places.max(2);
        Self::with_share(places, places / 2)
    }

    /// Creates as many places as there are processors, at least two.
    pub fn of_processors() -> Self {
        Self::new(processors())
    }

    /// Creates this number of places, of which one caller holds at most `share`.
    pub fn with_share(places: usize, share: usize) -> Self {
        let shared = Shared { free: places, share, last: 0, callers: HashMap::new() };
        Self { shared: Arc::new(Mutex::new(shared)) }
    }

    /// Returns the number of turns that wait for a place.
    pub fn waiting(&self) -> usize {
        lock(&self.shared).callers.values().map(|caller| caller.waiting.len()).sum()
    }

    /// Waits for the turn of a caller.
    pub async fn turn(&self, key: K) -> Turn<K> {
        let mut turn = self.line_up(key);
        turn.granted().await;
        turn
    }

    /// Lines up for a turn of a caller, which waits from now on.
    pub fn line_up(&self, key: K) -> Turn<K> {
        let (grant, granted) = oneshot::channel();
        let mut shared = lock(&self.shared);
        shared.last += 1;
        let number = shared.last;
        let new = || OfCaller { held: 0, since: number, waiting: VecDeque::new() };
        shared.callers.entry(key.clone()).or_insert_with(new).waiting.push_back((number, grant));
        shared.grant();
        drop(shared);
        Turn { shared: Arc::clone(&self.shared), key, number, granted: Some(granted) }
    }
}

impl<K: Eq + Hash> Turn<K> {
    /// Waits for the place. The future may be dropped: the turn keeps its position.
    pub async fn granted(&mut self) {
        if let Some(granted) = &mut self.granted {
            // The sender is dropped only with this turn.
            let _ = granted.await;
            self.granted = None;
        }
    }
}

impl<K: Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        let mut shared = lock(&self.shared);
        let Some(own) = shared.callers.get_mut(&self.key) else { return };
        let is_free = match own.waiting.binary_search_by_key(&self.number, |(number, _)| *number) {
            Ok(position) => {
                own.waiting.remove(position);
                false
            }
            // It has its place already, whether or not it noticed.
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
    /// Gives the free places to those that wait.
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
            // A turn that is dropped at this moment gives its place back.
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

    fn has(turn: &mut Turn<&'static str>) -> bool {
        turn.granted().now_or_never().is_some()
    }

    #[test]
    fn one_caller_never_holds_all_places() {
        let turns = Turns::new(4);
        let mut own: Vec<_> = (0..4).map(|_| turns.line_up("a")).collect();
        assert_eq!(own.iter_mut().map(has).collect::<Vec<_>>(), [true, true, false, false]);
        let mut others = ["b", "c"].map(|caller| turns.line_up(caller));
        assert!(others.iter_mut().all(has), "there are places for others");
        drop(others);
        assert!(!has(&mut own[2]), "the half of one caller");
        own.remove(0);
        assert!(has(&mut own[1]) && !has(&mut own[2]), "the first of those that wait");
        drop(own);
        assert!(lock(&turns.shared).callers.is_empty() && lock(&turns.shared).free == 4);
    }

    #[test]
    fn a_free_place_goes_to_the_caller_with_the_fewest() {
        let turns = Turns::with_share(3, 3);
        let mut own: Vec<_> = (0..6).map(|_| turns.line_up("a")).collect();
        let mut others = ["b", "c", "b"].map(|caller| turns.line_up(caller));
        assert!(own[..3].iter_mut().all(has) && !others.iter_mut().any(has), "nobody else waited");
        drop(own.remove(0));
        assert!(has(&mut others[0]) && !has(&mut own[2]), "before those that lined up earlier");
        drop(own.remove(0));
        assert!(has(&mut others[1]) && !has(&mut others[2]), "another one with none");
        drop(own.remove(0));
        assert!(has(&mut own[0]), "all others have one");
    }

    #[test]
    fn equal_callers_take_turns() {
        let turns = Turns::with_share(1, 1);
        let mut waiting: Vec<_> = ["a", "a", "b", "a", "b"].into_iter().map(|it| (it, turns.line_up(it))).collect();
        let mut order = String::new();
        while let Some(position) = waiting.iter_mut().position(|(_, turn)| has(turn)) {
            let (caller, turn) = waiting.remove(position);
            order.push_str(caller);
            drop(turn);
        }
        assert_eq!((order.as_str(), waiting.len()), ("aabab", 0));
    }

    #[test]
    fn a_turn_that_nobody_wants_any_more_is_passed_on() {
        let turns = Turns::with_share(1, 1);
        let first = turns.line_up("a");
        let (gone, unnoticed) = (turns.line_up("a"), turns.line_up("a"));
        let mut last = turns.line_up("b");
        drop(gone);
        drop(first);
        assert!(!has(&mut last), "the other one of `a` has the place, though it did not notice");
        drop(unnoticed);
        assert!(has(&mut last));
    }
}
