//! The command line. `serve` runs the server; everything else is a client of its API.

mod schema;
mod serve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The inventory graph under physical infrastructure.
#[derive(Debug, Parser)]
#[command(name = "underlay", version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server.
    Serve(serve::Arguments),
    /// Print the GraphQL schema.
    Schema,
}

/// Runs the command that the arguments name. Exit codes: 0 done, 1 refused or failed, 2 wrong arguments.
pub fn run() -> ExitCode {
    match Arguments::parse().command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Schema => schema::run(),
    }
}

/// Prints what went wrong, and gives the exit code for it.
fn fail(error: impl std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
