//! Work that the operating system runs only with the processor time that requests leave.
//!
//! All threads of a process have the same priority at first. While long work keeps every processor busy, a short
//! request then waits until the system takes a processor from the long work, which takes several milliseconds. The
//! threads of this module have a lower priority: a thread that answers requests gets a processor from them at once.
//!
//! Only Linux has priorities for single threads. On other systems these threads have the usual priority.

use std::cell::Cell;
use std::future::{Future, pending};
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};

use rayon::ThreadPool;
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio::task::{JoinHandle, block_in_place, spawn_blocking};
use tracing::{Instrument, Span};

use super::{STACK_BYTES, processors};

/// The nice value of the threads. With 10, the system gives a thread about a tenth of the processor time of a usual
/// thread that wants the same processor. So long work goes on, slowly, even if other programs keep all processors busy.
/// Without optimisation, almost all work is long, and tests that run side by side must not starve it.
#[cfg(target_os = "linux")]
const NICENESS: i32 = if cfg!(debug_assertions) { 1 } else { 10 };

/// The threads for work that its caller waits for and that borrows from it: as many as there are processors.
static THREADS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(processors())
        .start_handler(|_| begin_thread())
        .stack_size(STACK_BYTES);
    made(pool.thread_name(|number| format!("background-{number}")).build())
});

/// The runtime for futures and blocking work. It has as many threads for futures as there are processors. It waits for
/// no input: what its futures wait for belongs to the runtime of their caller.
static RUNTIME: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let mut runtime = Builder::new_multi_thread();
    runtime.worker_threads(processors()).thread_name("background").thread_stack_size(STACK_BYTES);
    made(runtime.on_thread_start(begin_thread).build())
});

thread_local! {
    static IS_BACKGROUND: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread has the lower priority.
pub(super) fn is_current() -> bool {
    IS_BACKGROUND.get()
}

/// Returns the runtime of the caller if it has several threads.
fn caller() -> Option<Handle> {
    Handle::try_current().ok().filter(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread)
}

/// Runs work on a thread with a lower priority. Meanwhile another thread takes over the other tasks of this thread. In
/// a runtime with a single thread, and outside of a runtime, this thread does the work.
pub fn run_in_background<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let (Some(runtime), Some(threads), false) = (caller(), &*THREADS, is_current()) else { return work() };
    let span = Span::current();
    block_in_place(|| {
        threads.install(|| {
            let (_runtime, _span) = (runtime.enter(), span.enter());
            work()
        })
    })
}

/// Awaits a future whose work is done by threads with a lower priority. In a runtime with a single thread, and outside
/// of a runtime, the threads of the caller do it. If this future is dropped, the work ends at its next wait.
pub async fn in_background<F>(work: F) -> F::Output
where
    F: Future<Output: Send> + Send + 'static,
{
    let (Some(runtime), Some(background), false) = (caller(), &*RUNTIME, is_current()) else { return work.await };
    let work = OfCaller { work: Some(Box::pin(work)), runtime };
    let mut task = EndedWithCaller(background.spawn(work.instrument(Span::current())));
    match (&mut task.0).await {
        Ok(output) => output,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // Only a caller that is dropped ends the work.
            Err(_) => pending().await,
        },
    }
}

/// A task that ends when its caller is dropped.
struct EndedWithCaller<T>(JoinHandle<T>);

impl<T> Drop for EndedWithCaller<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A future that begins tasks, connections and timers in the runtime of its caller, whichever runtime polls or drops it.
struct OfCaller<F> {
    /// Is there until it has completed.
    work: Option<Pin<Box<F>>>,
    runtime: Handle,
}

impl<F: Future> Future for OfCaller<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { work, runtime } = &mut *self;
        let Some(unfinished) = work else { return Poll::Pending };
        let _entered = runtime.enter();
        let polled = unfinished.as_mut().poll(context);
        if polled.is_ready() {
            *work = None;
        }
        polled
    }
}

impl<F> Drop for OfCaller<F> {
    fn drop(&mut self) {
        let _entered = self.runtime.enter();
        self.work = None;
    }
}

/// Runs work that blocks its thread on a thread with a lower priority.
pub fn spawn_in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    match &*RUNTIME {
        Some(runtime) => runtime.spawn_blocking(work),
        None => spawn_blocking(work),
    }
}

/// Returns what the threads need. Without it, their work is done by threads with the usual priority.
fn made<T, E: std::fmt::Display>(result: Result<T, E>) -> Option<T> {
    result.inspect_err(|error| tracing::warn!("long work has the same priority as short requests: {error}")).ok()
}

/// Prepares a thread for long work.
fn begin_thread() {
    IS_BACKGROUND.set(true);
    lower_priority();
}

/// Lowers the priority of this thread, for good.
#[cfg(target_os = "linux")]
fn lower_priority() {
    // Without a process, Linux changes the thread that calls, unlike other systems.
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::warn!("a thread for long work keeps the usual priority: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Returns the nice value of this thread.
    #[cfg(target_os = "linux")]
    fn nice() -> i32 {
        rustix::process::getpriority_process(None).unwrap()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_future_runs_to_its_end_with_the_runtime_of_its_caller() {
        let caller = Handle::current().id();
        let (thread, runtime) = in_background(async {
            tokio::task::yield_now().await;
            tokio::time::sleep(Duration::from_millis(1)).await;
            let begun = tokio::spawn(async { Handle::current().id() });
            (is_current(), begun.await.unwrap())
        })
        .await;
        assert!(thread);
        assert_eq!(runtime, caller);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_future_ends_with_its_caller_in_the_runtime_of_the_caller() {
        struct Dropped(tokio::sync::mpsc::UnboundedSender<tokio::runtime::Id>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                self.0.send(Handle::current().id()).unwrap();
            }
        }
        let (drops, mut dropped) = tokio::sync::mpsc::unbounded_channel();
        let (begin, begun) = tokio::sync::oneshot::channel();
        let held = Dropped(drops);
        let work = in_background(async move {
            let _held = held;
            begin.send(()).unwrap();
            pending::<()>().await
        });
        tokio::select! {
            () = work => unreachable!("it never ends"),
            begun = begun => begun.unwrap(),
        }
        assert_eq!(dropped.recv().await, Some(Handle::current().id()));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    #[should_panic(expected = "in the background")]
    async fn a_panic_is_handed_on() {
        in_background(async { panic!("in the background") }).await
    }

    #[tokio::test]
    async fn a_single_thread_polls_the_future_itself() {
        let caller = thread::current().id();
        assert_eq!(in_background(async { thread::current().id() }).await, caller);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn only_the_threads_for_long_work_have_a_lower_priority() {
        let before = nice();
        assert_eq!(spawn_in_background(nice).await.unwrap(), NICENESS.max(before));
        assert_eq!(in_background(async { nice() }).await, NICENESS.max(before));
        assert_eq!(run_in_background(nice), NICENESS.max(before));
        assert_eq!(nice(), before);
    }
}
