//! The bytes of answers: each answer has a budget, which counts in the budget of all answers together, and in the share
//! of its caller.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use tokio::sync::{Notify, Semaphore};

use underlay_engine::access::CallerKey;
use underlay_engine::runtime::processors;

/// The number of bytes in memory that count as one byte of an answer. An answer takes about as many bytes for each byte
/// of its JSON while it is computed.
const MEMORY_PER_ANSWER_BYTE: usize = 10;

/// The state that all answers share: the bytes of the answers that are being computed or sent, and the turns of long
/// requests.
#[derive(Debug)]
pub struct Answers {
    /// The maximum size of one answer, in bytes.
    max_of_one: usize,
    /// The maximum size of all answers together, in bytes.
    most: usize,
    used: AtomicUsize,
    callers: Mutex<Callers>,
    /// One permit for each request that may work beyond its first time slice at the same time.
    pub(super) turns: Semaphore,
}

/// The size of the answers of each caller, in bytes.
#[derive(Debug, Default)]
struct Callers {
    used: HashMap<CallerKey, Weak<AtomicUsize>>,
    /// The number of callers at which those without answers are removed next.
    sweep_at: usize,
}

/// The number of callers from which those without answers are looked for and removed.
const MIN_CALLERS_TO_PRUNE: usize = 64;

/// The size of one answer as JSON, in bytes. It is estimated while the answer is computed, and counts until this is
/// dropped.
#[derive(Debug)]
pub struct Budget {
    pub(super) all: Arc<Answers>,
    used: AtomicUsize,
    /// The size of all answers of the caller.
    of_caller: Arc<AtomicUsize>,
    /// The maximum number of objects that the answer can have, as its document says.
    pub(super) objects: u64,
    over: OnceLock<Over>,
    stopped: Notify,
}

/// The limit that an answer exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The limit of one answer, in bytes.
    One(usize),
    /// The limit of all answers together, in bytes.
    All(usize),
    /// The limit of all answers of one caller, in bytes.
    Caller(usize),
}

impl Answers {
    /// Creates the shared state without any answer. As many long requests as there are processors work at a time. More
    /// of them would push each other's memory out of the caches.
    pub fn new(max_of_one: usize, most: usize) -> Arc<Self> {
        let turns = Semaphore::new(processors());
        let (used, callers) = (AtomicUsize::new(0), Mutex::default());
        Arc::new(Self { max_of_one, most, used, callers, turns })
    }

    /// Begins an answer for a caller that has at most this number of objects.
    pub fn begin(self: &Arc<Self>, caller: &CallerKey, objects: u64) -> Arc<Budget> {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        self.begin_with(callers.of(caller), objects)
    }

    fn begin_with(self: &Arc<Self>, of_caller: Arc<AtomicUsize>, objects: u64) -> Arc<Budget> {
        let (all, used) = (Arc::clone(self), AtomicUsize::new(0));
        Arc::new(Budget { all, used, of_caller, objects, over: OnceLock::new(), stopped: Notify::new() })
    }

    /// Returns the most bytes of the answers of one caller: half of all, and enough for the largest answer.
    fn share(&self) -> usize {
        self.most.div_ceil(2).max(self.max_of_one)
    }

    /// Returns the size of all answers, in bytes.
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }
}

impl Callers {
    fn of(&mut self, caller: &CallerKey) -> Arc<AtomicUsize> {
        if let Some(used) = self.used.get(caller).and_then(Weak::upgrade) {
            return used;
        }
        if self.used.len() >= self.sweep_at.max(MIN_CALLERS_TO_PRUNE) {
            self.used.retain(|_, used| used.strong_count() > 0);
            self.sweep_at = self.used.len() * 2;
        }
        let used = Arc::default();
        self.used.insert(caller.clone(), Arc::downgrade(&used));
        used
    }
}

impl Budget {
    /// Returns the size of the answer, in bytes.
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Returns the limit of the answer, in bytes.
    pub fn max_of_one(&self) -> usize {
        self.all.max_of_one
    }

    /// Adds a number of bytes to the answer.
    ///
    /// # Errors
    /// Returns an error if the answer exceeds a limit, from then on at each call.
    pub fn charge(&self, bytes: usize) -> Result<(), Over> {
        let own = self.used.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let all = self.all.used.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let of_caller = self.of_caller.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let over = match () {
            () if own > self.all.max_of_one => Over::One(self.all.max_of_one),
            () if all > self.all.most => Over::All(self.all.most),
            () if of_caller > self.all.share() => Over::Caller(self.all.share()),
            () => return Ok(()),
        };
        let over = *self.over.get_or_init(|| over);
        self.stopped.notify_one();
        Err(over)
    }

    /// Adds what a part of the answer takes in memory, besides its JSON.
    ///
    /// # Errors
    /// Returns an error if the answer exceeds a limit.
    pub fn charge_memory(&self, bytes: usize) -> Result<(), Over> {
        self.charge(bytes / MEMORY_PER_ANSWER_BYTE)
    }

    /// Returns true if a limit is exceeded.
    pub fn is_over(&self) -> bool {
        self.over.get().is_some()
    }

    /// Returns a budget of its own for the answer that was computed. This one then counts the next answer.
    pub fn hand_over(&self) -> Arc<Self> {
        let answer = self.all.begin_with(Arc::clone(&self.of_caller), 0);
        answer.used.store(self.used.swap(0, Relaxed), Relaxed);
        answer
    }

    /// Sets the size of the answer.
    ///
    /// # Errors
    /// Returns an error if the answer exceeds a limit.
    pub fn settle(&self, bytes: usize) -> Result<(), Over> {
        let used = self.used.load(Relaxed);
        if bytes > used {
            return self.charge(bytes - used);
        }
        self.used.fetch_sub(used - bytes, Relaxed);
        self.all.used.fetch_sub(used - bytes, Relaxed);
        self.of_caller.fetch_sub(used - bytes, Relaxed);
        Ok(())
    }

    /// Waits until a limit is exceeded. If that does not happen, the future never completes.
    pub async fn over(&self) -> Over {
        loop {
            if let Some(over) = self.over.get() {
                return *over;
            }
            self.stopped.notified().await;
        }
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        let used = *self.used.get_mut();
        self.all.used.fetch_sub(used, Relaxed);
        self.of_caller.fetch_sub(used, Relaxed);
    }
}
