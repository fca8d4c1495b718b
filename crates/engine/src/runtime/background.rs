//! Work that the operating system runs only with the processor time that requests leave.
//!
//! All threads of a process have the same priority at first. While long work keeps every processor busy, a short
//! request then waits until the system takes a processor from the long work, which takes several milliseconds. The
//! threads of this module have a lower priority: the system mostly takes a processor from them at once for a thread
//! that answers requests, and otherwise after some milliseconds (`docs/performance.md`, "A soak").
//!
//! Only Linux has priorities for single threads. On other systems these threads have the usual priority.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::LazyLock;
use std::task::{Context, Poll};

use rayon::ThreadPool;
use tokio::runtime::{Handle, Runtime, RuntimeFlavor};
use tokio::task::{JoinHandle, block_in_place, spawn_blocking};
use tracing::Span;

use super::{STACK_BYTES, processors};

/// The nice value of the threads. With 10, the system gives a thread about a tenth of the processor time of a usual
/// thread that wants the same processor. So long work goes on, slowly, even if other programs keep all processors busy.
/// Without optimisation, almost all work is long, and tests that run side by side must not starve it.
#[cfg(target_os = "linux")]
const NICENESS: i32 = if cfg!(debug_assertions) { 1 } else { 10 };

/// The threads for work that its caller waits for: as many as there are processors.
static THREADS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(processors())
        .start_handler(|_| lower_priority())
        .stack_size(STACK_BYTES);
    made(pool.thread_name(|number| format!("background-{number}")).build())
});

/// The runtime whose threads run blocking work. It has no tasks.
static BLOCKING: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    made(runtime.thread_name("background").thread_stack_size(STACK_BYTES).on_thread_start(lower_priority).build())
});

/// Returns whether this thread is one for work that its caller waits for.
pub(super) fn is_current() -> bool {
    THREADS.as_ref().is_some_and(|threads| threads.current_thread_index().is_some())
}

/// Runs work on a thread with a lower priority. Meanwhile another thread takes over the other tasks of this thread. In
/// a runtime with a single thread, and outside of a runtime, this thread does the work.
pub fn run_in_background<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let runtime = Handle::try_current().ok().filter(|it| it.runtime_flavor() == RuntimeFlavor::MultiThread);
    let (Some(runtime), Some(threads)) = (runtime, &*THREADS) else { return work() };
    let span = Span::current();
    block_in_place(|| {
        threads.install(|| {
            let (_runtime, _span) = (runtime.enter(), span.enter());
            work()
        })
    })
}

/// Polls a future as [`run_in_background`] runs work.
pub fn poll_in_background<F>(work: Pin<&mut F>, context: &mut Context<'_>) -> Poll<F::Output>
where
    F: Future<Output: Send> + Send,
{
    let waker = context.waker();
    run_in_background(|| work.poll(&mut Context::from_waker(waker)))
}

/// Awaits a future as [`run_in_background`] runs work.
pub async fn in_background<F>(work: F) -> F::Output
where
    F: Future<Output: Send> + Send,
{
    let mut work = pin!(work);
    poll_fn(|context| poll_in_background(work.as_mut(), context)).await
}

/// Runs work that blocks its thread on a thread with a lower priority.
pub fn spawn_in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    match &*BLOCKING {
        Some(runtime) => runtime.spawn_blocking(work),
        None => spawn_blocking(work),
    }
}

/// Returns what the threads need. Without it, their work is done by threads with the usual priority.
fn made<T, E: std::fmt::Display>(result: Result<T, E>) -> Option<T> {
    result.inspect_err(|error| tracing::warn!("long work has the same priority as short requests: {error}")).ok()
}

/// Lowers the priority of this thread, for good.
#[cfg(target_os = "linux")]
fn lower_priority() {
    // Linux changes the thread that calls, unlike other systems. The change is relative: a server that was started with
    // a low priority does long work with a lower one.
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!("a thread for long work keeps the usual priority: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// The nice value of the lowest priority.
    #[cfg(target_os = "linux")]
    const LOWEST: i32 = 19;

    /// Returns the nice value of this thread.
    #[cfg(target_os = "linux")]
    fn nice() -> i32 {
        rustix::process::getpriority_process(None).unwrap()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_future_is_polled_to_its_end() {
        let caller = thread::current().id();
        let mut polls = 0;
        let mut work = pin!(async {
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
            // On a slow machine this is over at once.
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            thread::current().id()
        });
        let polled = poll_fn(|context| {
            polls += 1;
            poll_in_background(work.as_mut(), context)
        });
        assert_ne!(polled.await, caller);
        assert!(polls >= 3, "{polls} polls");
    }

    #[tokio::test]
    async fn a_single_thread_polls_the_future_itself() {
        let caller = thread::current().id();
        let mut work = pin!(async { thread::current().id() });
        assert_eq!(poll_fn(|context| poll_in_background(work.as_mut(), context)).await, caller);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn only_the_threads_for_long_work_have_a_lower_priority() {
        // The tests themselves can run with the lowest priority.
        let (before, lower) = (nice(), (nice() + NICENESS).min(LOWEST));
        assert_eq!(spawn_in_background(nice).await.unwrap(), lower);
        let mut work = pin!(async { nice() });
        assert_eq!(poll_fn(|context| poll_in_background(work.as_mut(), context)).await, lower);
        assert_eq!(nice(), before);
    }
}
