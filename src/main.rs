//! The `underlay` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    underlay::cli::run()
}
