//! The load program: starts servers, loads fleets, and measures them as clients see them. Each number is compared with
//! a reference from the same run.
//!
//! `cargo bench --profile dist --bench load` measures everything; `-- --help` lists the options. The program prints a
//! table, writes it as JSON and into `docs/performance.md`, and plots how the cost grows with the inventory.
//!
//! Guarantees:
//!
//! - Every number comes from checked answers. After an error, or if a batch was not written as expected, there is no
//!   number.
//! - Nothing is counted during the warm-up.
//! - The program ends even if a server hangs.
//! - It leaves no process behind, and no file except those that were requested.

// Without a harness, the tests in this program are unused, even if all targets are built as tests. `tests/it/load.rs`
// runs them.
#![cfg_attr(test, allow(unused_imports))]

mod access;
mod allocator;
mod bare;
mod bmcs;
mod client;
mod constants;
mod document;
mod facts;
mod feed;
mod fleets;
mod hosts;
mod inside;
mod lives;
mod machine;
mod measure;
mod plot;
mod problem;
mod quantity;
mod queries;
mod reads;
mod report;
mod run;
mod server;
mod soak;
mod sources;
mod stages;
mod table;
mod topology;
mod usage;
mod writes;

#[allow(dead_code, reason = "not everything that the tests need is needed here")]
#[path = "../../tests/it/harness/program.rs"]
mod program;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::problem::{LoadError, Result};

/// Measures Underlay as clients see it, and compares it with the cost of the same work without it.
#[derive(Debug, Parser)]
#[command(name = "load")]
struct Arguments {
    /// Use small fleets and short rounds, to check that everything works. The numbers are meaningless.
    #[arg(long)]
    quick: bool,
    /// Measure only these parts, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "PARTS")]
    only: Vec<Part>,
    /// Duration of `--only soak` in minutes. With `--quick` it takes seconds.
    #[arg(long, default_value_t = 10, value_name = "N")]
    minutes: u32,
    /// Number of the hosts of `--only lives`. Default: 10000; with `--quick` 200.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    hosts: Option<u32>,
    /// Duration in seconds for which `--only lives` watches hosts at rest. Default: 660, in which each host is polled
    /// twice and the controller looks at all of them once; with `--quick` 5.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    idle_seconds: Option<u32>,
    /// Sizes of the fleets in ports, separated by commas. The table contains the largest size and the one in the
    /// middle.
    #[arg(long, value_delimiter = ',', value_name = "SIZES")]
    ports: Vec<usize>,
    /// Folder for the results. Default: docs after a full run, else a folder under target.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep the loaded fleets in this folder, and use those that exist already. Default: a temporary folder.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Passed by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
    #[command(subcommand)]
    role: Option<Role>,
}

/// A part of the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Start, memory and size of an empty server.
    Empty,
    /// The cost of authentication and of tenants' visibility.
    Access,
    /// The dashboard and single devices.
    Reads,
    /// The search for names.
    Search,
    /// Single mutations.
    Writes,
    /// Large batches, on SQLite.
    Bulk,
    /// Large batches, on PostgreSQL.
    Postgres,
    /// Single mutations during large batches.
    Mixed,
    /// Memory and start time with a fleet.
    Memory,
    /// Time for the next snapshot, and memory of objects.
    Value,
    /// Queries to the topology.
    Topology,
    /// Subscriptions to changes.
    Feed,
    /// Growth of the cost with the inventory.
    Growth,
    /// Good and bad clients for minutes, and the memory of the server. Measured only if requested.
    Soak,
    /// Synchronizers of a NetBox with 200,000 objects and of an Ironic with 5,000 nodes. Measured only if requested.
    Sources,
    /// Claims on 10,000 hosts. Measured only if requested.
    Hosts,
    /// Lives of 10,000 simulated hosts, and the same hosts at rest. Measured only if requested.
    Lives,
    /// Polls of the power of 1,000 machines by Redfish. Measured only if requested.
    Bmcs,
    /// Reports of the agents of 10,000 hosts. Measured only if requested.
    Facts,
}

impl Part {
    /// The parts of a full run.
    const ALL: [Self; 13] = [
        Self::Empty,
        Self::Access,
        Self::Reads,
        Self::Search,
        Self::Writes,
        Self::Bulk,
        Self::Postgres,
        Self::Mixed,
        Self::Memory,
        Self::Value,
        Self::Topology,
        Self::Feed,
        Self::Growth,
    ];
}

/// The other roles of this program, which it starts itself.
#[derive(Debug, Subcommand)]
#[command(hide = true)]
enum Role {
    /// Serves answers from a file.
    #[command(hide = true)]
    Constants { pages: PathBuf },
    /// Sends texts to all connected clients.
    #[command(hide = true)]
    Broadcast,
    /// Measures inside the process, on a database.
    #[command(hide = true)]
    Inside { database: String },
    /// Queries the topology inside the process, on a database.
    #[command(hide = true)]
    Topology { database: String },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.role {
        // This role uses as many threads as the real server.
        Some(Role::Constants { pages }) => in_runtime(Threads::All, constants::serve(pages)),
        Some(Role::Broadcast) => in_runtime(Threads::All, feed::broadcast::serve()),
        Some(Role::Inside { database }) => in_runtime(Threads::All, inside::print(database)),
        Some(Role::Topology { database }) => in_runtime(Threads::All, topology::print(database)),
        None if !arguments.bench && !arguments.quick => {
            println!("nothing is measured by `cargo test`; use `cargo bench --bench load`");
            Ok(())
        }
        // All clients run on one thread, because they share the cores with the server.
        None => in_runtime(Threads::One, run::run(&arguments)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

enum Threads {
    One,
    All,
}

fn in_runtime(threads: Threads, work: impl Future<Output = Result<()>>) -> Result<()> {
    let mut builder = match threads {
        Threads::One => tokio::runtime::Builder::new_current_thread(),
        Threads::All => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = builder.enable_all().build();
    let runtime = runtime.map_err(|error| LoadError::Io { what: "start".to_owned(), error })?;
    runtime.block_on(work)
}
