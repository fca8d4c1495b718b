//! The pace of a request. It yields after each time slice, so that others are answered meanwhile. Requests that take
//! long take turns, so that they never have all processors. An answer stays within the bytes that it, and all answers
//! together, may have.
//!
//! The library resolves all objects of a list in one go, however many there are. So each object that is [`Paced`] first
//! yields if the request's time slice is over, and is counted when it is resolved.

use std::borrow::Cow;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::num::NonZero;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerResult, Value};
use tokio::sync::{Notify, Semaphore, SemaphorePermit};

use crate::runtime::TIME_SLICE;

/// The time that a request works before it first yields. Most requests end within it, for example a page of 50 devices
/// with their ports. Requests that alternate push each other's memory out of the processor's caches: with short
/// slices from the beginning, 16 such pages at a time lost a quarter of their speed. Longer slices make small requests
/// wait.
const FIRST_SLICE: Duration = Duration::from_millis(4);

/// What all answers share: the bytes of those that are worked out or being sent, and the turns of those that take long.
#[derive(Debug)]
pub struct Answers {
    /// How many one answer may have.
    most_of_one: usize,
    /// How many all of them may have together.
    most: usize,
    used: AtomicUsize,
    /// One permit for each request that may work beyond its first time slice at a time.
    turns: Semaphore,
}

/// The bytes of one answer, as JSON. They are estimated while it is worked out, and count until this is dropped.
#[derive(Debug)]
pub struct Budget {
    all: Arc<Answers>,
    used: AtomicUsize,
    over: OnceLock<Over>,
    stopped: Notify,
}

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The answer has more bytes than these.
    One(usize),
    /// All answers together would have more bytes than these.
    All(usize),
}

impl Answers {
    /// No answer is worked out yet. One processor stays free of requests that take long.
    pub fn new(most_of_one: usize, most: usize) -> Arc<Self> {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let turns = Semaphore::new(processors.saturating_sub(1).max(1));
        Arc::new(Self { most_of_one, most, used: AtomicUsize::new(0), turns })
    }

    /// One more answer, which has nothing yet.
    pub fn begin(self: &Arc<Self>) -> Arc<Budget> {
        let all = Arc::clone(self);
        Arc::new(Budget { all, used: AtomicUsize::new(0), over: OnceLock::new(), stopped: Notify::new() })
    }

    /// How many bytes all of them have.
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }
}

impl Budget {
    /// How many bytes the answer has.
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// How many bytes it may have.
    pub fn most_of_one(&self) -> usize {
        self.all.most_of_one
    }

    /// The answer has so many bytes more.
    ///
    /// # Errors
    /// When these are too many, for this time and for good.
    pub fn charge(&self, bytes: usize) -> Result<(), Over> {
        let own = self.used.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let all = self.all.used.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let over = match () {
            () if own > self.all.most_of_one => Over::One(self.all.most_of_one),
            () if all > self.all.most => Over::All(self.all.most),
            () => return Ok(()),
        };
        let over = *self.over.get_or_init(|| over);
        self.stopped.notify_one();
        Err(over)
    }

    /// The answer has just so many bytes.
    ///
    /// # Errors
    /// When these are too many.
    pub fn settle(&self, bytes: usize) -> Result<(), Over> {
        let used = self.used.load(Relaxed);
        if bytes > used {
            return self.charge(bytes - used);
        }
        self.used.fetch_sub(used - bytes, Relaxed);
        self.all.used.fetch_sub(used - bytes, Relaxed);
        Ok(())
    }

    /// Waits until there is too much; for ever, if that does not come.
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
        self.all.used.fetch_sub(*self.used.get_mut(), Relaxed);
    }
}

/// The time slices of a request, and its budget where it has one.
#[derive(Debug)]
pub struct Pace {
    slice: Mutex<Slice>,
    budget: Option<Arc<Budget>>,
}

/// The time slice of a request.
#[derive(Clone, Copy, Debug)]
struct Slice {
    /// The moment at which the request was given a worker.
    began: Instant,
    /// The length of the time slice.
    length: Duration,
}

impl Slice {
    fn of(length: Duration) -> Self {
        Self { began: Instant::now(), length }
    }
}

impl Pace {
    /// A request begins.
    pub fn new(budget: Option<Arc<Budget>>) -> Self {
        Self { slice: Mutex::new(Slice::of(FIRST_SLICE)), budget }
    }

    /// Lets others run when the request has worked for long.
    pub async fn yield_now(&self) {
        loop {
            let slice = *self.slice();
            if slice.began.elapsed() <= slice.length {
                return;
            }
            self.slice().length = TIME_SLICE;
            step_back().await;
            let mut now = self.slice();
            if now.began == slice.began {
                now.began = Instant::now();
            }
        }
    }

    /// Works for the request: each time that it is given a worker, a time slice begins. Beyond its first time slice, it
    /// waits for its turn before each further one. Otherwise a short request would wait until each of the long ones
    /// had a time slice.
    pub async fn in_slices<F: Future>(&self, work: F) -> F::Output {
        let mut work = pin!(work);
        let mut worked = Duration::ZERO;
        loop {
            let turn = if worked > FIRST_SLICE { self.turn().await } else { None };
            let polled = poll_fn(|context| {
                let began = Instant::now();
                self.slice().began = began;
                let polled = work.as_mut().poll(context);
                worked += began.elapsed();
                Poll::Ready(polled)
            });
            if let Poll::Ready(output) = polled.await {
                return output;
            }
            drop(turn);
            woken().await;
        }
    }

    /// Waits for the turn of a request that takes long. The turns of requests come in the order in which they wait.
    async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // Nobody closes the semaphore.
        self.budget.as_ref()?.all.turns.acquire().await.ok()
    }

    fn slice(&self) -> MutexGuard<'_, Slice> {
        self.slice.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Goes on later, and says so at once: a list stops then, while it would go through all of its objects if it were said
/// later, as `yield_now` of the runtime does, and each of them would step back in each time slice.
async fn step_back() {
    poll_fn(|context| {
        context.waker().wake_by_ref();
        Poll::Ready(())
    })
    .await;
    woken().await;
}

/// Waits until the task is woken, by whatever its last work waits for.
async fn woken() {
    let mut is_later = false;
    poll_fn(|_| if std::mem::replace(&mut is_later, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

tokio::task_local! {
    /// How many bytes were counted of what stands in the value that is resolved.
    static WITHIN: Cell<usize>;
}

/// A value of which an answer can have many.
#[derive(Clone, Debug)]
pub struct Paced<T>(pub T);

impl<T: OutputType> OutputType for Paced<T> {
    fn type_name() -> Cow<'static, str> {
        T::type_name()
    }

    fn qualified_type_name() -> String {
        T::qualified_type_name()
    }

    fn introspection_type_name(&self) -> Cow<'static, str> {
        self.0.introspection_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        T::create_type_info(registry)
    }

    async fn resolve(&self, context: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let Some(pace) = context.data_opt::<Arc<Pace>>() else { return self.0.resolve(context, field).await };
        pace.yield_now().await;
        let Some(budget) = &pace.budget else { return self.0.resolve(context, field).await };
        if budget.over.get().is_some() {
            return ended().await;
        }
        let resolving = async {
            let value = self.0.resolve(context, field).await?;
            Ok::<_, async_graphql::ServerError>((value, WITHIN.with(Cell::get)))
        };
        let (value, within) = WITHIN.scope(Cell::new(0), resolving).await?;
        let bytes = length(&value);
        // What stands around this one counts without it.
        let _ = WITHIN.try_with(|around| around.set(around.get().saturating_add(bytes)));
        if budget.charge(bytes.saturating_sub(within)).is_err() {
            drop(value);
            return ended().await;
        }
        Ok(value)
    }
}

/// Waits for the end of a request that is over its budget: whoever executes it drops it now, and nothing of its answer is
/// needed.
async fn ended<T>() -> T {
    std::future::pending().await
}

/// About how long a value is as JSON.
fn length(value: &Value) -> usize {
    match value {
        Value::Null | Value::Boolean(_) => 5,
        Value::Number(_) => 8,
        Value::String(text) => text.len() + 3,
        Value::Enum(name) => name.len() + 3,
        Value::Binary(bytes) => bytes.len() * 4,
        Value::List(list) => list.iter().map(length).sum::<usize>() + 2,
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + 3 + length(value)).sum::<usize>() + 2,
    }
}

#[cfg(test)]
#[path = "pace_tests.rs"]
mod tests;
