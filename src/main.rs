//! The entry point of the `underlay` program, which runs the command line.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// The allocator is mimalloc. Batches allocate and free millions of small values on several threads. With the C
/// library's allocator they spent more than half of their time in it, and freed memory was not returned to the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    underlay::commands::run()
}
