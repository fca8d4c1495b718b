//! The load program: starts servers, loads fleets, and measures what clients see, each number beside its reference
//! from the same run.
//!
//! `cargo bench --profile dist --bench load` measures all of it; `-- --help` says what else it can. It prints one table,
//! writes it as JSON and into `docs/performance.md`, and draws how cost grows with the inventory.
//!
//! What it guarantees: every number comes from answers that were looked at (after an error, or a batch that was not
//! written as expected, there is no number); nothing is counted while it warms up; it ends, whatever hangs; no process
//! and no file stays behind but what was asked for.

// Without a harness the tests in here are cut off, also where all targets are built as tests; `tests/it/load.rs` runs
// them.
#![cfg_attr(test, allow(unused_imports))]

mod access;
mod allocator;
mod bare;
mod client;
mod constants;
mod document;
mod feed;
mod fleets;
mod inside;
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
mod stages;
mod table;
mod topology;
mod writes;

// What the integration tests start processes with, and the server that they have of PostgreSQL.
#[allow(dead_code, reason = "not everything that the tests need is needed here")]
#[path = "../../tests/it/harness/postgres.rs"]
mod postgres;
#[allow(dead_code, reason = "not everything that the tests need is needed here")]
#[path = "../../tests/it/harness/process.rs"]
mod process;
#[allow(dead_code, reason = "not everything that the tests need is needed here")]
#[path = "../../tests/it/harness/scratch.rs"]
mod scratch;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::problem::{LoadError, Result};

/// Measures what clients of Underlay see, beside what the same work costs without it.
#[derive(Debug, Parser)]
#[command(name = "load")]
struct Arguments {
    /// Small fleets and short rounds: to see that it works. The numbers say nothing.
    #[arg(long)]
    quick: bool,
    /// Measure only these parts, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "PARTS")]
    only: Vec<Part>,
    /// How long `--only soak` takes. With `--quick` it takes seconds.
    #[arg(long, default_value_t = 10, value_name = "N")]
    minutes: u32,
    /// The sizes of the fleets in ports, separated by commas. The largest and the one in the middle stand in the table.
    #[arg(long, value_delimiter = ',', value_name = "SIZES")]
    ports: Vec<usize>,
    /// Where the results go. Default: docs after a whole run, else a folder under target.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep the loaded fleets in this folder, and use those that are there already. Default: a temporary folder.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
    #[command(subcommand)]
    role: Option<Role>,
}

/// A part of what is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Start, memory and size of a server with nothing in it.
    Empty,
    /// What it costs to know who asks, and to show each their own part.
    Access,
    /// The dashboard and single devices.
    Reads,
    /// The search.
    Search,
    /// Single mutations.
    Writes,
    /// Large batches, on SQLite.
    Bulk,
    /// Large batches, on PostgreSQL.
    Postgres,
    /// Single mutations beside large batches.
    Mixed,
    /// Memory and start with a fleet.
    Memory,
    /// The next value, and what objects weigh.
    Value,
    /// Questions to the topology.
    Topology,
    /// Subscriptions.
    Feed,
    /// How cost grows with the inventory.
    Growth,
    /// Good and bad clients for minutes, and what the server holds. Only when it is asked for.
    Soak,
}

impl Part {
    /// What a whole run measures.
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

/// What this program also is, for itself.
#[derive(Debug, Subcommand)]
#[command(hide = true)]
enum Role {
    /// Serves answers from a file.
    #[command(hide = true)]
    Constants { pages: PathBuf },
    /// Sends texts to all who are connected.
    #[command(hide = true)]
    Broadcast,
    /// Measures inside the process, on a database.
    #[command(hide = true)]
    Inside { database: String },
    /// Asks the topology inside the process, on a database.
    #[command(hide = true)]
    Topology { database: String },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.role {
        // As many threads as the real server has.
        Some(Role::Constants { pages }) => in_runtime(Threads::All, constants::serve(pages)),
        Some(Role::Broadcast) => in_runtime(Threads::All, feed::broadcast::serve()),
        Some(Role::Inside { database }) => in_runtime(Threads::All, inside::print(database)),
        Some(Role::Topology { database }) => in_runtime(Threads::All, topology::print(database)),
        None if !arguments.bench && !arguments.quick => {
            println!("nothing is measured by `cargo test`; use `cargo bench --bench load`");
            Ok(())
        }
        // All clients on one thread: they share the cores with the server.
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
