//! The entry point of the `underlay-agent` program.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand};
use underlay_agent::{
    AgentError, Enroller, LISTEN, PATIENCE, Root, Sender, Serials, ServerAddress, TokenFile, TokenSource, enrol_once,
    record, report, report_for_ever, report_once,
};
use underlay_facts::{Outcome, page};

/// Reads the hardware of the machine on which it runs.
#[derive(Debug, Parser)]
#[command(name = "underlay-agent", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Report the hardware to a server until the program is ended.
    ///
    /// The first report is sent within five minutes, and the server says how often it wants to hear from the machine.
    /// The standard error has a line when that begins or ceases to work.
    #[command(group = ArgGroup::new("where").args(["server"]).required(true))]
    Run {
        #[command(flatten)]
        destination: Destination,
        /// Read this recorded tree in place of the machine.
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// Read the hardware once, and show it or report it to a server.
    #[command(group = ArgGroup::new("what").args(["print", "server"]).required(true))]
    Once {
        /// Show the report.
        #[arg(long)]
        print: bool,
        /// Show it as JSON, in the form in which it is sent.
        #[arg(long, requires = "print", conflicts_with = "server")]
        json: bool,
        /// Listen to the neighbours for 65 seconds first, in place of asking lldpd. That needs the right to open raw
        /// sockets.
        #[arg(long)]
        listen: bool,
        #[command(flatten)]
        destination: Option<Destination>,
        /// Read this recorded tree in place of the machine.
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// Get the token by which a server knows this machine, with a token of an enrolment.
    ///
    /// The server finds the host that the machine is by its MAC addresses, UUID and serial number. If the answer is lost,
    /// the same command can be given again.
    Enrol {
        /// The address of the server, such as `https://underlay.example.org`.
        #[arg(long, value_name = "URL")]
        server: String,
        /// The file with the token of the enrolment, which `underlay agent enrol-token` prints. Only its owner may have
        /// access to it.
        #[arg(long, value_name = "FILE")]
        enrolment_token_file: PathBuf,
        /// The file for the token of this machine. If it has one already, that is the one that is enrolled.
        #[arg(long, value_name = "FILE")]
        token_file: PathBuf,
        /// Trust only the certificate authorities of this file, in place of those of the machine.
        #[arg(long, value_name = "PEM")]
        ca_file: Option<PathBuf>,
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

/// The server that gets reports. A command that can do without one has none of these arguments, and otherwise the first
/// two.
#[derive(Debug, Args)]
struct Destination {
    /// Report to the server at this address, such as `https://underlay.example.org`.
    #[arg(long, value_name = "URL", required = false, requires = "token_file")]
    server: String,
    /// The file with the token by which the server knows this machine. Only its owner may have access to it.
    #[arg(long, value_name = "FILE", required = false, requires = "server")]
    token_file: PathBuf,
    /// Trust only the certificate authorities of this file, in place of those of the machine.
    #[arg(long, value_name = "PEM", requires = "server")]
    ca_file: Option<PathBuf>,
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
        Command::Run { destination, root } => report_for_ever(sender_to(destination)?, root_at(root.as_deref())?),
        Command::Once { print: _, json, listen, destination, root } => {
            let root = root_at(root.as_deref())?;
            if listen {
                root.listen();
                // The interfaces are found a moment after the start.
                thread::sleep(LISTEN + Duration::from_secs(1));
            }
            if let Some(destination) = destination {
                return send(destination, root);
            }
            let report = report(&root, PATIENCE);
            show(&if json { serde_json::to_string_pretty(&report)? + "\n" } else { page(&report) })
        }
        Command::Enrol { server, enrolment_token_file, token_file, ca_file, root } => {
            let (server, enrolment) = (ServerAddress::parse(&server)?, TokenFile::new(enrolment_token_file));
            let enroller = Enroller::new(server, enrolment, token_file.clone(), ca_file.as_deref())?;
            let answer = enrol_once(&enroller, root_at(root.as_deref())?)?;
            show(&format!("enrolled as the host {}; its token is in {}\n", answer.host.name, token_file.display()))
        }
        Command::Record { folder, keep_serials, root } => {
            let serials = if keep_serials { Serials::Kept } else { Serials::MadeUp };
            record(&root_at(root.as_deref())?, &folder, serials, PATIENCE).map(|_| ())
        }
    }
}

/// Reports to a server once, and shows what came of it.
fn send(destination: Destination, root: Root) -> Result<(), AgentError> {
    let answer = report_once(sender_to(destination)?, root)?;
    show(match answer.outcome {
        Outcome::Unchanged => "sent: the server had the same facts\n",
        Outcome::Stored | Outcome::SendAll => "sent: the server stored the facts\n",
    })
}

fn sender_to(destination: Destination) -> Result<Sender, AgentError> {
    let Destination { server, token_file, ca_file } = destination;
    Sender::new(ServerAddress::parse(&server)?, TokenSource::File(TokenFile::new(token_file)), ca_file.as_deref())
}

fn show(text: &str) -> Result<(), AgentError> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    Ok(output.flush()?)
}

fn root_at(folder: Option<&Path>) -> Result<Root, AgentError> {
    folder.map_or_else(|| Ok(Root::live()), Root::tree)
}
