//! What the allocator of the program does with memory that was dropped.

use std::ffi::{c_int, c_long};
use std::time::Duration;

/// The option `mi_option_purge_delay` of mimalloc 3.
const PURGE_DELAY: c_int = 15;
/// How long dropped memory is kept for what comes next, in milliseconds. The default, a second, gives the memory of a
/// large batch back just before the next one asks for it.
const KEPT: c_long = 10_000;

/// Gives back what was needed only to start, and from now on keeps for a while what is dropped.
pub fn settle() {
    // SAFETY: both may be called at any time, by any thread: the one gives back pages on which nothing lives, the other
    // sets a number that is read when pages are about to be given back.
    unsafe {
        libmimalloc_sys::mi_collect(true);
        libmimalloc_sys::mi_option_set(PURGE_DELAY, KEPT);
    }
}

/// Gives back from time to time what was dropped longer ago than it is kept. The allocator does so by itself only when
/// memory is asked for: a server that rests after a large write would keep it.
pub async fn keep_tidy() {
    let mut ticks = tokio::time::interval(Duration::from_millis(KEPT.unsigned_abs()));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // SAFETY: as above; what is not due yet stays.
        let tidied = tokio::task::spawn_blocking(|| unsafe { libmimalloc_sys::mi_collect(false) });
        if tidied.await.is_err() {
            return;
        }
    }
}
