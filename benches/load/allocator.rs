//! The allocator: that of the server, so that the reference has no better and no worse one; and a count of what the
//! current thread was given and has not given back.
//!
//! The count is of each thread by itself. It costs an addition in memory that no other thread looks at, where a common
//! one would slow down the reference.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
}

/// The bytes that this thread has asked for and not given back. Less than nothing when it gave back what others had
/// asked for.
pub fn held() -> i64 {
    HELD.get()
}

struct Counting;

fn count(bytes: usize, sign: i64) {
    // A thread that ends may allocate when its locals are gone: nobody asks what it holds any more.
    let _ = HELD.try_with(|held| held.set(held.get().wrapping_add(sign * bytes as i64)));
}

// SAFETY: every call goes to the allocator behind it unchanged; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: what the caller guarantees for this call.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: what the caller guarantees for this call.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: what the caller guarantees for this call.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(layout.size(), -1);
        count(size, 1);
        // SAFETY: what the caller guarantees for this call.
        unsafe { MiMalloc.realloc(pointer, layout, size) }
    }
}
