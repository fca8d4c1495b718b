//! The command line. `serve` runs the server; everything else is a client of its API.

mod apply;
mod batch;
mod config;
mod csv;
mod delete;
mod demo;
mod diff;
mod edit;
mod exit;
mod export;
mod kinds;
pub mod manifest;
mod object;
mod schema;
mod serve;
mod server;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use underlay_adapters::ServerAddress;

use exit::{EXIT_CODES, EXIT_CODES_OF_DIFF};

/// The inventory graph under physical infrastructure.
#[derive(Debug, Parser)]
#[command(name = "underlay", version, propagate_version = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// The server that all commands but serve and schema talk to.
    #[arg(long, global = true, default_value = "http://127.0.0.1:8080", env = "UNDERLAY_SERVER", value_name = "URL")]
    server: ServerAddress,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server.
    Serve(serve::Arguments),
    /// Write what manifests or tables describe to a server.
    ///
    /// What export wrote is recognised by its first line; it is applied alone, in many batches, and safe to repeat.
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n{EXIT_CODES}", apply::TABLES))]
    Apply(apply::Arguments),
    /// Say what apply would change, field by field, and write nothing.
    #[command(after_help = EXIT_CODES_OF_DIFF)]
    Diff(diff::Arguments),
    /// Delete objects.
    ///
    /// In a terminal it shows what would be deleted and asks; without one, in a script, it deletes as told.
    #[command(after_help = EXIT_CODES)]
    Delete(delete::Arguments),
    /// Edit an object as a manifest, in the editor that VISUAL or EDITOR names.
    ///
    /// What is saved is written only when nobody else has changed the object meanwhile.
    #[command(after_help = EXIT_CODES)]
    Edit(edit::Arguments),
    /// Write the inventory as lines that apply reads, all of one revision.
    ///
    /// Applied to an empty inventory they give an equal one: the same ids, fields, external references, and holders of
    /// fields that are sources. Users cannot be impersonated: the fields that users hold are held by the one who
    /// applies. Versions, times and the change log are not exported.
    #[command(after_help = EXIT_CODES)]
    Export(export::Arguments),
    /// Write a made-up fleet to a server: about 400 devices, or as many racks as you want.
    #[command(after_help = EXIT_CODES)]
    Demo(demo::Arguments),
    /// Print the configuration of the server, and where each value comes from.
    #[command(after_help = EXIT_CODES)]
    Config(config::Flags),
    /// Print the GraphQL schema.
    Schema,
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        Command::Serve(serve) => serve::run(serve),
        Command::Apply(apply) => apply::run(apply, arguments.server).into(),
        Command::Diff(diff) => diff::run(diff, arguments.server).into(),
        Command::Delete(delete) => delete::run(delete, arguments.server).into(),
        Command::Edit(edit) => edit::run(edit, arguments.server).into(),
        Command::Export(export) => export::run(export, arguments.server).into(),
        Command::Demo(demo) => demo::run(demo, arguments.server).into(),
        Command::Config(flags) => config::run(&flags).into(),
        Command::Schema => schema::run(),
    }
}

/// Prints what went wrong, and gives the exit code for it.
fn fail(error: impl std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
