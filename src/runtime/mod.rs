//! This module shares the threads of the process: it has time slices, work that blocks a thread, work on two threads,
//! and the settings of the allocator.
//!
//! A thread that answers requests also waits for the next ones. While it works on one for milliseconds, whatever else
//! arrives may wait for as long, although another thread is free. So long work yields after each time slice
//! ([`TimeSlice`]), or says that it blocks its thread ([`block_in_place`], [`offload`]).

pub mod allocator;
mod offload;
mod parallel;
mod time_slice;

pub use offload::{block_in_place, offload};
pub use parallel::parallel;
pub use time_slice::{TIME_SLICE, TimeSlice};
