//! The allocator: the same as in the server, so that the reference is neither faster nor slower because of it. It also
//! counts the bytes that the current thread has allocated and not freed.
//!
//! Each thread has its own count. Updating it costs an addition in memory that no other thread reads; a shared count
//! would slow down the reference.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    static HELD_BYTES: Cell<i64> = const { Cell::new(0) };
}

/// Returns the bytes that this thread has allocated and not freed. The number is negative if the thread freed memory
/// that other threads had allocated.
pub fn held() -> i64 {
    HELD_BYTES.get()
}

struct Counting;

fn count(bytes: usize, sign: i64) {
    // A thread that ends may allocate after its locals are gone. Its count is not read any more.
    let _ = HELD_BYTES.try_with(|held| held.set(held.get().wrapping_add(sign * bytes as i64)));
}

// SAFETY: every call is passed to the wrapped allocator unchanged, and counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: the caller guarantees the same for this call.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: the caller guarantees the same for this call.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: the caller guarantees the same for this call.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(layout.size(), -1);
        count(size, 1);
        // SAFETY: the caller guarantees the same for this call.
        unsafe { MiMalloc.realloc(pointer, layout, size) }
    }
}
