//! The pace of a request. A request yields after each time slice, so that others are answered meanwhile. Requests that
//! take long take turns on threads with a lower priority. An answer stays within the byte limits for one answer
//! and for all answers together.
//!
//! The GraphQL library resolves all objects of a list at once, however many there are. So each object that is [`Paced`]
//! first yields if the request's time slice is over, and is counted when it is resolved.

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

use crate::runtime::poll_in_background;

/// The time that a request works before it first yields. Most requests end within it, for example a page of 50 devices
/// with their ports. Requests that alternate push each other's memory out of the processor's caches: with short
/// slices from the beginning, 16 such pages at a time lost a quarter of their speed. Longer slices make small requests
/// wait: with 4 ms, the slowest hundredth of them took 8 ms in a soak.
const FIRST_TIME_SLICE: Duration = Duration::from_millis(2);
/// The number of expected objects from which a request is long from its beginning.
const LONG_FROM: u64 = 2_000;

/// The length of each further time slice. They are worked off by threads with a lower priority, which short requests
/// need not wait for.
const LATER_TIME_SLICE: Duration = Duration::from_millis(5);

/// The state that all answers share: the bytes of the answers that are being computed or sent, and the turns of long
/// requests.
#[derive(Debug)]
pub struct Answers {
    /// The maximum size of one answer, in bytes.
    most_of_one: usize,
    /// The maximum size of all answers together, in bytes.
    most: usize,
    used: AtomicUsize,
    /// One permit for each request that may work beyond its first time slice at the same time.
    turns: Semaphore,
}

/// The size of one answer as JSON, in bytes. It is estimated while the answer is computed, and counts until this is
/// dropped.
#[derive(Debug)]
pub struct Budget {
    all: Arc<Answers>,
    used: AtomicUsize,
    /// The maximum number of objects that the answer can have, as its document says.
    objects: u64,
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
}

impl Answers {
    /// Creates the shared state without any answer. As many long requests as there are processors work at a time. More of
    /// them would push each other's memory out of the caches.
    pub fn new(most_of_one: usize, most: usize) -> Arc<Self> {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let turns = Semaphore::new(processors);
        Arc::new(Self { most_of_one, most, used: AtomicUsize::new(0), turns })
    }

    /// Begins an answer that has at most this number of objects.
    pub fn begin(self: &Arc<Self>, objects: u64) -> Arc<Budget> {
        let all = Arc::clone(self);
        Arc::new(Budget { all, used: AtomicUsize::new(0), objects, over: OnceLock::new(), stopped: Notify::new() })
    }

    /// Returns the size of all answers, in bytes.
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }
}

impl Budget {
    /// Returns the size of the answer, in bytes.
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Returns the limit of the answer, in bytes.
    pub fn most_of_one(&self) -> usize {
        self.all.most_of_one
    }

    /// Adds a number of bytes to the answer.
    ///
    /// # Errors
    /// Returns an error if the answer exceeds a limit, from then on at each call.
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
        self.all.used.fetch_sub(*self.used.get_mut(), Relaxed);
    }
}

/// The time slices of a request, and its budget if it has one.
#[derive(Debug)]
pub struct Pace {
    slice: Mutex<Slice>,
    budget: Option<Arc<Budget>>,
}

/// The time slice of a request.
#[derive(Clone, Copy, Debug)]
struct Slice {
    /// The time at which the request was given a worker.
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
    /// Creates the pace of a request that begins.
    pub fn new(budget: Option<Arc<Budget>>) -> Self {
        Self { slice: Mutex::new(Slice::of(FIRST_TIME_SLICE)), budget }
    }

    /// Yields if the request has worked for longer than its time slice.
    pub async fn yield_now(&self) {
        loop {
            let slice = *self.slice();
            if slice.began.elapsed() <= slice.length {
                return;
            }
            self.slice().length = LATER_TIME_SLICE;
            step_back().await;
            let mut now = self.slice();
            if now.began == slice.began {
                now.began = Instant::now();
            }
        }
    }

    /// Runs the work of a request. A time slice begins each time the request is given a worker. A request is long after
    /// its first time slice, or from its beginning if many objects are expected. It then waits for its turn before each
    /// time slice, and a thread with a lower priority does the work. Otherwise a short request would wait until each of
    /// the long ones had a time slice.
    pub async fn in_slices<F: Future<Output: Send> + Send>(&self, work: F) -> F::Output {
        let mut work = pin!(work);
        let mut worked = Duration::ZERO;
        let is_large = self.budget.as_ref().is_some_and(|budget| budget.objects >= LONG_FROM);
        loop {
            let is_long = is_large || worked > FIRST_TIME_SLICE;
            let turn = if is_long { self.turn().await } else { None };
            let polled = poll_fn(|context| {
                let began = Instant::now();
                self.slice().began = began;
                let polled = match is_long {
                    true => poll_in_background(work.as_mut(), context),
                    false => work.as_mut().poll(context),
                };
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

    /// Waits for the turn of a long request. Requests get their turns in the order in which they wait.
    async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.budget.as_ref()?.all.turns.acquire().await.ok()
    }

    fn slice(&self) -> MutexGuard<'_, Slice> {
        self.slice.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Yields, and wakes the task at once. A list then stops at this object. With `yield_now` of the runtime, which wakes
/// the task later, the list would poll all of its objects, and each of them would yield in each time slice.
async fn step_back() {
    poll_fn(|context| {
        context.waker().wake_by_ref();
        Poll::Ready(())
    })
    .await;
    woken().await;
}

/// Waits until the task is woken by whatever its last work waits for.
async fn woken() {
    let mut is_later = false;
    poll_fn(|_| if std::mem::replace(&mut is_later, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

tokio::task_local! {
    /// The number of bytes that were counted inside the value that is being resolved.
    static WITHIN: Cell<usize>;
}

/// A value that an answer can contain many times.
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
        // The value around this one counts without it.
        let _ = WITHIN.try_with(|around| around.set(around.get().saturating_add(bytes)));
        if budget.charge(bytes.saturating_sub(within)).is_err() {
            drop(value);
            return ended().await;
        }
        Ok(value)
    }
}

/// Waits for the end of a request that exceeded its budget. The executor drops the request, and its answer is not
/// needed.
async fn ended<T>() -> T {
    std::future::pending().await
}

/// Returns the approximate length of a value as JSON, in bytes.
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
