//! `underlay simulate`: small outside systems, so that a source can be tried without the real one.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use tempfile::{Builder, TempDir};
use underlay_bcm::simulator::{Files, Fleet, Simulator};

use super::exit::Exit;
use super::signals::Signals;

/// The default number of nodes.
const DEFAULT_NODES: u16 = 24;
/// The maximum number of nodes.
const MAX_NODES: i64 = 10_000;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    system: System,
}

/// The system that is simulated.
#[derive(Debug, Subcommand)]
enum System {
    /// An NVIDIA Base Command Manager, with racks and nodes, whose certificates are made for this run.
    ///
    /// The command prints the `underlay sync bcm` that reads it, and answers until it is stopped (Ctrl+C).
    Bcm(BcmFlags),
}

#[derive(Debug, Args)]
struct BcmFlags {
    /// The address at which it answers. With port 0, the system chooses a free port.
    #[arg(long, value_name = "ADDRESS", default_value_t = SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))]
    listen: SocketAddr,
    /// The number of nodes: 1 to 10000.
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_NODES,
        value_parser = clap::value_parser!(u16).range(1..=MAX_NODES))]
    nodes: u16,
    /// The folder for the certificates, which must exist. Default: a temporary folder, which is deleted at the end.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The site that the printed command names. It must exist on the server.
    #[arg(long, value_name = "NAME", default_value = "ams1")]
    site: String,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let System::Bcm(flags) = &arguments.system;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let ended = runtime.map_err(|error| format!("cannot start: {error}")).and_then(|it| it.block_on(simulate(flags)));
    match ended {
        Ok(()) => Exit::Done,
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

/// Simulates a BCM until the process is asked to end.
async fn simulate(flags: &BcmFlags) -> Result<(), String> {
    let mut signals = Signals::listen();
    // It deletes the temporary folder when it goes.
    let made: TempDir;
    let folder = match &flags.folder {
        Some(folder) => folder.as_path(),
        None => {
            made = Builder::new().prefix("underlay-bcm-").tempdir().map_err(|error| {
                format!("a temporary folder for the certificates cannot be made: {error}; name one by --folder")
            })?;
            made.path()
        }
    };
    let fleet = Fleet::of(flags.nodes.into());
    let simulator = Simulator::start(flags.listen, folder, fleet).await.map_err(|error| error.to_string())?;
    println!("BCM answers at {}, with {} nodes. Ctrl+C ends it.", simulator.url(), flags.nodes);
    println!("Its certificates are in {}, and are worth nothing elsewhere.", folder.display());
    println!("To read it into a server that has the site {}, run:", flags.site);
    println!("  {}", command(simulator.url(), simulator.files(), &flags.site));
    signals.next().await;
    Ok(())
}

/// Returns the command that reads a simulator, as a shell takes it.
fn command(url: &str, files: &Files, site: &str) -> String {
    let mut text = format!("underlay sync bcm --url {url}");
    let flags = [("--cert-file", &files.certificate), ("--key-file", &files.key), ("--ca-file", &files.authority)];
    for (flag, file) in flags {
        // Writing to a text does not fail.
        let _ = write!(text, " {flag} {}", shell_words::quote(&file.to_string_lossy()));
    }
    format!("{text} --site {}", shell_words::quote(site))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_command_is_one_that_the_program_takes() {
        let file = |name: &str| PathBuf::from("/tmp/it's here").join(name);
        let files = Files { certificate: file("a"), key: file("b"), authority: file("c") };
        let text = command("https://127.0.0.1:8081", &files, "new site");
        let words = shell_words::split(&text).expect("words");
        assert_eq!(words.last().map(String::as_str), Some("new site"));
        let matched = <crate::Arguments as clap::CommandFactory>::command().try_get_matches_from(words);
        assert!(matched.is_ok(), "{text}: {matched:?}");
    }
}
