//! The `underlay` program.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Batches make and drop millions of small values on several threads: with the C library's allocator more than half of
/// their time went into it, and what they dropped was not given back.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    underlay::cli::run()
}
