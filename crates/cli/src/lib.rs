//! The commands that are clients of a server, and what all commands share: exit codes, output, the choice of a server,
//! tables and words for objects.
//!
//! They know a server through its API alone, and the kinds through their registry. `context` and `simulate` work locally.
//! The program joins these commands with those that work on a server's own files.
#![recursion_limit = "256"]

mod agent;
mod appliance;
mod apply;
mod batch;
mod cabling;
pub mod complete;
mod context;
mod contexts;
mod credentials;
mod csv;
mod delete;
mod demo;
#[cfg(test)]
mod deploy_tests;
mod describe;
mod diff;
mod edit;
pub mod exit;
mod export;
mod find;
mod follow;
mod get;
mod graph;
mod hardware;
mod host;
mod hosts;
mod impact;
mod ironic;
mod kinds;
mod listen;
pub mod manifest;
mod object;
pub mod output;
mod part;
mod paths;
mod print;
mod query;
mod replace;
pub mod run;
mod sdl;
mod secrets;
mod server;
pub mod show;
pub mod signals;
mod simulate;
mod source;
mod spof;
mod sync;
pub mod target;
mod trace;
mod watch;

#[cfg(test)]
mod hostile_tests;

use std::process::ExitCode;

use clap::Subcommand;
use exit::{EXIT_CODES, EXIT_CODES_OF_DIFF, Exit};
use target::{ServerAccess, Target};

/// A command that is a client of a server.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List objects of a kind, as a table or as manifests.
    Get(get::Arguments),
    /// Show everything about an object, with its neighbours and recent changes.
    #[command(after_help = EXIT_CODES)]
    Describe(describe::Arguments),
    /// Find objects by a part of a name, serial number, address or similar field.
    Find(find::Arguments),
    /// Trace the line of a port, hop by hop, through panels and across circuits to its end.
    Trace(trace::Arguments),
    /// Find paths between two objects: the shortest, all disjoint ones, or two paths and what they share.
    Paths(paths::Arguments),
    /// Show which objects go down, become isolated or lose redundancy when objects fail, and why.
    Impact(impact::Arguments),
    /// List single points of failure: objects whose failure alone takes other objects down or isolates them.
    Spof(spof::Arguments),
    /// Draw a part of the inventory as a graph, for Graphviz, yEd, Gephi or a program.
    Graph(graph::Arguments),
    /// Decide about what a source may remove, and pause and resume sources.
    Source(source::Arguments),
    /// Print changes as they happen, as lines for people or JSON for programs, or run a command for each change.
    ///
    /// The watch resumes at its position after lost connections and server restarts. With --state it also resumes there
    /// when it is started again. Each change is delivered at least once. A change is repeated only if the watch was
    /// killed after it handled the change and before it saved the position.
    Watch(watch::Arguments),
    /// Send any operation to the GraphQL API.
    Query(query::Arguments),
    /// Write the objects that manifests or tables describe to a server.
    ///
    /// A file written by export is recognised by its first line. It must be applied alone. It is applied in many
    /// batches, and applying it again is safe.
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n{EXIT_CODES}", apply::TABLES))]
    Apply(apply::Arguments),
    /// Show what apply would change, field by field, without writing anything.
    #[command(after_help = EXIT_CODES_OF_DIFF)]
    Diff(diff::Arguments),
    /// Delete objects.
    ///
    /// In a terminal, the command shows what would be deleted and asks for confirmation. Without a terminal, in a
    /// script, it deletes without asking.
    #[command(after_help = EXIT_CODES)]
    Delete(delete::Arguments),
    /// Edit an object as a manifest, in the editor that VISUAL or EDITOR names.
    ///
    /// The saved manifest is written only if nobody has changed the object in the meantime.
    #[command(after_help = EXIT_CODES)]
    Edit(edit::Arguments),
    /// Write the inventory as lines that apply reads. All lines are of one revision.
    ///
    /// Applying the lines to an empty inventory gives an equal inventory: the same ids, fields and external references,
    /// and the same field owners where these are sources. Users cannot be impersonated: fields owned by users become
    /// owned by the user who applies the lines. Versions, times and the change log are not exported.
    #[command(after_help = EXIT_CODES)]
    Export(export::Arguments),
    /// Write a made-up fleet to a server: about 400 devices, or any number of racks.
    #[command(after_help = EXIT_CODES)]
    Demo(demo::Arguments),
    /// Keep the inventory in step with sources: folders of files, NetBox, BCM, Ironic, or programs in any language.
    ///
    /// Objects of a source are written in its name. The server removes objects that a source no longer has, within the
    /// limits of the source. The command runs until it is stopped, unless --once is set.
    #[command(after_help = EXIT_CODES)]
    Sync(sync::Arguments),
    /// Start a small outside system with made-up content, to try a source with.
    Simulate(simulate::Arguments),
    /// List hosts, and take, install, power and release them.
    Host(host::Arguments),
    /// Make and revoke the tokens with which the agents on hosts report their hardware.
    Agent(agent::Arguments),
    /// List what changed in the hardware of hosts.
    Hardware(hardware::Arguments),
    /// Show in which hosts a part was from when to when, by its serial number.
    Part(part::Arguments),
    /// Note that a machine was exchanged: the device gets the serial number of the new one, and its host forgets the old one.
    ///
    /// Place, cables, addresses and names stay. The token of the agent on the old machine is revoked. Nothing is done with
    /// the machines.
    #[command(after_help = EXIT_CODES)]
    Replace(replace::Arguments),
    /// Compare what hosts hear at their network interfaces with the cables that are recorded.
    Cabling(cabling::Arguments),
    /// Let host controllers act again after they could only observe.
    Hosts(hosts::Arguments),
    /// Register appliances, which list machines, and make hosts of these machines.
    Appliance(appliance::Arguments),
    /// Set the secrets of credentials, and change the key that encrypts them.
    Secrets(secrets::Arguments),
    /// Run a controller, which works on machines as people order it.
    #[command(after_help = EXIT_CODES)]
    Run(run::Arguments),
    /// Give names to servers and choose the one that commands talk to.
    Context(context::Arguments),
}

/// Runs a command on the server that the arguments name.
pub fn run(command: Command, target: &Target) -> ExitCode {
    match command {
        Command::Get(get) => on_server(target, |server| get::run(get, server)).into(),
        Command::Describe(describe) => on_server(target, |server| describe::run(describe, server)).into(),
        Command::Find(find) => on_server(target, |server| find::run(find, server)).into(),
        Command::Trace(trace) => on_server(target, |server| trace::run(trace, server)).into(),
        Command::Paths(paths) => on_server(target, |server| paths::run(paths, server)).into(),
        Command::Impact(impact) => on_server(target, |server| impact::run(impact, server)).into(),
        Command::Spof(spof) => on_server(target, |server| spof::run(spof, server)).into(),
        Command::Graph(graph) => on_server(target, |server| graph::run(graph, server)).into(),
        Command::Source(source) => on_server(target, |server| source::run(source, server)).into(),
        Command::Watch(watch) => on_server(target, |server| watch::run(watch, server)).into(),
        Command::Query(query) => on_server(target, |server| query::run(query, server)).into(),
        Command::Apply(apply) => on_server(target, |server| apply::run(apply, server)).into(),
        Command::Diff(diff) => on_server(target, |server| diff::run(diff, server)).compared().into(),
        Command::Delete(delete) => on_server(target, |server| delete::run(delete, server)).into(),
        Command::Edit(edit) => on_server(target, |server| edit::run(edit, server)).into(),
        Command::Export(export) => on_server(target, |server| export::run(export, server)).into(),
        Command::Demo(demo) => on_server(target, |server| demo::run(demo, server)).into(),
        Command::Sync(sync) => on_server(target, |server| sync::run(sync, server)).into(),
        Command::Simulate(simulate) => simulate::run(&simulate).into(),
        Command::Host(host) => on_server(target, |server| host::run(host, server)).into(),
        Command::Agent(agent) => on_server(target, |server| agent::run(agent, server)).into(),
        Command::Hardware(hardware) => on_server(target, |server| hardware::run(hardware, server)).into(),
        Command::Part(part) => on_server(target, |server| part::run(part, server)).into(),
        Command::Replace(replace) => on_server(target, |server| replace::run(replace, server)).into(),
        Command::Cabling(cabling) => on_server(target, |server| cabling::run(cabling, server)).compared().into(),
        Command::Hosts(hosts) => on_server(target, |server| hosts::run(hosts, server)).into(),
        Command::Appliance(appliance) => on_server(target, |server| appliance::run(appliance, server)).into(),
        Command::Secrets(secrets) => on_server(target, |server| secrets::run(secrets, server)).into(),
        Command::Run(run) => on_server(target, |server| run::run(run, server)).into(),
        Command::Context(context) => context::run(&context, target).into(),
    }
}

/// Chooses the server that the arguments name, and runs a command on it.
fn on_server(target: &Target, command: impl FnOnce(ServerAccess) -> Exit) -> Exit {
    match target.choose() {
        Ok(chosen) => {
            // A forgotten environment variable must not silently send a write to another server.
            if target.server.is_some() && target.context.is_some() {
                eprintln!(
                    "note: --server and UNDERLAY_SERVER take precedence over contexts; the server is {}",
                    chosen.server
                );
            }
            command(target.reach(chosen))
        }
        Err(error) => error.explain(),
    }
}

/// Prints an error and returns the exit code for a failure.
pub fn fail(error: impl std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

/// The commands of this crate, as the program reads them.
#[cfg(test)]
#[derive(Debug, clap::Parser)]
#[command(name = "underlay")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    target: Target,
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn the_tokens_of_netbox_and_of_the_server_are_two() {
        let words = "underlay sync netbox --url http://x --netbox-token-file netbox --token-file server";
        let parsed = Arguments::try_parse_from(words.split(' ')).expect("flags");
        assert_eq!(parsed.target.token_file.as_deref(), Some(std::path::Path::new("server")));
        assert!(format!("{:?}", parsed.command).contains("token_file: Some(\"netbox\")"), "{:?}", parsed.command);
    }
}
