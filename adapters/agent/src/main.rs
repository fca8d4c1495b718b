//! The entry point of the `underlay-agent` program.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use underlay_agent::{AgentError, PATIENCE, Root, Serials, record, report};
use underlay_facts::page;

/// Reads the hardware of the machine on which it runs.
#[derive(Debug, Parser)]
#[command(name = "underlay-agent", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read the hardware once.
    Once {
        /// Show the report.
        #[arg(long, required = true)]
        print: bool,
        /// Show it as JSON, in the form in which it is sent.
        #[arg(long)]
        json: bool,
        /// Read this recorded tree in place of the machine.
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// Copy the files that are read into a new folder, for `once --root`.
    ///
    /// Serial numbers, UUIDs and MAC addresses are replaced by made-up ones, the same ones each time.
    Record {
        /// The new folder.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Copy serial numbers, UUIDs and MAC addresses as they are.
        #[arg(long)]
        keep_serials: bool,
        /// Copy this recorded tree in place of the machine's files.
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough.
        Err(AgentError::Print(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be told where even this cannot be written.
            let _ = writeln!(io::stderr(), "underlay-agent: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), AgentError> {
    match command {
        Command::Once { print: _, json, root } => {
            let report = report(&root_at(root.as_deref())?, PATIENCE);
            let text = if json { serde_json::to_string_pretty(&report)? + "\n" } else { page(&report) };
            let mut output = io::stdout().lock();
            output.write_all(text.as_bytes())?;
            Ok(output.flush()?)
        }
        Command::Record { folder, keep_serials, root } => {
            let serials = if keep_serials { Serials::Kept } else { Serials::MadeUp };
            record(&root_at(root.as_deref())?, &folder, serials, PATIENCE).map(|_| ())
        }
    }
}

fn root_at(folder: Option<&Path>) -> Result<Root, AgentError> {
    folder.map_or_else(|| Ok(Root::live()), Root::tree)
}
