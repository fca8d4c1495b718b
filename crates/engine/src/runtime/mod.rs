//! This module shares the threads of the process. It provides time slices, the time that a thread works, calls that
//! block a thread, long computations, work on two threads, the pauses of work in the background, places that callers
//! share fairly, and the settings of the allocator.
//!
//! A thread that answers requests also waits for new ones. While it works on one request for milliseconds, other
//! requests may wait just as long, even if another thread is free. Long work therefore yields after each time slice
//! ([`TimeSlice`]), declares that it blocks its thread ([`block_in_place`], [`offload`]), or runs on a thread with a
//! lower priority ([`compute`], [`run_in_background`], [`spawn_in_background`]).

use std::io;
use std::num::NonZero;
use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};

pub mod allocator;
mod back_off;
mod background;
mod compute;
mod fair_semaphore;
mod offload;
mod parallel;
mod stopwatch;
pub mod test_times;
mod time_slice;

pub use back_off::{BackOff, jittered};
pub use background::{in_background, poll_in_background, run_in_background, spawn_in_background};
pub use compute::compute;
pub use fair_semaphore::{FairSemaphore, Permit};
pub use offload::{block_in_place, offload};
pub use parallel::parallel;
pub use stopwatch::Stopwatch;
pub use time_slice::{TIME_SLICE, TimeSlice};

/// The size of the stack of a thread that executes requests, in bytes. A request may nest values 128 deep, and reading
/// them takes a part of the stack for each level: without optimisation, a filter of 20 devices and sites in each other
/// takes 1.5 MB. The system provides only the pages that are used.
const STACK_BYTES: usize = 16 * 1024 * 1024;
/// The number of polled tasks after which a thread looks for new input. A long request yields after each time slice, so
/// this bounds the time for which input waits to a few of them.
const TASKS_PER_LOOK: u32 = 3;

/// Builds the runtime whose threads execute requests.
///
/// # Errors
/// Returns an error if the system provides no means to wait for input.
pub fn request_runtime() -> io::Result<Runtime> {
    let mut runtime = Builder::new_multi_thread();
    runtime.event_interval(TASKS_PER_LOOK).thread_stack_size(STACK_BYTES).enable_all().build()
}

/// Returns the number of processors that this process may use, or 1 if the system does not tell.
pub fn processors() -> usize {
    // To find out takes longer than many a request: the system tells of limits in files.
    static NUMBER: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, NonZero::get));
    *NUMBER
}
