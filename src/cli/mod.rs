//! The command line. `serve` runs the server; everything else is a client of its API.

mod apply;
mod batch;
mod demo;
mod exit;
mod kinds;
pub mod manifest;
mod object;
mod schema;
mod serve;
mod server;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use underlay_adapters::ServerAddress;

use exit::EXIT_CODES;

/// The inventory graph under physical infrastructure.
#[derive(Debug, Parser)]
#[command(name = "underlay", version, propagate_version = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// The server that apply and demo talk to.
    #[arg(long, global = true, default_value = "http://127.0.0.1:8080", env = "UNDERLAY_SERVER", value_name = "URL")]
    server: ServerAddress,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server.
    Serve(serve::Arguments),
    /// Write what manifests describe to a server.
    #[command(after_help = EXIT_CODES)]
    Apply(apply::Arguments),
    /// Write a made-up fleet of about 400 devices to a server.
    #[command(after_help = EXIT_CODES)]
    Demo(demo::Arguments),
    /// Print the GraphQL schema.
    Schema,
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        Command::Serve(serve) => serve::run(serve),
        Command::Apply(apply) => apply::run(apply, arguments.server).into(),
        Command::Demo(demo) => demo::run(demo, arguments.server).into(),
        Command::Schema => schema::run(),
    }
}

/// Prints what went wrong, and gives the exit code for it.
fn fail(error: impl std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
