//! Works on the keys of a queue.

use std::fmt::Debug;
use std::future::Future;
use std::hash::Hash;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::back_off::BackOff;
use super::queue::Queue;
use super::status::Status;
use super::then::Then;
use super::{jitter, stopped};

/// The time after which the overflow of the queue is looked for again.
const OVERFLOW_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// The work of a controller.
pub trait Work: Send + Sync {
    /// The key of an object, such as its id.
    type Key: Clone + Debug + Eq + Hash + Send + Sync;

    /// Looks at everything, and adds the keys that need work to the queue. This finds what no change announced.
    ///
    /// # Errors
    /// Returns a sentence that says why not everything could be looked at. The look is repeated soon.
    fn look(&self) -> impl Future<Output = Result<(), String>> + Send;

    /// Brings one object closer to where it should be. Never runs twice at once for the same key. May be dropped at any
    /// point.
    fn work(&self, key: &Self::Key) -> impl Future<Output = Then> + Send;
}

/// The numbers and times of workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkTiming {
    /// The number of keys that are worked on at once.
    pub at_once: usize,
    /// The time between two full looks.
    pub look: Duration,
    /// The first pause after a failure.
    pub first_pause: Duration,
    /// The longest pause after failures.
    pub longest_pause: Duration,
}

impl Default for WorkTiming {
    fn default() -> Self {
        Self {
            at_once: 32,
            look: Duration::from_secs(600),
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(60),
        }
    }
}

/// The workers of a controller. They run in the task of the caller, so that dropping [`Workers::run`] ends all of them.
pub struct Workers<W: Work> {
    work: Arc<W>,
    queue: Arc<Queue<W::Key>>,
    status: Arc<Status>,
    timing: WorkTiming,
}

impl<W: Work> Workers<W> {
    /// Returns the workers on a queue.
    pub const fn new(work: Arc<W>, queue: Arc<Queue<W::Key>>, status: Arc<Status>, timing: WorkTiming) -> Self {
        Self { work, queue, status, timing }
    }

    /// Works until it is asked to stop. Work that is going on then is finished.
    pub async fn run(&self, mut stop: watch::Receiver<bool>) {
        let mut back_off = BackOff::new(self.timing.first_pause, self.timing.longest_pause);
        let mut looks = BackOff::new(self.timing.first_pause, self.timing.longest_pause);
        let mut going = FuturesUnordered::new();
        let mut look = None;
        let (mut look_at, mut overflow_at) = (Instant::now(), Instant::now() + OVERFLOW_CHECK_INTERVAL);
        loop {
            self.status.at_work(going.len(), self.queue.waiting(), back_off.failing());
            tokio::select! {
                biased;
                () = stopped(&mut stop) => break,
                Some((key, then)) = going.next(), if !going.is_empty() => self.ended(key, then, &mut back_off),
                looked = ended(&mut look) => {
                    look = None;
                    look_at = self.looked(looked, &mut looks);
                    overflow_at = Instant::now() + OVERFLOW_CHECK_INTERVAL;
                }
                () = sleep_until(look_at), if look.is_none() => {
                    let work = Arc::clone(&self.work);
                    look = Some(Box::pin(async move { work.look().await }));
                }
                // Work that is requested during a look is done after it, because that look may have passed the object
                // that is meant.
                () = sleep_until(overflow_at), if look.is_none() => {
                    overflow_at = Instant::now() + OVERFLOW_CHECK_INTERVAL;
                    if self.queue.take_overflow() {
                        look_at = look_at.min(Instant::now());
                    }
                }
                key = self.queue.next(), if going.len() < self.timing.at_once => going.push(self.one(key)),
            }
        }
        while let Some((key, then)) = going.next().await {
            self.ended(key, then, &mut back_off);
        }
    }

    /// Works on one key. A panic is a failure of this key alone, so that one object cannot stop all others.
    async fn one(&self, key: W::Key) -> (W::Key, Then) {
        let then = AssertUnwindSafe(self.work.work(&key)).catch_unwind().await;
        (key, then.unwrap_or_else(|_| Then::Failed("the controller has an error: its work on this panicked".into())))
    }

    fn ended(&self, key: W::Key, then: Then, back_off: &mut BackOff<W::Key>) {
        self.status.worked(&then);
        let again = match then {
            Then::Failed(_) => Some(Instant::now() + back_off.failed(key.clone())),
            Then::Rest => None,
            Then::At(at) => Some(at),
        };
        if !matches!(then, Then::Failed(_)) {
            back_off.succeeded(&key);
        }
        self.queue.done(key, again);
    }

    /// Returns the time of the next full look.
    fn looked(&self, looked: Result<(), String>, looks: &mut BackOff<()>) -> Instant {
        let failed = looked.is_err();
        self.status.looked(looked);
        if failed {
            return Instant::now() + looks.failed(());
        }
        looks.succeeded(&());
        Instant::now() + jitter(self.timing.look)
    }
}

/// Waits for the end of the look that is going on.
async fn ended<F: Future + Unpin>(look: &mut Option<F>) -> F::Output {
    match look {
        Some(look) => look.await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
#[path = "workers_tests.rs"]
mod tests;
