//! The pace of a request. A request yields after each time slice, so that others are answered meanwhile. Requests that
//! take long take turns on threads with a lower priority. An answer stays within the byte limits for one answer
//! and for all answers together.
//!
//! The GraphQL library resolves all objects of a list at once, however many there are. So each object that is [`Paced`]
//! first yields if the request's time slice is over, and is counted when it is resolved.

use std::borrow::Cow;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerResult, Value};
use tokio::sync::SemaphorePermit;

use super::budget::Budget;
use underlay_engine::runtime::{Stopwatch, poll_in_background};

/// The time that a request works before it first yields. Most requests end within it, for example a page of 50 devices
/// with their ports. Requests that alternate push each other's memory out of the processor's caches: with short
/// slices from the beginning, 16 such pages at a time lost a quarter of their speed. Longer slices make small requests
/// wait: with 4 ms, the slowest hundredth of them took 8 ms in a soak.
const FIRST_TIME_SLICE: Duration = Duration::from_millis(2);
/// The number of expected objects from which a request is long from its beginning.
pub const LONG_REQUEST_OBJECTS: u64 = 2_000;

/// The length of each further time slice. They are worked off by threads with a lower priority, which short requests
/// need not wait for.
const LATER_TIME_SLICE: Duration = Duration::from_millis(5);

/// The time slices of a request, and its budget if it has one.
#[derive(Debug)]
pub struct Pace {
    slice: Mutex<Slice>,
    budget: Option<Arc<Budget>>,
}

/// The time slice of a request. Only the time counts for which a thread works on the request. Otherwise a short request
/// would be a long one whenever it waits for a processor, and would then wait for its turn among the long ones.
#[derive(Clone, Copy, Debug)]
struct Slice {
    /// Begins when the request is given a worker.
    watch: Stopwatch,
    /// The length of the time slice.
    length: Duration,
    /// The time that the request took before this time slice.
    before: Duration,
}

impl Slice {
    fn of(length: Duration) -> Self {
        Self { watch: Stopwatch::begin(), length, before: Duration::ZERO }
    }

    /// Adds the time that the request took in this time slice.
    fn end(&mut self) {
        self.before += self.watch.worked();
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
            if !slice.watch.exceeds(slice.length) {
                return;
            }
            self.slice().length = LATER_TIME_SLICE;
            step_back().await;
            let mut now = self.slice();
            if now.watch.began() == slice.watch.began() {
                now.watch = Stopwatch::begin();
            }
        }
    }

    /// Runs the work of a request. A time slice begins each time the request is given a worker. A request is long after
    /// its first time slice, or from its beginning if many objects are expected. It then waits for its turn before each
    /// time slice, and a thread with a lower priority does the work. Otherwise a short request would wait until each of
    /// the long ones had a time slice.
    pub async fn in_slices<F: Future<Output: Send> + Send>(&self, work: F) -> F::Output {
        let mut work = pin!(work);
        self.slice().before = Duration::ZERO;
        // The thread that does the work begins the time slice, because only that thread can measure its time.
        let mut slice = pin!(poll_fn(|context| {
            self.slice().watch = Stopwatch::begin();
            let polled = work.as_mut().poll(context);
            self.slice().end();
            polled
        }));
        let is_large = self.budget.as_ref().is_some_and(|budget| budget.objects >= LONG_REQUEST_OBJECTS);
        loop {
            let is_long = is_large || self.slice().before > FIRST_TIME_SLICE;
            let turn = if is_long { self.turn().await } else { None };
            let polled = poll_fn(|context| {
                Poll::Ready(match is_long {
                    true => poll_in_background(slice.as_mut(), context),
                    false => slice.as_mut().poll(context),
                })
            });
            if let Poll::Ready(output) = polled.await {
                return output;
            }
            drop(turn);
            woken().await;
        }
    }

    /// Counts what the answer takes in memory besides its values. If that is too much, waits for the end of the
    /// request.
    pub async fn hold(&self, bytes: usize) {
        if let Some(budget) = &self.budget
            && budget.charge_memory(bytes).is_err()
        {
            ended().await
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
    static NESTED_BYTES: Cell<usize>;
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
        if budget.is_over() {
            return ended().await;
        }
        let resolving = async {
            let value = self.0.resolve(context, field).await?;
            Ok::<_, async_graphql::ServerError>((value, NESTED_BYTES.with(Cell::get)))
        };
        let (value, within) = NESTED_BYTES.scope(Cell::new(0), resolving).await?;
        let bytes = length(&value);
        // The value around this one counts without it.
        let _ = NESTED_BYTES.try_with(|around| around.set(around.get().saturating_add(bytes)));
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
