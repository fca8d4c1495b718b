//! `underlay sync`: keeps the inventory in step with sources.
//!
//! A source is read by its adapter and written by the kit (`adapters/kit`). This module has what is of the command
//! line: flags and the file that names several sources, output for people, and health checks. Sources fail alone: one
//! that cannot be read keeps no other one from running.

mod bcm;
mod dry_run;
mod flags;
mod ironic;
mod lines;
mod netbox;
mod output;
mod reader;
mod run;
mod settings;
mod unusable;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use self::flags::{BcmFlags, ExecFlags, FilesFlags, IronicFlags, NetBoxFlags};
use self::run::{Number, Work};
use self::settings::SourceSettings;
use super::exit::Exit;
use super::target::ServerAccess;

#[derive(Debug, Args)]
#[command(subcommand_negates_reqs = true, args_conflicts_with_subcommands = false)]
pub struct Arguments {
    #[command(subcommand)]
    source: Option<SourceFlags>,
    /// Synchronize the sources that this file names (TOML), each by itself.
    #[arg(long, value_name = "FILE", required = true)]
    config: Option<PathBuf>,
    #[command(flatten)]
    how: How,
}

/// The type of a source that is described by flags.
#[derive(Debug, Subcommand)]
enum SourceFlags {
    /// Files in folders: manifests, tables and lines of exports.
    ///
    /// The inventory gets what the files have, and loses what no file has any more. A table (CSV) is named after the
    /// kind of its lines: racks.csv or ams1.racks.csv. Lines of exports are in files that end in .jsonl.
    Files(FilesFlags),
    /// The output of a program in any language: a line of JSON for each object, and a last line with their number.
    Exec(ExecFlags),
    /// A NetBox (version 4.1 or later), read through its REST API.
    ///
    /// It takes two tokens. --netbox-token-file or the environment variable NETBOX_TOKEN has the one for NetBox, which
    /// needs only the right to view objects. --token-file or UNDERLAY_TOKEN has the one for the Underlay server, as for
    /// every command. --report shows what NetBox has and the inventory cannot hold.
    #[command(name = "netbox")]
    NetBox(NetBoxFlags),
    /// An NVIDIA Base Command Manager (version 10.25.03 or later), read through its JSON API.
    ///
    /// Categories become host classes, and lite nodes become devices and hosts. BCM knows the synchronizer by a client
    /// certificate, which needs only the right to read. `underlay simulate bcm` starts a small BCM to try this with.
    Bcm(BcmFlags),
    /// An OpenStack Ironic (microversion 1.81 or later), read through its REST API.
    ///
    /// Nodes become devices and hosts, with the hardware that inspections found; their ports and the neighbours that
    /// LLDP reported become ports and cables. Passwords of BMCs stay in Ironic, because it does not show them. It is
    /// only read.
    Ironic(IronicFlags),
}

/// The way in which sources are synchronized.
#[derive(Clone, Debug, Args)]
struct How {
    /// Read everything once and end, instead of going on.
    #[arg(long, global = true)]
    once: bool,
    /// Only show what would change, and end.
    #[arg(long, global = true, conflicts_with = "listen")]
    dry_run: bool,
    /// Print after each full scan what became of the things of the source, by their types.
    #[arg(long, global = true)]
    report: bool,
    /// Answer /healthz, /readyz and /metrics at this address, such as 127.0.0.1:9464.
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let Arguments { source, config, how } = arguments;
    let number = if config.is_some() { Number::Several } else { Number::One };
    let sources = match (source, config) {
        (Some(_), Some(_)) => {
            eprintln!("error: --config names the sources; leave the type of a source out, or leave --config out");
            return Exit::Usage;
        }
        (Some(SourceFlags::Files(flags)), None) => flags.settings().map(|one| vec![one]),
        (Some(SourceFlags::Exec(flags)), None) => flags.settings().map(|one| vec![one]),
        (Some(SourceFlags::NetBox(flags)), None) => flags.settings().map(|one| vec![one]),
        (Some(SourceFlags::Bcm(flags)), None) => flags.settings().map(|one| vec![one]),
        (Some(SourceFlags::Ironic(flags)), None) => flags.settings().map(|one| vec![one]),
        (None, Some(file)) => SourceSettings::read(&file),
        (None, None) => {
            eprintln!(
                "error: say which source to synchronize, such as `underlay sync files DIR`, or give --config FILE"
            );
            return Exit::Usage;
        }
    };
    match sources {
        Ok(sources) => Work { sources, number, server, how }.run(),
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Usage
        }
    }
}
