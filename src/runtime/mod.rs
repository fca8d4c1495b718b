//! This module shares the threads of the process. It provides time slices, calls that block a thread, long
//! computations, work on two threads, and the settings of the allocator.
//!
//! A thread that answers requests also waits for new ones. While it works on one request for milliseconds, other
//! requests may wait just as long, even if another thread is free. Long work therefore yields after each time slice
//! ([`TimeSlice`]), declares that it blocks its thread ([`block_in_place`], [`offload`]), or runs on a thread of its
//! own ([`compute`]).

pub mod allocator;
mod compute;
mod offload;
mod parallel;
mod time_slice;

pub use compute::compute;
pub use offload::{block_in_place, offload};
pub use parallel::parallel;
pub use time_slice::{TIME_SLICE, TimeSlice};
