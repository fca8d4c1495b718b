//! The command line. `serve` runs the server, `doctor`, `backup` and `restore` work on its database; everything else is a client of its API.

mod apply;
mod backup;
mod batch;
mod complete;
mod config;
mod context;
mod credentials;
mod csv;
mod database;
mod delete;
mod demo;
mod describe;
mod diff;
mod doctor;
mod edit;
mod exit;
mod export;
mod find;
mod get;
mod impact;
mod kinds;
mod man;
pub mod manifest;
mod object;
mod output;
mod pages;
mod paths;
mod query;
mod schema;
mod serve;
mod server;
mod show;
mod signals;
mod spof;
mod target;
mod token;
mod trace;
mod watch;

#[cfg(test)]
mod hostile_tests;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use exit::{EXIT_CODES, EXIT_CODES_OF_DIFF, Exit};
use target::{Reach, Target};

/// The inventory graph under physical infrastructure.
#[derive(Debug, Parser)]
#[command(name = "underlay", version, propagate_version = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server.
    Serve(serve::Arguments),
    /// List objects of a kind, as a table or as manifests.
    Get(get::Arguments),
    /// Show everything about an object, with its neighbours and recent changes.
    #[command(after_help = EXIT_CODES)]
    Describe(describe::Arguments),
    /// Find objects by a part of what they are called, of a serial, an address and the like.
    Find(find::Arguments),
    /// Follow the line of a port, hop by hop, through panels and across circuits to where it ends.
    Trace(trace::Arguments),
    /// Find the ways between two objects: the shortest, all that share nothing, or two with what they share.
    Paths(paths::Arguments),
    /// Show what goes down, is cut off or loses a redundancy when objects fail, and why.
    Impact(impact::Arguments),
    /// List single points of failure: what alone takes something else away.
    Spof(spof::Arguments),
    /// Follow what changes, as lines for people or JSON for programs, or run a command for each change.
    ///
    /// It goes on over lost connections and restarts of the server, where it was. With --state it also goes on where it
    /// was when it is started again: each change comes at least once, and again only when the watch was killed between
    /// doing it and writing that down.
    Watch(watch::Arguments),
    /// Ask the GraphQL API anything.
    Query(query::Arguments),
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
    /// Make tokens for a server that nobody else issues them for.
    Token(token::Arguments),
    /// Name servers and choose between them.
    Context(context::Arguments),
    /// Print the completion script for a shell.
    Completion(complete::Arguments),
    /// Print the configuration of the server, and where each value comes from.
    #[command(after_help = EXIT_CODES)]
    Config(config::Flags),
    /// Look at the database and the files around it: whether all is sound, and what to do where it is not.
    ///
    /// It works beside a running server and without one, writes nothing, and reads everything: the memory that a server
    /// would take is needed once more.
    Doctor(doctor::Arguments),
    /// Write a backup of an SQLite database to a file, also while a server serves it.
    ///
    /// It is whole, of one revision, and looked at before it gets its name. A PostgreSQL database is backed up with
    /// pg_dump, which comes with it.
    Backup(backup::BackupArguments),
    /// Put a backup in the place of an SQLite database that no server serves.
    ///
    /// What was written since the backup is not in it: subscribers that have seen that get REVISION_COMPACTED, and begin
    /// afresh.
    Restore(backup::RestoreArguments),
    /// Print the GraphQL schema.
    Schema,
    /// Write the manual pages to a folder.
    #[command(hide = true)]
    Man(man::Arguments),
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    if complete::answer() {
        return ExitCode::SUCCESS;
    }
    let Arguments { command, target } = Arguments::parse();
    match command {
        Command::Serve(serve) => serve::run(serve),
        Command::Schema => schema::run(),
        Command::Get(get) => on_server(&target, |server| get::run(get, server)).into(),
        Command::Describe(describe) => on_server(&target, |server| describe::run(describe, server)).into(),
        Command::Find(find) => on_server(&target, |server| find::run(find, server)).into(),
        Command::Trace(trace) => on_server(&target, |server| trace::run(trace, server)).into(),
        Command::Paths(paths) => on_server(&target, |server| paths::run(paths, server)).into(),
        Command::Impact(impact) => on_server(&target, |server| impact::run(impact, server)).into(),
        Command::Spof(spof) => on_server(&target, |server| spof::run(spof, server)).into(),
        Command::Watch(watch) => on_server(&target, |server| watch::run(watch, server)).into(),
        Command::Query(query) => on_server(&target, |server| query::run(query, server)).into(),
        Command::Apply(apply) => on_server(&target, |server| apply::run(apply, server)).into(),
        Command::Diff(diff) => on_server(&target, |server| diff::run(diff, server)).compared().into(),
        Command::Delete(delete) => on_server(&target, |server| delete::run(delete, server)).into(),
        Command::Edit(edit) => on_server(&target, |server| edit::run(edit, server)).into(),
        Command::Export(export) => on_server(&target, |server| export::run(export, server)).into(),
        Command::Demo(demo) => on_server(&target, |server| demo::run(demo, server)).into(),
        Command::Config(flags) => config::run(&flags).into(),
        Command::Token(token) => token::run(&token, &target).into(),
        Command::Context(context) => context::run(&context, &target).into(),
        Command::Completion(completion) => complete::run(&completion).into(),
        Command::Backup(backup) => backup::back_up(&backup).into(),
        Command::Restore(restore) => backup::restore(&restore).into(),
        Command::Doctor(doctor) => doctor::run(&doctor).into(),
        Command::Man(man) => man::run(&man).into(),
    }
}

/// Runs a command on the server that was chosen.
fn on_server(target: &Target, command: impl FnOnce(Reach) -> Exit) -> Exit {
    match target.choose() {
        Ok(chosen) => {
            // A variable that somebody forgot must not send a write to another server unnoticed.
            if target.server.is_some() && target.context.is_some() {
                eprintln!("note: --server and UNDERLAY_SERVER go before contexts; this goes to {}", chosen.server);
            }
            command(target.reach(chosen))
        }
        Err(error) => error.explain(),
    }
}

/// The definition of the command line.
fn command() -> clap::Command {
    Arguments::command()
}

/// Prints what went wrong, and gives the exit code for it.
fn fail(error: impl std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
