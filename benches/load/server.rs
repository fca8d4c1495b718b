//! The servers under test: the program as built, and this program in the role of the reference.
//!
//! They run as separate processes. They end with this process, however it ends.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use underlay_testing::{Process, within};

use crate::client::ask;
use crate::problem::{Doing, LoadError, Result};
use crate::program;
use crate::usage;

/// The maximum time for a server to become ready, including the time to load its data.
const START_TIMEOUT: Duration = Duration::from_secs(600);
/// The maximum time for a server to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum time to write the largest fleet.
const WRITE_TIMEOUT: Duration = Duration::from_secs(3 * 3600);

/// The text that a server prints before its address when it is ready.
pub const READY: &str = "Underlay is ready at http://";

/// A running server, killed when dropped.
pub struct Server {
    process: Process,
    address: SocketAddr,
    ready_after: f64,
}

impl Server {
    /// Starts the program on a database, without authentication.
    pub async fn start(database: &str) -> Result<Self> {
        let mut command = program::underlay();
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--database", database, "--insecure-no-auth"])
            .env("UNDERLAY_HOSTS_ALLOWED_ADDRESSES", "127.0.0.0/8")
            .env_remove("RUST_LOG");
        Self::launch(command).await
    }

    /// Starts the program on a database, with its data in a folder. It authenticates callers and accepts only its own
    /// tokens.
    pub async fn start_asking(database: &str, folder: &Path) -> Result<Self> {
        let mut command = program::underlay();
        command.args(["serve", "--listen", "127.0.0.1:0", "--database", database, "--data-dir"]).arg(folder);
        command.env("UNDERLAY_RUN_DIR", folder.join("run")).env_remove("RUST_LOG");
        let (server, _) = Self::ready(command).await?;
        Ok(server)
    }

    /// Starts this program as the server that answers from constants.
    pub async fn constants(pages: &Path) -> Result<Self> {
        let program = std::env::current_exe().doing(|| "find this program".to_owned())?;
        let mut command = Command::new(program);
        command.arg("constants").arg(pages);
        Self::launch(command).await
    }

    /// Starts this program as the server that sends every text to all connected clients.
    pub async fn broadcast() -> Result<Self> {
        let program = std::env::current_exe().doing(|| "find this program".to_owned())?;
        let mut command = Command::new(program);
        command.arg("broadcast");
        Self::launch(command).await
    }

    async fn launch(command: Command) -> Result<Self> {
        let (server, address) = Self::ready(command).await?;
        // Checks that the server really answers. From then on it also handles the signal to stop.
        ask(address, "{ __typename }", Value::Null).await?;
        Ok(server)
    }

    /// Starts a process and waits until it prints that it is ready, with its address.
    async fn ready(command: Command) -> Result<(Self, SocketAddr)> {
        let begin = Instant::now();
        let mut process = Process::start(command, None);
        let line = within(START_TIMEOUT, || {
            let printed = process.stdout();
            match printed.split_once('\n') {
                Some((line, _)) => Some(Ok((line.to_owned(), begin.elapsed()))),
                None => process.ended().map(Err),
            }
        });
        let what = "the start of a server".to_owned();
        let (line, ready_after) = match line.await {
            Some(Ok(ready)) => ready,
            Some(Err(status)) => {
                let printed = process.stderr();
                return Err(LoadError::Answer(format!("a server ended before it was ready: {status}\n{printed}")));
            }
            None => return Err(LoadError::TimedOut { what, limit: START_TIMEOUT }),
        };
        let address = line.strip_prefix(READY).and_then(|rest| rest.trim_end_matches('/').parse().ok());
        let address =
            address.ok_or_else(|| LoadError::Answer(format!("a server printed {line:?} when it was ready")))?;
        Ok((Self { process, address, ready_after: ready_after.as_secs_f64() }, address))
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the seconds from the start until the server was ready.
    pub fn ready_after(&self) -> f64 {
        self.ready_after
    }

    /// Returns the resident memory in bytes.
    pub fn memory(&self) -> Result<u64> {
        usage::memory(self.process.pid())
    }

    /// Returns the peak resident memory so far, in bytes.
    pub fn max_memory(&self) -> Result<u64> {
        usage::max_memory(self.process.pid())
    }

    /// Returns the number of open files, including connections.
    pub fn open_files(&self) -> Result<usize> {
        let folder = format!("/proc/{}/fd", self.process.pid());
        Ok(std::fs::read_dir(&folder).doing(|| format!("read {folder}"))?.count())
    }

    /// Returns the processor time used so far, in seconds.
    pub fn processor_time(&self) -> Result<f64> {
        usage::processor_time(self.process.pid())
    }

    /// Returns the number of panics that the server has logged.
    pub fn panics(&self) -> usize {
        self.process.stderr().matches("panicked at").count()
    }

    /// Kills the server, like the loss of its machine.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Writes a generated fleet to the server, as any client can. Returns the time in seconds.
    pub async fn write_fleet(&self, racks: usize) -> Result<f64> {
        let mut command = program::underlay();
        command.args(["demo", "--racks", &racks.to_string(), "--server", &format!("http://{}", self.address)]);
        let begin = Instant::now();
        run(command, WRITE_TIMEOUT).await?;
        Ok(begin.elapsed().as_secs_f64())
    }

    /// Stops the server cleanly.
    pub async fn stop(mut self) -> Result<()> {
        self.process.signal(libc::SIGTERM);
        match self.process.ended_within(STOP_TIMEOUT).await {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                Err(LoadError::Answer(format!("a server stopped with {status}\n{}", self.process.stderr())))
            }
            None => Err(LoadError::TimedOut { what: "the stop of a server".to_owned(), limit: STOP_TIMEOUT }),
        }
    }
}

/// Runs a command to its end. Returns its standard output.
pub async fn run(command: Command, limit: Duration) -> Result<String> {
    let what = format!("{command:?}");
    let mut process = Process::start(command, None);
    match process.ended_within(limit).await {
        Some(status) if status.success() => Ok(process.stdout()),
        Some(status) => Err(LoadError::Answer(format!("{what} ended with {status}\n{}", process.stderr()))),
        None => Err(LoadError::TimedOut { what, limit }),
    }
}
